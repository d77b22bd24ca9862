/** What a batch found out: what its documents say, and where that contradicts what others of their scope say. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../domain/database.ts';
import { newContradictionId } from '../domain/ids.ts';
import { areCompared, COMPARED_MOST, changeCandidates, type Keyed, type Pair } from '../pipeline/candidates.ts';
import { listDetectedBetween } from '../storage/contradictions.ts';
import type { ClaimedDocument, Findings, Lease, NewConflict, NewReading } from '../storage/lanes.ts';
import { listPostings, listReadingKeys, listReadingKeysByDocument } from '../storage/readings.ts';
import type { ClaimShelf } from './claim-shelf.ts';
import type { Found, Reading, Side } from './thread.ts';
import type { Threads, Watcher } from './threads.ts';

/** What one round compares, within what the shelf hands out at once: memory stays small, whatever is compared. */
const ROUND_MOST = 1000;
/** Held against one document at a time: the time limit of a document is for so many. */
const OTHERS_MOST = 16;

export const NOTHING_FOUND: Findings = { readings: [], conflicts: [], dropped: [] };

/** A document of the batch that was read. */
export interface ReadDocument {
  document: ClaimedDocument;
  reading: Reading;
}

export interface FindingParts {
  db: Queryable;
  threads: Pick<Threads, 'compare'>;
  shelf: ClaimShelf;
  lease: Lease;
  watcher: Watcher;
}

/** `troubled` are documents that could not be compared, with the reason; null for those that are to be taken again. */
export interface Reconciled extends Findings {
  troubled: Map<number, string | null>;
}

export async function findOut(parts: FindingParts, batch: ReadDocument[]): Promise<Reconciled> {
  const newest = newestVersions(batch);
  const readings = newest.map(toReading);
  const change = await findCandidates(parts, readings, newest);
  const { conflicts, troubled } = await compareAll(parts, readings, change.joined);
  const dropped = await findDropped(parts, readings, change);
  // Nor is an older version of such a document done, though it was read: it would be the one that counts.
  for (const { document } of batch) {
    const counted = readings.find(({ document_id }) => document_id === document.document_id);
    if (counted && troubled.has(counted.seq) && !troubled.has(document.seq)) troubled.set(document.seq, null);
  }
  return {
    readings: readings.filter(({ seq }) => !troubled.has(seq)),
    conflicts: conflicts.filter(({ seq_a, seq_b }) => !troubled.has(seq_a) && !troubled.has(seq_b)),
    dropped,
    troubled,
  };
}

/** An older version in the same batch is superseded by the newer one and says nothing. */
function newestVersions(batch: ReadDocument[]): ReadDocument[] {
  const newest = new Map<string, ReadDocument>();
  for (const read of batch) {
    const other = newest.get(read.document.document_id);
    if (!other || other.document.version < read.document.version) newest.set(read.document.document_id, read);
  }
  return [...newest.values()];
}

function toReading({ document: { seq, document_id }, reading }: ReadDocument): NewReading {
  return { seq, document_id, document_hash: hashOf(document_id), ...reading };
}

/** 52 bits, which a number holds exactly. */
function hashOf(documentId: string): number {
  return Number(createHash('sha256').update(documentId).digest().readBigUInt64BE() >> 12n);
}

interface CandidateChange {
  joined: Pair[];
  parted: Pair[];
  leaving: Set<number>;
}

/** Which documents are to be compared because of the batch, and which no longer. */
async function findCandidates(
  { db, lease }: FindingParts,
  readings: NewReading[],
  newest: ReadDocument[],
): Promise<CandidateChange> {
  const again = newest.filter(({ document }) => document.version > 1).map(({ document }) => document.document_id);
  const old = again.length > 0 ? await listReadingKeysByDocument(db, lease, again) : [];
  const leaving = new Set(old.map(({ seq }) => seq));
  const least = new Map<number, number>();
  for (const { document_hash, keys } of readings)
    for (const key of keys) least.set(key, Math.min(least.get(key) ?? Infinity, document_hash));
  // What leaves makes room for another, whatever comes.
  for (const { keys } of old) for (const key of keys) least.set(key, -1);
  const wanted = [...least].map(([key, lowest]) => ({ key, least: lowest }));
  if (wanted.length === 0) return { joined: [], parted: [], leaving };

  const { postings, full } = await listPostings(db, lease, wanted, COMPARED_MOST, COMPARED_MOST + old.length);
  const arrivals = readings.map((reading) => ({ ...reading, keys: reading.keys.filter((key) => !full.has(key)) }));
  return { ...changeCandidates(postings, arrivals, leaving), leaving };
}

interface Partners {
  seq: number;
  others: number[];
}

/** Each new document with those it is to be compared with; a pair of two new ones, or of two old ones, once. */
function partnersOf(joined: Pair[], isNew: Set<number>): Partners[] {
  const pairs = joined.map(([a, b]) => (isNew.has(b) ? [b, a] : [a, b]) as Pair);
  return [...Map.groupBy(pairs, ([own]) => own)].flatMap(([seq, own]) => {
    const others = own.map(([, other]) => other);
    const parts = Math.ceil(others.length / OTHERS_MOST);
    return Array.from({ length: parts }, (_, n) => ({
      seq,
      others: others.slice(n * OTHERS_MOST, (n + 1) * OTHERS_MOST),
    }));
  });
}

/** In rounds, each with as many claims as fit into memory. */
async function compareAll(parts: FindingParts, readings: NewReading[], joined: Pair[]) {
  const conflicts = new Map<string, NewConflict>();
  const troubled = new Map<number, string | null>();
  let todo = partnersOf(joined, new Set(readings.map(({ seq }) => seq)));
  while (todo.length > 0) {
    let room = ROUND_MOST;
    const round = todo.filter(({ others }, n) => {
      room -= others.length;
      return n === 0 || room >= 0;
    });
    const { results, late } = await compareRound(parts, readings, round);
    for (const { own, result } of results) {
      if (result === null) troubled.set(own, null);
      else if ('error' in result) troubled.set(own, result.error);
      else for (const conflict of result.conflicts) conflicts.set(conflict.pair, conflict);
    }
    todo = [...late, ...todo.filter((one) => !round.includes(one))];
  }
  return { conflicts: [...conflicts.values()], troubled };
}

async function compareRound(parts: FindingParts, readings: NewReading[], round: Partners[]) {
  const { db, threads, shelf, lease, watcher } = parts;
  const wanted = new Set(round.flatMap(({ seq, others }) => [seq, ...others]));
  const fresh: Said[] = readings.filter(({ seq }) => wanted.delete(seq));
  const listed = wanted.size > 0 ? await shelf.list(db, lease, [...wanted]) : [];
  const isLate = new Set(listed.flatMap(({ seq, claims }) => (claims === null ? [seq] : [])));
  const said = [...fresh, ...listed].filter((one): one is Said => one.claims !== null);
  const places = new Map(said.map(({ seq }, place) => [seq, place]));
  // What was deleted meanwhile has nothing more to say.
  const comparisons = round.flatMap(({ seq, others }) => {
    const own = places.get(seq);
    return own === undefined ? [] : [{ own, others: others.flatMap((other) => places.get(other) ?? []) }];
  });
  const texts = said.map(({ claims }) => claims);
  const { results } = await threads.compare(comparisons, texts, watcher);
  const late = round
    .map(({ seq, others }) => ({ seq, others: isLate.has(seq) ? others : others.filter((other) => isLate.has(other)) }))
    .filter(({ others }) => others.length > 0);
  return {
    late,
    results: comparisons.map(({ own, others }, index) => {
      const document = said[own] as Said;
      const result = results[index] ?? null;
      if (result === null || 'error' in result) return { own: document.seq, result };
      const found = result.outcome.map((one) => toConflict(document, said[others[one.other] as number] as Said, one));
      return { own: document.seq, result: { conflicts: found } };
    }),
  };
}

interface Said {
  seq: number;
  document_id: string;
  claims: string;
}

/** Which side is a and which is b has nothing to do with which document came first. */
function toConflict(own: Said, other: Said, found: Found): NewConflict {
  const sides = [
    { ...own, side: found.own },
    { ...other, side: found.others },
  ].sort((one, two) => (one.document_id < two.document_id ? -1 : 1));
  const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const identity = [a, b].map(({ document_id, side }) => [document_id, side.sentence, side.group, side.value]);
  return {
    contradiction_id: newContradictionId(),
    pair: createHash('sha256')
      .update(JSON.stringify(['detected', ...identity]))
      .digest('base64'),
    claim_a: a.side.sentence,
    claim_b: b.side.sentence,
    subject: found.subject,
    attribute: found.attribute,
    severity: found.severity,
    reason: found.reason,
    seq_a: a.seq,
    seq_b: b.seq,
    span_a: spanOf(a.side),
    span_b: spanOf(b.side),
    group_a: a.side.group,
    group_b: b.side.group,
    value_a: a.side.value,
    value_b: b.side.value,
  };
}

const spanOf = ({ span }: Side): [number, number] => [span.start, span.end];

/** Contradictions between documents that a newcomer has displaced, unless another key still has them compared. */
async function findDropped(
  { db, lease }: FindingParts,
  readings: NewReading[],
  { parted, leaving }: CandidateChange,
): Promise<string[]> {
  if (parted.length === 0) return [];
  const detected = await listDetectedBetween(db, lease, parted);
  if (detected.length === 0) return [];
  const pairs = detected.map(({ seq_a, seq_b }): Pair => [seq_a, seq_b]);
  const keysOf = new Map(
    (await listReadingKeys(db, lease, [...new Set(pairs.flat())])).map(({ seq, keys }) => [seq, new Set(keys)]),
  );
  const shared = new Set(
    pairs.flatMap(([a, b]) => [...(keysOf.get(a) ?? [])].filter((key) => keysOf.get(b)?.has(key))),
  );
  const wanted = [...shared].map((key) => ({ key, least: -1 }));
  const { postings } = await listPostings(db, lease, wanted, COMPARED_MOST, COMPARED_MOST + leaving.size);
  const arrivals: Keyed[] = readings.map((one) => ({ ...one, keys: one.keys.filter((key) => shared.has(key)) }));
  const still = areCompared(pairs, postings, arrivals, leaving);
  return detected.filter((_, index) => !still[index]).map(({ contradiction_id }) => contradiction_id);
}
