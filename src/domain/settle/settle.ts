/** Ends a turn: decides what becomes of each of its lanes, and writes all of them at once. */
import { type LaneWrites, type Result, type SettledDocument, updateLanesSettled } from '../../storage/batches.ts';
import { listStanding } from '../../storage/convergence.ts';
import type { Queryable } from '../../storage/database.ts';
import type { NewConflict } from '../../storage/detected.ts';
import type { OlderVersion } from '../../storage/document-versions.ts';
import type { Lease } from '../../storage/lanes.ts';
import type { NewReading, Reading, ScopeHead } from '../../storage/readings.ts';
import type { Convergence } from '../convergence.ts';
import { decideAgain } from './again.ts';
import type { Replaced } from './carry-over.ts';
import type { ContradictionsPlan } from './contradictions.ts';
import { type FiledUpTo, FilingRoom, planFiling } from './filing.ts';
import { listGroupsBefore, type TouchedGroups } from './groups-before.ts';
import { type ClaimedState, decideEnds, type Ends, planLane } from './plan.ts';
import { type FoundAndLost, planContradictions, writesOf } from './plan-contradictions.ts';
import type { ScopeIndex } from './scope-index.ts';

/** What a turn has found out of a lane. */
export interface LaneWork {
  lease: Lease;
  head: ScopeHead;
  index: ScopeIndex;
  claimed: ClaimedState[];
  results: Result[];
  readings: NewReading[];
  conflicts: NewConflict[];
  /** Contradictions whose documents are no longer compared. */
  dropped: string[];
  /** Versions below those that were read, and what they say as far as they were processed. */
  older: OlderVersion[];
  leaving: Reading[];
  /** From when the documents were claimed until now. */
  worked_ms: number;
  /** The documents are read again, by newer rules. */
  isAgain?: boolean;
}

export interface Settled {
  documents: number;
  processed: number;
  failed: number;
  retried: number;
  superseded: number;
}

/** A document whose last attempt failed. */
export interface FailedDocument {
  document_id: string;
  version: number;
  seq: number;
  error: string;
}

export interface SettledLane extends Settled {
  failures: FailedDocument[];
}

/**
 * What became of a lane. Nothing is written of one whose lease is lost, whose scope somebody else has locked, or has changed
 * since it was looked at; nor of one that is read again, of which nothing was tried.
 */
export type Outcome = SettledLane | 'lost' | 'locked' | 'moved' | 'untried';

export interface SettleOptions {
  convergence: Pick<Convergence, 'next'>;
  /** Of the readings of one scope that may stay in memory. */
  unfiledKeys: number;
  /** Over all lanes, for scopes that somebody else has locked. */
  patienceMs: number;
}

/** The outcome of each lane, in order. All of them are of one turn. */
export async function settleLanes(
  db: Queryable,
  turn: Pick<Lease, 'holder' | 'epoch'>,
  works: LaneWork[],
  { convergence, unfiledKeys, patienceMs }: SettleOptions,
): Promise<Outcome[]> {
  const decided = works.map(decide);
  const contradicting = await planContradictions(db, decided.map(foundAndLost));
  const touched = decided.map((lane, n) => withContradictions(lane, contradicting[n] as ContradictionsPlan));
  const groups = await listGroupsBefore(db, touched);
  // Accepting and reports do not move the revision on; what is still expected has to be up to date all the same.
  const standing = await listStanding(
    db,
    works.map(({ lease }) => lease.scope_key),
  );
  const room = new FilingRoom(touched.flatMap(({ readings }) => readings));
  const planned = touched.map((lane, n) => {
    const { work, ends, older, readings, leaving, contradictions, passed, reread_from } = lane;
    const { lease, head, index, isAgain = false } = work;
    const isDone = ends.length + passed.length > 0;
    const plan = planLane({
      ...{ ends, older, readings, leaving, contradictions, convergence, isAgain },
      scope: { tenant_id: lease.tenant_id, scope_id: lease.scope_id },
      counts: { ...head.counts, ...standing.get(lease.scope_key) },
      groups: groups[n] as (typeof groups)[number],
      worked_ms: work.worked_ms,
    });
    const writes: LaneWrites = {
      ...plan,
      place: lease,
      documents: [...plan.documents, ...passed].map((one) => (isAgain ? { ...one, again: true } : one)),
      revision: isDone ? head.revision : null,
      reread_from,
      older: older.map(({ seq }) => seq),
      readings,
      forget: leaving.map(({ seq }) => seq),
      ...(isDone
        ? planFiling(index, head, { added: readings, leaving }, unfiledKeys, room)
        : { ...filedUpTo(head), file: [], file_keys: [] }),
      contradictions: writesOf(contradictions),
    };
    return { lane, writes };
  });
  const done = await updateLanesSettled(
    db,
    turn,
    planned.map(({ writes }) => writes),
    patienceMs,
  );
  return planned.map(({ lane, writes }): Outcome => {
    const { scope_key } = writes.place;
    if (done.moved.has(scope_key)) return 'moved';
    if (done.locked.has(scope_key)) return 'locked';
    if (!done.settled.has(scope_key)) return 'lost';
    keepUp(lane.work.index, writes);
    return countOf(lane);
  });
}

const filedUpTo = ({ filed_up_to, keys_filed_up_to }: FiledUpTo): FiledUpTo => ({ filed_up_to, keys_filed_up_to });

/** Only after the commit: what was not written is not there. */
function keepUp(index: ScopeIndex, { revision, forget, readings, ...filed }: LaneWrites): void {
  if (revision === null) return;
  index.remove(forget);
  for (const { seq, document_id, document_hash, keys, groups, values, rules, sketch } of readings)
    index.add({ seq, document_id, document_hash, keys, groups, values, rules, sketch });
  index.fileUpTo(filed);
  index.revision = revision + 1;
}

interface Decided extends Ends {
  work: LaneWork;
  readings: NewReading[];
  leaving: Reading[];
  conflicts: NewConflict[];
  dropped: string[];
  /** Of documents that were read again. */
  passed: SettledDocument[];
  reread_from: number | null;
}

function decide(work: LaneWork): Decided {
  const { claimed, results, isAgain } = work;
  const { ends, passed, reread_from, older } = isAgain
    ? { ...decideAgain(claimed, results), older: [] }
    : { ...decideEnds(claimed, results, work.older), passed: [], reread_from: null };
  const processed = new Set(ends.flatMap(({ result, state }) => (state === 'processed' ? [result.seq] : [])));
  const isOlder = new Set(older.map(({ seq }) => seq));
  const isClaimed = new Set(claimed.map(({ seq }) => seq));
  const isThere = (seq: number) => processed.has(seq) || (!isClaimed.has(seq) && !isOlder.has(seq));
  return {
    ...{ work, ends, older, passed, reread_from },
    readings: work.readings.filter(({ seq }) => processed.has(seq)),
    leaving: work.leaving.filter(({ seq }) => (isAgain ? processed : isOlder).has(seq)),
    // Where nothing is done, nothing is written that would have to be counted.
    conflicts: ends.length > 0 ? work.conflicts.filter(({ seq_a, seq_b }) => isThere(seq_a) && isThere(seq_b)) : [],
    dropped: ends.length > 0 ? work.dropped : [],
  };
}

const foundAndLost = (lane: Decided): FoundAndLost => ({
  ...{ place: lane.work.lease, conflicts: lane.conflicts, dropped: lane.dropped },
  ...{ leaving: lane.leaving.map(({ seq }) => seq), replaced: replacedBy(lane) },
});

interface Touching extends Decided, TouchedGroups {
  contradictions: ContradictionsPlan;
}

function withContradictions(lane: Decided, contradictions: ContradictionsPlan): Touching {
  const { lease, head, index } = lane.work;
  return {
    ...lane,
    contradictions,
    ...{ place: lease, index, filed_up_to: head.filed_up_to, added: lane.readings, removed: lane.leaving },
    disputes: contradictions.disputes,
  };
}

/** Which readings give way to which: those of documents that are read again, and of versions that are superseded. */
function replacedBy({ work: { isAgain = false }, readings, leaving }: Decided): Replaced | null {
  const [first] = readings;
  if (!first || leaving.length === 0) return null;
  const seqOf = new Map(readings.map(({ document_id, seq }) => [document_id, seq]));
  const seqs = leaving.flatMap(({ document_id, seq }) => {
    const by = seqOf.get(document_id);
    return by === undefined ? [] : [[seq, by] as const];
  });
  return { rules: first.rules, seqs: new Map(seqs), isAgain };
}

function countOf({ work, ends, older }: Decided): SettledLane {
  // Nothing has become of documents that were read again.
  if (work.isAgain) return { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0, failures: [] };
  const counted = (wanted: string) => ends.filter(({ state }) => state === wanted).length;
  return {
    documents: ends.length,
    processed: counted('processed'),
    failed: counted('failed'),
    retried: counted('retrying'),
    superseded: counted('superseded') + older.length,
    failures: ends.flatMap(({ document: { document_id, version, seq }, result: { error }, state }) =>
      state === 'failed' ? [{ document_id, version, seq, error: error ?? '' }] : [],
    ),
  };
}
