/** Cuts what a batch has for the threads into pieces: each is sent, worked on and answered by itself. */
import type { Comparison, Found, ThreadAnswer, ThreadDocument, ThreadResult, ThreadTask } from './thread.ts';

/** A thread hands back what it has not come to. So what is sent is a little more than it does in its time, and not all. */
const MAX_DOCUMENTS = 64;
const MAX_PAIRS = 512;
/** In characters, but one document or two of them in any case. */
const MAX_TEXT = 64_000;
const MAX_CLAIMS = 256_000;

/** Two documents, by their places among the claims. */
export interface Pair {
  own: number;
  other: number;
}

export function documentsFrom(documents: ThreadDocument[], numbers: number[], from: number): ThreadTask {
  let to = from + 1;
  let room = MAX_TEXT - (documents[from]?.text.length ?? 0);
  for (; to < documents.length && to - from < MAX_DOCUMENTS; to++) {
    room -= documents[to]?.text.length ?? 0;
    if (room < 0) break;
  }
  return { kind: 'read', items: documents.slice(from, to), numbers: numbers.slice(from, to) };
}

/** Two documents are the least that can be compared, so a comparison with several is several. */
export function pairsOf(comparisons: Comparison[]): Pair[] {
  return comparisons.flatMap(({ own, others }) => others.map((other) => ({ own, other })));
}

/** What a document claims, and the number by which a thread may know it. */
export interface Numbered {
  number: number;
  text: string;
}

/** With the texts of claims that a thread lacks, of these pairs alone. */
export function pairsFrom(pairs: Pair[], claims: Numbered[], from: number, lacking: Set<number>): ThreadTask {
  const places = new Map<number, number>();
  const numbers: number[] = [];
  const texts: (string | null)[] = [];
  const sent: number[] = [];
  let room = MAX_CLAIMS;
  const placeOf = (claimed: number): number => {
    const known = places.get(claimed);
    if (known !== undefined) return known;
    const { number, text } = claims[claimed] as Numbered;
    const isLacking = lacking.has(number);
    if (isLacking) room -= text.length;
    places.set(claimed, texts.length);
    numbers.push(number);
    return texts.push(isLacking ? text : null) - 1;
  };
  for (let at = from; at < pairs.length && at - from < MAX_PAIRS; at++) {
    const { own, other } = pairs[at] as Pair;
    const before = numbers.length;
    const pair = [placeOf(own), placeOf(other)];
    if (room < 0 && at > from) {
      numbers.length = texts.length = before;
      break;
    }
    sent.push(...pair);
  }
  return { kind: 'compare', pairs: Int32Array.from(sent), numbers, texts };
}

const NOTHING: ThreadResult<never> = { outcome: [] as never };

/** One for each item that the thread has come to. */
export function resultsOf<Outcome>({ done, results }: ThreadAnswer<Outcome>): ThreadResult<Outcome>[] {
  const all: ThreadResult<Outcome>[] = Array(done).fill(NOTHING);
  for (const [at, result] of results) all[at] = result;
  return all;
}

/** What was found in the pairs of each comparison. An error in one of them is the comparison's. */
export function joined(
  comparisons: Comparison[],
  results: (ThreadResult<Found[]> | null)[],
): (ThreadResult<Found[]> | null)[] {
  let at = 0;
  return comparisons.map(({ others }) => {
    const own = results.slice(at, at + others.length);
    at += others.length;
    const failed = own.find((result) => result !== null && 'error' in result);
    if (failed) return failed;
    if (own.includes(null)) return null;
    return { outcome: own.flatMap((result, other) => foundIn(result).map((one) => ({ ...one, other }))) };
  });
}

const foundIn = (result: ThreadResult<Found[]> | null) => (result && 'outcome' in result ? result.outcome : []);
