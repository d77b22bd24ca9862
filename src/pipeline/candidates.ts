/**
 * Which documents of a scope are compared: those that share a key. Where more have a key than may be compared, the ones
 * with the lowest hash are, so that what is compared in the end depends on the documents and not on the order they came in.
 */

/** Documents of a key that are compared with each other. */
export const COMPARED_MOST = 16;

export interface Posting {
  key: number;
  document_hash: number;
  seq: number;
}

export interface Keyed {
  seq: number;
  document_hash: number;
  keys: number[];
}

export type Pair = [seq: number, seq: number];

export interface Change {
  /** Compared from now on. */
  joined: Pair[];
  /** No longer compared because of one key; another may still join them. */
  parted: Pair[];
}

/** `postings` has the first documents of each key that may change; `leaving` are the versions that arrivals replace. */
export function changeCandidates(postings: Posting[], arrivals: Keyed[], leaving: Set<number>): Change {
  const joined = new Map<string, Pair>();
  const parted = new Map<string, Pair>();
  for (const existing of byKey(postings, arrivals)) {
    const before = existing.filter(({ isNew }) => !isNew).slice(0, COMPARED_MOST);
    const after = existing.filter(({ seq }) => !leaving.has(seq)).slice(0, COMPARED_MOST);
    const were = new Set(before.map(({ seq }) => seq));
    const are = new Set(after.map(({ seq }) => seq));
    const entered = after.filter(({ seq }) => !were.has(seq));
    for (const one of entered) for (const other of after) if (one !== other) add(joined, one.seq, other.seq);
    const displaced = before.filter(({ seq }) => !are.has(seq) && !leaving.has(seq));
    for (const one of displaced) for (const other of before) if (one !== other) add(parted, one.seq, other.seq);
  }
  return { joined: [...joined.values()], parted: [...parted.values()] };
}

/** Which of these pairs have a key among whose first documents both are. */
export function areCompared(pairs: Pair[], postings: Posting[], arrivals: Keyed[], leaving: Set<number>): boolean[] {
  const together = byKey(postings, arrivals).map((existing) => {
    const after = existing.filter(({ seq }) => !leaving.has(seq)).slice(0, COMPARED_MOST);
    return new Set(after.map(({ seq }) => seq));
  });
  return pairs.map(([a, b]) => together.some((seqs) => seqs.has(a) && seqs.has(b)));
}

interface Placed extends Posting {
  isNew: boolean;
}

/** The documents of each key, first by hash; of arrivals only the keys that were looked up or are new. */
function byKey(postings: Posting[], arrivals: Keyed[]): Placed[][] {
  const lists = new Map<number, Placed[]>();
  const put = (posting: Placed) => {
    const list = lists.get(posting.key);
    if (list) list.push(posting);
    else lists.set(posting.key, [posting]);
  };
  for (const posting of postings) put({ ...posting, isNew: false });
  for (const { seq, document_hash, keys } of arrivals)
    for (const key of keys) put({ key, seq, document_hash, isNew: true });
  for (const list of lists.values()) list.sort((a, b) => a.document_hash - b.document_hash || a.seq - b.seq);
  return [...lists.values()];
}

function add(pairs: Map<string, Pair>, a: number, b: number): void {
  const pair: Pair = a < b ? [a, b] : [b, a];
  pairs.set(pair.join(), pair);
}
