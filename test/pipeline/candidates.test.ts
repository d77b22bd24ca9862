/** Which documents are compared depends on the documents, and not on the order or the batches in which they came. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areCompared,
  type Batch,
  changeCandidates,
  type Keyed,
  MAX_COMPARED,
  type Pair,
  type Posting,
  type PostingsOf,
} from '../../src/pipeline/candidates.ts';
import { inOneGo } from '../../src/runtime/in-pieces.ts';

const pairKey = (pair: Pair) => pair.join();

/** By the definition: two documents are compared when both are among the first of a key by their hash. */
function byDefinition(documents: Keyed[]): Set<string> {
  const pairs = new Set<string>();
  for (const key of new Set(documents.flatMap(({ keys }) => keys))) {
    const first = documents
      .filter(({ keys }) => keys.includes(key))
      .sort((a, b) => a.document_hash - b.document_hash || a.seq - b.seq)
      .slice(0, MAX_COMPARED);
    for (const a of first) for (const b of first) if (a.seq < b.seq) pairs.add(pairKey([a.seq, b.seq]));
  }
  return pairs;
}

/** What the service does with batches: it lists what may change, and keeps what is compared. */
class Scope {
  readonly documents = new Map<number, Keyed>();
  readonly compared = new Set<string>();

  arrive(arrivals: Keyed[], leaving: number[] = []): void {
    const gone = new Set(leaving);
    const batch = { arrivals, leaving: leaving.map((seq) => this.#get(seq)) };
    const postingsOf = (key: number) => this.#postings(key, leaving.length);
    const { joined, parted } = inOneGo(changeCandidates(postingsOf, batch));
    const shared = new Set(parted.flatMap(([a]) => this.#get(a).keys));
    const still = inOneGo(areCompared(parted, shared, postingsOf, batch));
    for (const [index, pair] of parted.entries()) if (!still[index]) this.compared.delete(pairKey(pair));
    for (const pair of [...this.compared])
      if (pair.split(',').some((seq) => gone.has(Number(seq)))) this.compared.delete(pair);
    for (const pair of joined) this.compared.add(pairKey(pair));
    for (const seq of leaving) this.documents.delete(seq);
    for (const one of arrivals) this.documents.set(one.seq, one);
  }

  #get(seq: number): Keyed {
    return this.documents.get(seq) as Keyed;
  }

  #postings(key: number, more: number): Posting[] {
    return [...this.documents.values()]
      .filter((one) => one.keys.includes(key))
      .sort((a, b) => a.document_hash - b.document_hash || a.seq - b.seq)
      .slice(0, MAX_COMPARED + more);
  }
}

/** Three keys for up to 120 documents: each has more documents than are compared. */
const documents = fc
  .array(
    fc.record({
      document_hash: fc.nat({ max: 1_000_000 }),
      keys: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((all) => all.map((one, seq): Keyed => ({ ...one, seq })));

const sorted = (pairs: Set<string>) => [...pairs].sort();

it('any order, in any batches, has the same documents compared', () => {
  fc.assert(
    fc.property(
      documents.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length }),
          fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        ),
      ),
      ([all, order, sizes]) => {
        const scope = new Scope();
        for (let at = 0, n = 0; at < order.length; n++) {
          const size = sizes[n % sizes.length] as number;
          scope.arrive(order.slice(at, at + size));
          at += size;
        }
        expect(sorted(scope.compared)).toEqual(sorted(byDefinition(all)));
      },
    ),
    { numRuns: 200 },
  );
});

it('a new version takes the place of the old one, also where it makes room for another document', () => {
  fc.assert(
    fc.property(
      documents,
      fc.array(fc.uniqueArray(fc.nat({ max: 2 })), { minLength: 1, maxLength: 30 }),
      (all, versions) => {
        const scope = new Scope();
        scope.arrive(all);
        versions.forEach((keys, n) => {
          const old = [...scope.documents.values()][(n * 7) % scope.documents.size] as Keyed;
          scope.arrive([{ seq: 1000 + n, document_hash: old.document_hash, keys }], [old.seq]);
        });
        expect(sorted(scope.compared)).toEqual(sorted(byDefinition([...scope.documents.values()])));
      },
    ),
    { numRuns: 200 },
  );
});

it('stops often enough, however many documents share however many keys', () => {
  const keyed = (seqs: number, keysOf: (seq: number) => number[], from = 0) =>
    Array.from({ length: seqs }, (_, n): Keyed => ({ seq: from + n, document_hash: n * 7919, keys: keysOf(n) }));
  const many = (from: number, length: number) => Array.from({ length }, (_, n) => from + n);
  const own = (n: number) => many(n * 2000, 2000);
  const shared = () => many(0, 2000);
  // A document of which the number of keys was asked counts, too. 250 with 2,000 keys each, of which no two are the same, as they come and as they go.
  const [coming, going] = [keyed(250, own), keyed(250, own)];
  expect(longestStretch({ arrivals: coming, leaving: [] })).toEqual({ documents: 2, lists: 100 });
  expect(longestStretch({ arrivals: [], leaving: going })).toEqual({ documents: 1, lists: 1 });
  // 16 documents with the same keys, which are 240,000 times the same pairs, and the same in place of others.
  const [these, those] = [keyed(16, shared), keyed(16, shared, 100)];
  expect(longestStretch({ arrivals: these, leaving: [] })).toEqual({ documents: 2, lists: 1 });
  expect(longestStretch({ arrivals: these, leaving: those }, () => those)).toEqual({ documents: 2, lists: 1 });
});

/** Between two stops: documents whose keys are gone through, and keys whose documents are. */
function longestStretch(batch: Batch, postingsOf: PostingsOf = () => []) {
  const longest = { documents: 0, lists: 0 };
  let [documents, lists] = [new Set<number>(), 0];
  const watched = ({ seq, document_hash, keys }: Keyed): Keyed => ({
    ...{ seq, document_hash },
    get keys() {
      documents.add(seq);
      return keys;
    },
  });
  const work = changeCandidates(
    (key) => {
      lists++;
      return postingsOf(key);
    },
    { arrivals: batch.arrivals.map(watched), leaving: batch.leaving.map(watched) },
  );
  for (const _stop of work) {
    longest.documents = Math.max(longest.documents, documents.size);
    longest.lists = Math.max(longest.lists, lists);
    [documents, lists] = [new Set(), 0];
  }
  return longest;
}
