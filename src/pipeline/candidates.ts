/**
 * Which documents of a scope are compared: those that share a key. Where more have a key than may be compared, the ones
 * with the lowest hash are, so that what is compared in the end depends on the documents and not on the order they came in.
 *
 * Both functions stop after each piece of the work, so that whoever carries it out can do something else in between.
 */

/** Documents of a key that are compared with each other. */
export const MAX_COMPARED = 16;
/** Each function stops after so many steps: a step is a look at a document of a key, or a pair. */
const PIECE = 200;

export interface Posting {
  document_hash: number;
  seq: number;
}

export interface Keyed extends Posting {
  keys: readonly number[];
}

export type Pair = [seq: number, seq: number];

/** The documents of a key, first by hash: as many as are compared, and as many more as leave. */
export type PostingsOf = (key: number) => readonly Posting[];

export interface Change {
  /** Compared from now on. */
  joined: Pair[];
  /** No longer compared because of one key; another may still join them. */
  parted: Pair[];
}

/** What a batch changes: documents that arrive, and the versions that they replace. */
export interface Batch {
  arrivals: readonly Keyed[];
  leaving: readonly Keyed[];
}

export function* changeCandidates(postingsOf: PostingsOf, { arrivals, leaving }: Batch): Generator<void, Change> {
  const joined = new Pairs();
  const parted = new Pairs();
  const steps = new Steps();
  const gone = new Set(leaving.map(({ seq }) => seq));
  const arriving = yield* byKey(arrivals, leaving);
  for (const [key, added] of arriving) {
    yield* steps.take(1 + added.length + gone.size);
    const existing = postingsOf(key);
    if (existing.length === 0 && added.length < 2) continue;
    // Most keys that many documents have: none of those that come is among the first.
    const last = existing[MAX_COMPARED - 1];
    if (last && gone.size === 0 && added.every((one) => inOrder(one, last) > 0)) continue;
    const { first, entered, displaced } = firstOf(existing, added, gone);
    for (const one of entered) for (const other of first) if (one !== other) joined.add(one.seq, other.seq);
    for (const one of displaced)
      for (const other of existing.slice(0, MAX_COMPARED)) if (one !== other) parted.add(one.seq, other.seq);
    yield* steps.take(entered.length * first.length + displaced.length * MAX_COMPARED);
  }
  return { joined: joined.list, parted: parted.list };
}

/** Which of these pairs have, after the batch, one of these keys among whose first documents both are. */
export function* areCompared(
  pairs: Pair[],
  keys: Iterable<number>,
  postingsOf: PostingsOf,
  { arrivals, leaving }: Batch,
): Generator<void, boolean[]> {
  const steps = new Steps();
  const gone = new Set(leaving.map(({ seq }) => seq));
  const arriving = yield* byKey(arrivals);
  const together: Set<number>[] = [];
  for (const key of keys) {
    const { first } = firstOf(postingsOf(key), arriving.get(key) ?? [], gone);
    together.push(new Set(first.map(({ seq }) => seq)));
    yield* steps.take(MAX_COMPARED + gone.size);
  }
  const are: boolean[] = [];
  for (const [a, b] of pairs) {
    yield* steps.take(together.length);
    are.push(together.some((seqs) => seqs.has(a) && seqs.has(b)));
  }
  return are;
}

/** The first documents of a key after the batch, those that were not among them before, and those that no longer are. */
function firstOf(existing: readonly Posting[], added: Posting[], gone: Set<number>) {
  const first: Posting[] = [];
  const entered: Posting[] = [];
  const displaced: Posting[] = [];
  added.sort(inOrder);
  let next = 0;
  for (let nth = 0; nth < existing.length; nth++) {
    const posting = existing[nth] as Posting;
    if (gone.has(posting.seq)) continue;
    for (; next < added.length && first.length < MAX_COMPARED; next++) {
      const one = added[next] as Posting;
      if (inOrder(one, posting) > 0) break;
      entered.push(one);
      first.push(one);
    }
    const fits = first.length < MAX_COMPARED;
    if (fits) first.push(posting);
    if (fits && nth >= MAX_COMPARED) entered.push(posting);
    if (!fits && nth < MAX_COMPARED) displaced.push(posting);
    if (!fits && nth >= MAX_COMPARED) break;
  }
  for (; next < added.length && first.length < MAX_COMPARED; next++) {
    entered.push(added[next] as Posting);
    first.push(added[next] as Posting);
  }
  return { first, entered, displaced };
}

const inOrder = (one: Posting, other: Posting) => one.document_hash - other.document_hash || one.seq - other.seq;

/** The arrivals that have each key; none for keys that only those have which leave. */
function* byKey(arrivals: readonly Keyed[], leaving: readonly Keyed[] = []): Generator<void, Map<number, Keyed[]>> {
  const lists = new Map<number, Keyed[]>();
  const steps = new Steps();
  for (const arrival of arrivals) {
    yield* steps.take(arrival.keys.length);
    for (const key of arrival.keys) {
      const list = lists.get(key);
      if (list) list.push(arrival);
      else lists.set(key, [arrival]);
    }
  }
  for (const { keys } of leaving) {
    yield* steps.take(keys.length);
    for (const key of keys) if (!lists.has(key)) lists.set(key, []);
  }
  return lists;
}

/** Counts the steps of some work, and stops it when there were enough. */
class Steps {
  #left = PIECE;

  *take(steps: number): Generator<void, void> {
    this.#left -= steps;
    if (this.#left > 0) return;
    this.#left = PIECE;
    yield;
  }
}

/** Pairs of seqs, each once. */
class Pairs {
  readonly list: Pair[] = [];
  readonly #seen = new Map<number, Set<number>>();

  add(one: number, other: number): void {
    const [a, b] = one < other ? [one, other] : [other, one];
    const seen = this.#seen.get(a);
    if (seen?.has(b)) return;
    if (seen) seen.add(b);
    else this.#seen.set(a, new Set([b]));
    this.list.push([a, b]);
  }
}
