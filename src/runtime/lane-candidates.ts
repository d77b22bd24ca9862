/** Which documents are to be compared because of a turn, and which no longer: in memory, and among those that are filed. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../domain/database.ts';
import {
  areCompared,
  type Batch,
  type Change,
  changeCandidates,
  MAX_COMPARED,
  type Pair,
  type PostingsOf,
} from '../pipeline/candidates.ts';
import { RULES } from '../pipeline/claim.ts';
import { listOlderVersions, type OlderVersion } from '../storage/document-versions.ts';
import type { ClaimedDocument, Lease } from '../storage/lanes.ts';
import {
  listPostings,
  listReadings,
  type NewReading,
  type Place,
  type Postings,
  type Reading as StoredReading,
  type WantedKey,
} from '../storage/readings.ts';
import { inPieces } from './in-pieces.ts';
import type { OpenScope } from './scope-indexes.ts';
import type { Reading } from './thread.ts';

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
  /** The documents are read again, and replace their own readings. */
  isAgain?: boolean | undefined;
}

/** A lane on its way from what was read to what was found. */
export interface Lane extends LaneRead {
  readings: NewReading[];
  older: OlderVersion[];
  /** Readings that give way to those of the batch. */
  leaving: StoredReading[];
  batch: Batch;
  change: Change;
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
  return { seq, document_id, document_hash: hashOf(document_id), rules: RULES, ...reading };
}

/** 52 bits, which a number holds exactly. */
export function hashOf(documentId: string): number {
  return Number(createHash('sha256').update(documentId).digest().readBigUInt64BE() >> 12n);
}

/** Which documents are to be compared because of the turn, and which no longer. */
export async function findCandidates(db: Queryable, read: LaneRead[]): Promise<Lane[]> {
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
    const readings = documents.map(toReading);
    const replaced = lane.isAgain
      ? readings.map(({ seq }) => seq)
      : versions.filter(({ state }) => state === 'processed').map(({ seq }) => seq);
    const leaving = await readingsOf(db, lane, replaced);
    // By the keys of other rules nothing is found that could be compared.
    const batch = { arrivals: readings, leaving: leaving.filter(({ rules }) => rules === RULES) };
    begun.push({ ...lane, readings, older: versions, leaving, batch });
  }
  const filed = await listPostings(db, begun.flatMap(wantedKeys), MAX_COMPARED);
  return inPieces(withChanges(begun, filed));
}

function* withChanges(begun: Omit<Lane, 'change'>[], filed: Map<Place, Postings>): Generator<void, Lane[]> {
  const lanes: Lane[] = [];
  for (const lane of begun) {
    const { lists, full } = filed.get(lane.lease) ?? NOTHING_FILED;
    const arrivals =
      full.size > 0
        ? lane.readings.map((one) => ({ ...one, keys: one.keys.filter((key) => !full.has(key)) }))
        : lane.readings;
    const change = yield* changeCandidates(firstWithKey(lane, lists), { ...lane.batch, arrivals });
    lanes.push({ ...lane, change });
    yield;
  }
  return lanes;
}

const NOTHING_FILED: Postings = { lists: new Map(), full: new Set() };

/** What versions say that were processed. */
async function readingsOf(db: Queryable, { lease, scope }: LaneRead, processed: number[]): Promise<StoredReading[]> {
  const known = processed.flatMap((seq) => scope.index.get(seq) ?? []);
  const filed = processed.filter((seq) => !scope.index.get(seq));
  return [...known, ...(await listReadings(db, lease, filed))];
}

/** What is to be looked up among the keys that are filed. */
function wantedKeys({ lease, scope, batch }: Pick<Lane, 'lease' | 'scope' | 'batch'>): WantedKey[] {
  if (scope.head.keys_filed_up_to < 0) return [];
  const least = new Map<number, number>();
  for (const { document_hash, keys } of batch.arrivals)
    for (const key of keys) least.set(key, Math.min(least.get(key) ?? Infinity, document_hash));
  // What leaves makes room for another, whatever comes.
  for (const { keys } of batch.leaving) for (const key of keys) least.set(key, -1);
  const most = mostOf(batch);
  return [...least].map(([key, lowest]) => ({ place: lease, key, least: lowest, most }));
}

/** So many documents of a key are looked at: what leaves makes room for others. */
const mostOf = ({ leaving }: Batch) => MAX_COMPARED + leaving.length;

/** The first documents of a key in order of hash: of those in memory, and those that are filed. */
function firstWithKey(
  { scope: { index }, batch }: Pick<Lane, 'scope' | 'batch'>,
  lists: Postings['lists'],
): PostingsOf {
  const most = mostOf(batch);
  return (key) => {
    const [known, filed] = [index.withKey(key), lists.get(key)];
    if (!filed) return known;
    if (known.length === 0) return filed;
    // A replica of the release before files keys of readings that are in memory, too.
    const others = filed.filter(({ seq }) => !index.get(seq));
    return [...known.slice(0, most), ...others].sort(
      (one, other) => one.document_hash - other.document_hash || one.seq - other.seq,
    );
  };
}

/** Contradictions between documents that a newcomer has displaced, unless another key still has them compared. */
export async function findDropped(
  db: Queryable,
  lane: Lane,
  detected: { contradiction_id: string; seqs: Pair }[],
): Promise<string[]> {
  if (detected.length === 0) return [];
  const { lease, scope, batch } = lane;
  const pairs = detected.map(({ seqs }) => seqs);
  const seqs = [...new Set(pairs.flat())];
  const filed = await listReadings(
    db,
    lease,
    seqs.filter((seq) => !scope.index.get(seq)),
  );
  const readings = [...seqs.flatMap((seq) => scope.index.get(seq) ?? []), ...filed];
  const shared = await inPieces(sharedKeys(pairs, readings));
  const most = mostOf(batch);
  const wanted = shared.map((key) => ({ place: lease, key, least: -1, most }));
  const filedKeys = scope.head.keys_filed_up_to >= 0 && (await listPostings(db, wanted, MAX_COMPARED)).get(lease);
  const { lists } = filedKeys || NOTHING_FILED;
  const still = await inPieces(areCompared(pairs, shared, firstWithKey(lane, lists), batch));
  return detected.filter((_, index) => !still[index]).map(({ contradiction_id }) => contradiction_id);
}

/** The keys that both of any of these pairs have. */
function* sharedKeys(pairs: Pair[], readings: StoredReading[]): Generator<void, number[]> {
  const keysOf = new Map<number, Set<number>>();
  for (const { seq, keys } of readings) {
    keysOf.set(seq, new Set(keys));
    yield;
  }
  const shared = new Set<number>();
  for (const [a, b] of pairs) {
    const others = keysOf.get(b);
    for (const key of keysOf.get(a) ?? []) if (others?.has(key)) shared.add(key);
    yield;
  }
  return [...shared];
}
