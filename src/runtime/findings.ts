/** What a turn found out: what its documents say, and where that contradicts what others of their scope say. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../domain/database.ts';
import { newContradictionId } from '../domain/ids.ts';
import type { LaneWork } from '../domain/settle/settle.ts';
import {
  areCompared,
  type Batch,
  type Change,
  changeCandidates,
  MAX_COMPARED,
  type Pair,
} from '../pipeline/candidates.ts';
import { listDetectedBetween, type NewConflict } from '../storage/contradictions.ts';
import { listOlderVersions, type OlderVersion } from '../storage/documents.ts';
import type { ClaimedDocument, Lease } from '../storage/lanes.ts';
import {
  listPostings,
  listReadings,
  type NewReading,
  type Posting,
  type Postings,
  type Reading as StoredReading,
  type WantedKey,
} from '../storage/readings.ts';
import { type ClaimCache, Room } from './claim-cache.ts';
import type { OpenScope } from './scope-indexes.ts';
import type { Found, Reading, Side } from './thread.ts';
import type { Threads, Watcher } from './threads.ts';

/** What one round compares, within what the cache hands out at once: memory stays small, whatever is compared. */
const MAX_ROUND = 1000;
/** Held against one document at a time: the time limit of a document is for so many. */
const MAX_OTHERS = 16;

/** A document of the batch that was read. */
export interface ReadDocument {
  document: ClaimedDocument;
  reading: Reading;
}

/** What was read of a lane, and its scope as it is. */
export interface LaneRead {
  lease: Lease;
  scope: OpenScope;
  read: ReadDocument[];
}

export interface FindingParts {
  db: Queryable;
  threads: Pick<Threads, 'compare'>;
  cache: ClaimCache;
  watcher: Watcher;
}

/** `troubled` are documents that could not be compared, with the reason; null for those that are to be taken again. */
export interface Findings extends Pick<LaneWork, 'readings' | 'conflicts' | 'dropped' | 'older' | 'leaving'> {
  troubled: Map<number, string | null>;
}

/** A lane on its way from what was read to what was found. */
interface Lane extends LaneRead {
  readings: NewReading[];
  older: OlderVersion[];
  batch: Batch & { leaving: StoredReading[] };
  postingsOf: (key: number) => readonly Posting[];
  change: Change;
}

/**
 * What was found in each lane, in order. Where a document could not be compared, the others are looked at once more without
 * it: it may have displaced some of them, and is not there in the end.
 */
export async function findOut(parts: FindingParts, read: LaneRead[]): Promise<Findings[]> {
  const all = await findAll(parts, read);
  for (const [n, { troubled }] of all.entries()) {
    const lane = read[n] as LaneRead;
    const left = lane.read.filter(({ document }) => !troubled.has(document.seq));
    if (troubled.size === 0) continue;
    const [again] = (await findAll(parts, [{ ...lane, read: left }])) as [Findings];
    all[n] = { ...again, troubled };
    if (again.troubled.size === 0) continue;
    // They were compared before: whatever it is this time, they are taken again.
    for (const { document } of left) troubled.set(document.seq, null);
    all[n] = { ...again, troubled, conflicts: [], dropped: [] };
  }
  return all;
}

async function findAll(parts: FindingParts, read: LaneRead[]): Promise<Findings[]> {
  const lanes = await findCandidates(parts, read);
  const compared = await compareAll(parts, lanes);
  const parted = lanes.flatMap(({ lease, change }) => change.parted.map((seqs) => ({ place: lease, seqs })));
  const detected = Map.groupBy(await listDetectedBetween(parts.db, parted), ({ place }) => place);
  const all: Findings[] = [];
  for (const [n, lane] of lanes.entries()) {
    const { conflicts, troubled } = compared[n] as Compared;
    const dropped = await findDropped(parts, lane, detected.get(lane.lease) ?? []);
    // Nor is an older version of such a document done, though it was read: it would be the one that counts.
    const counted = new Map(lane.readings.map(({ document_id, seq }) => [document_id, seq]));
    for (const { document } of lane.read) {
      const seq = counted.get(document.document_id);
      if (seq !== undefined && troubled.has(seq) && !troubled.has(document.seq)) troubled.set(document.seq, null);
    }
    all.push({
      ...{ readings: lane.readings, dropped, older: lane.older, leaving: lane.batch.leaving, troubled },
      conflicts: [...conflicts.values()],
    });
  }
  return all;
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

/** Which documents are to be compared because of the turn, and which no longer. */
async function findCandidates({ db }: FindingParts, read: LaneRead[]): Promise<Lane[]> {
  const newest = read.map((lane) => ({ lane, documents: newestVersions(lane.read) }));
  const again = newest.flatMap(({ lane: { lease }, documents }) =>
    documents
      .filter(({ document }) => document.version > 1)
      .map(({ document: { document_id, version } }) => ({ ...lease, document_id, version })),
  );
  const older = Map.groupBy(
    (await listOlderVersions(db, again)).flatMap((versions, n) => versions.map((one) => ({ ...one, of: again[n] }))),
    ({ of }) => of?.scope_key,
  );
  const begun = [];
  for (const { lane, documents } of newest) {
    const versions = older.get(lane.lease.scope_key)?.map(({ of: _of, ...version }) => version) ?? [];
    const batch = { arrivals: documents.map(toReading), leaving: await readingsOf(db, lane, versions) };
    begun.push({ ...lane, readings: batch.arrivals, older: versions, batch });
  }
  const filed = await listPostings(db, begun.flatMap(wantedKeys), MAX_COMPARED);
  return begun.map((lane): Lane => {
    const { lists, full }: Postings = filed.get(lane.lease) ?? { lists: new Map(), full: new Set() };
    const arrivals =
      full.size > 0
        ? lane.readings.map((one) => ({ ...one, keys: one.keys.filter((key) => !full.has(key)) }))
        : lane.readings;
    const postingsOf = (key: number) => merged(lane.scope.index.withKey(key), lists.get(key));
    return { ...lane, postingsOf, change: changeCandidates(postingsOf, { ...lane.batch, arrivals }) };
  });
}

/** What versions say that were processed. */
async function readingsOf(db: Queryable, { lease, scope }: LaneRead, older: OlderVersion[]): Promise<StoredReading[]> {
  const processed = older.filter(({ state }) => state === 'processed').map(({ seq }) => seq);
  const known = processed.flatMap((seq) => scope.index.get(seq) ?? []);
  const filed = processed.filter((seq) => !scope.index.get(seq));
  return [...known, ...(await listReadings(db, lease, filed))];
}

/** What is to be looked up among the filed readings. */
function wantedKeys({ lease, scope, batch }: Pick<Lane, 'lease' | 'scope' | 'batch'>): WantedKey[] {
  if (scope.head.filed_up_to < 0) return [];
  const least = new Map<number, number>();
  for (const { document_hash, keys } of batch.arrivals)
    for (const key of keys) least.set(key, Math.min(least.get(key) ?? Infinity, document_hash));
  // What leaves makes room for another, whatever comes.
  for (const { keys } of batch.leaving) for (const key of keys) least.set(key, -1);
  const most = MAX_COMPARED + batch.leaving.length;
  return [...least].map(([key, lowest]) => ({ place: lease, key, least: lowest, most }));
}

/** Two lists in order of hash, as one. */
function merged(unfiled: readonly Posting[], filed: Posting[] | undefined): readonly Posting[] {
  if (!filed) return unfiled;
  if (unfiled.length === 0) return filed;
  return [...unfiled, ...filed].sort((one, other) => one.document_hash - other.document_hash || one.seq - other.seq);
}

/** A document, and some that it is to be compared with. */
interface Partners {
  lane: Lane;
  seq: number;
  others: number[];
}

/** Each new document with those it is to be compared with; a pair of two new ones, or of two old ones, once. */
function partnersOf(lane: Lane): Partners[] {
  const isNew = new Set(lane.readings.map(({ seq }) => seq));
  const pairs = lane.change.joined.map(([a, b]) => (isNew.has(b) ? [b, a] : [a, b]) as Pair);
  return [...Map.groupBy(pairs, ([own]) => own)].flatMap(([seq, own]) => {
    const others = own.map(([, other]) => other);
    const parts = Math.ceil(others.length / MAX_OTHERS);
    return Array.from({ length: parts }, (_, n) => ({
      lane,
      seq,
      others: others.slice(n * MAX_OTHERS, (n + 1) * MAX_OTHERS),
    }));
  });
}

interface Compared {
  conflicts: Map<string, NewConflict>;
  troubled: Map<number, string | null>;
}

/** In rounds, each with as many claims as fit into memory. */
async function compareAll(parts: FindingParts, lanes: Lane[]): Promise<Compared[]> {
  const compared = new Map(
    lanes.map((lane): [Lane, Compared] => [lane, { conflicts: new Map(), troubled: new Map() }]),
  );
  let todo = lanes.flatMap(partnersOf);
  while (todo.length > 0) {
    let room = MAX_ROUND;
    const round = todo.filter(({ others }, n) => {
      room -= others.length;
      return n === 0 || room >= 0;
    });
    const { results, late } = await compareRound(parts, round);
    for (const { lane, own, result } of results) {
      const { conflicts, troubled } = compared.get(lane) as Compared;
      if (result === null) troubled.set(own, null);
      else if ('error' in result) troubled.set(own, result.error);
      else for (const conflict of result.conflicts) conflicts.set(conflict.pair, conflict);
    }
    const inRound = new Set(round);
    todo = [...late, ...todo.filter((one) => !inRound.has(one))];
  }
  return [...compared.values()];
}

async function compareRound({ db, threads, cache, watcher }: FindingParts, round: Partners[]) {
  const texts: string[] = [];
  const said: Said[] = [];
  const late: Partners[] = [];
  const comparisons: { lane: Lane; own: number; others: number[] }[] = [];
  const room = new Room();
  for (const [lane, partners] of Map.groupBy(round, ({ lane }) => lane)) {
    const wanted = new Set(partners.flatMap(({ seq, others }) => [seq, ...others]));
    const fresh: Said[] = lane.readings.filter(({ seq }) => wanted.delete(seq));
    const listed = wanted.size > 0 ? await cache.list(db, lane.lease, [...wanted], room) : [];
    const places = new Map<number, number>();
    for (const one of [...fresh, ...listed].filter((one): one is Said => one.claims !== null)) {
      places.set(one.seq, said.length);
      said.push(one);
      texts.push(one.claims);
    }
    const isLate = new Set(listed.flatMap(({ seq, claims }) => (claims === null ? [seq] : [])));
    for (const { seq, others } of partners) {
      const own = places.get(seq);
      // What was deleted meanwhile has nothing more to say.
      if (own !== undefined)
        comparisons.push({ lane, own, others: others.flatMap((other) => places.get(other) ?? []) });
      const left = isLate.has(seq) ? others : others.filter((other) => isLate.has(other));
      if (left.length > 0) late.push({ lane, seq, others: left });
    }
  }
  const items = comparisons.map(({ own, others }) => ({ own, others }));
  const [first] = round;
  const { results } = first
    ? await threads.compare(first.lane.lease.tenant_id, items, texts, watcher)
    : { results: [] };
  return {
    late,
    results: comparisons.map(({ lane, own, others }, index) => {
      const document = said[own] as Said;
      const result = results[index] ?? null;
      if (result === null || 'error' in result) return { lane, own: document.seq, result };
      const found = result.outcome.map((one) => toConflict(document, said[others[one.other] as number] as Said, one));
      return { lane, own: document.seq, result: { conflicts: found } };
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
    document_a: a.document_id,
    document_b: b.document_id,
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
  { db }: FindingParts,
  { lease, scope, batch }: Lane,
  detected: { contradiction_id: string; seqs: Pair }[],
): Promise<string[]> {
  if (detected.length === 0) return [];
  const pairs = detected.map(({ seqs }) => seqs);
  const seqs = [...new Set(pairs.flat())];
  const filed = await listReadings(
    db,
    lease,
    seqs.filter((seq) => !scope.index.get(seq)),
  );
  const readings = [...seqs.flatMap((seq) => scope.index.get(seq) ?? []), ...filed];
  const keysOf = new Map(readings.map(({ seq, keys }) => [seq, new Set(keys)]));
  const shared = new Set(
    pairs.flatMap(([a, b]) => [...(keysOf.get(a) ?? [])].filter((key) => keysOf.get(b)?.has(key))),
  );
  const most = MAX_COMPARED + batch.leaving.length;
  const wanted = [...shared].map((key) => ({ place: lease, key, least: -1, most }));
  const { lists } = (scope.head.filed_up_to >= 0 && (await listPostings(db, wanted, MAX_COMPARED)).get(lease)) || {
    lists: new Map<number, Posting[]>(),
  };
  const postingsOf = (key: number) => merged(scope.index.withKey(key), lists.get(key));
  const still = areCompared(pairs, shared, postingsOf, batch);
  return detected.filter((_, index) => !still[index]).map(({ contradiction_id }) => contradiction_id);
}
