/** What came of the documents of a turn, as it is settled: written all at once, and only under the leases of their lanes. */

import type { NewPoint } from './convergence.ts';
import type { Queryable } from './database.ts';
import type { AddedConflict, NewConflict, StoredStatus } from './detected.ts';
import type { StoredState } from './documents.ts';
import type { NewGroup } from './groups.ts';
import type { Lease } from './lanes.ts';
import type { NewReading, Place } from './readings.ts';

export interface Result {
  seq: number;
  /** Whether this was an attempt at it. */
  tried: boolean;
  /** Null when it was processed. */
  error: string | null;
  /** When to try again; null for never. */
  retry_ms: number | null;
}

export type EndState = 'processed' | 'failed' | 'retrying' | 'superseded';

export interface SettledDocument extends Result {
  state: EndState;
  claims: number | null;
  warnings: string[] | null;
  /** It was read again: when it was processed stays as it was. */
  again?: boolean;
}

/** What is added to the counters of a scope. */
export interface CounterSteps extends Record<StoredState, number> {
  claims: number;
  groups: number;
  groups_shared: number;
  groups_disputed: number;
  contradictions_open: number;
  contradictions_resolved: number;
  contradictions_deferred: number;
  contradictions_left_out: number;
  contradictions_critical: number;
}

export interface WrittenContradictions {
  added: AddedConflict[];
  /** Found again by a new version of a document: the same contradiction, decided as it was. */
  moved: { id: string; conflict: NewConflict }[];
  placed: { id: string; places: number; status: StoredStatus }[];
  /** Found again by newer rules, decided as they were. */
  restated: { id: string; conflict: NewConflict; precedence: number }[];
  /** Of a new version of a document now, and not yet judged by newer rules. */
  carried: { id: string; seq_a: number; seq_b: number }[];
  /** Decided, and not found by newer rules. */
  outdated: string[];
  reopened: string[];
  gone: string[];
}

/** What is written of a scope when its readings change. */
export interface ScopeWrites {
  place: Place;
  contradictions: WrittenContradictions;
  groups: NewGroup[];
  counters: CounterSteps;
  /** The readings that go. */
  forget: number[];
}

export interface LaneWrites extends ScopeWrites {
  /** Of the scope that it was planned from; null when nothing was done. */
  revision: number | null;
  documents: SettledDocument[];
  /** Superseded by them. */
  older: number[];
  readings: NewReading[];
  /** From where reading again by newer rules goes on; null where it came no further, or is not what was done. */
  reread_from: number | null;
  /** The readings to be filed, and up to where all are then. */
  file: number[];
  filed_up_to: number;
  /** The same of their keys. */
  file_keys: number[];
  keys_filed_up_to: number;
  point: NewPoint | null;
  /** Places in histograms, for each document that is done. */
  metrics: {
    succeeded: number;
    broken: number;
    retried: number;
    waited: number[];
    worked: number[];
    took: number[];
  } | null;
  events: object[];
}

/** By scope_key. What is in none of these has lost its lease. */
export interface SettledLanes {
  settled: Set<string>;
  /** Their scopes have moved on since they were planned: nothing of them is written, and they are still leased. */
  moved: Set<string>;
  locked: Set<string>;
}

/** Ends the leases of a turn whose plans hold. */
export async function updateLanesSettled(
  db: Queryable,
  { holder, epoch }: Pick<Lease, 'holder' | 'epoch'>,
  lanes: LaneWrites[],
  patienceMs: number,
): Promise<SettledLanes> {
  const { rows } = await db.query<{ done: Record<keyof SettledLanes, string[]> }>(
    `select settle_lanes($1, $2, $3::json, $4::json, $5::json, $6::json, $7::json, $8::json, $9::json, $10) as done`,
    [
      holder,
      epoch,
      JSON.stringify(lanes.map(toPlan)),
      rowsOf(lanes, ({ documents }) => documents) ?? '[]',
      rowsOf(lanes, ({ older }) => older.map((seq) => ({ seq }))),
      rowsOf(lanes, ({ readings, revision }) => readings.map((one) => toReadingRow(one, (revision ?? 0) + 1))),
      contradictionsOf(lanes),
      rowsOf(lanes, ({ groups }) => groups),
      rowsOf(lanes, ({ events }) => events),
      patienceMs,
    ],
  );
  const { settled, moved, locked } = (rows[0] as (typeof rows)[number]).done;
  return { settled: new Set(settled), moved: new Set(moved), locked: new Set(locked) };
}

/** Writes what a deletion changes, in a scope that the transaction has locked. */
export async function updateScopeForgotten(tx: Queryable, writes: ScopeWrites): Promise<void> {
  const { place, counters, forget } = writes;
  const plans = JSON.stringify([
    { lane: place.scope_key, revision: 0, filed_up_to: -1, forget: listOrNull(forget), ...counters },
  ]);
  const held = [place.scope_key];
  if (forget.length > 0)
    await tx.query('select forget_readings_of($1, $2, $3)', [place.scope_key, place.generation, forget]);
  const contradictions = contradictionsOf([writes]);
  if (contradictions) await tx.query('select write_contradictions($1, $2::json)', [held, contradictions]);
  const groups = rowsOf([writes], (one) => one.groups);
  if (groups) await tx.query('select write_groups($1, $2::json)', [held, groups]);
  await tx.query('select write_scopes($1, $2::json)', [held, plans]);
}

function toPlan({ place, documents, point, metrics, forget, file, file_keys, ...lane }: LaneWrites) {
  const { status, ...measured } = point ?? { status: null };
  return {
    lane: place.scope_key,
    generation: place.generation,
    revision: lane.revision,
    rules: lane.readings.length > 0 ? Math.min(...lane.readings.map(({ rules }) => rules)) : null,
    reread_from: lane.reread_from,
    filed_up_to: lane.filed_up_to,
    keys_filed_up_to: lane.keys_filed_up_to,
    forget: listOrNull(forget),
    file: listOrNull(file),
    file_keys: listOrNull(file_keys),
    ...lane.counters,
    status,
    point: point && measured,
    ...metrics,
    done: documents.length,
  };
}

function toReadingRow(
  { count: _count, warnings: _warnings, labels: _labels, pieces, ...reading }: NewReading,
  revision: number,
) {
  return { ...reading, pieces: pieces?.text, piece_ends: pieces?.ends, revision };
}

function contradictionsOf(lanes: ScopeWrites[]): string | null {
  const of = (list: (contradictions: WrittenContradictions) => object[]) =>
    lanes.flatMap(({ place, contradictions }) => list(contradictions).map((one) => ({ ...laneOf(place), ...one })));
  const all = {
    added: of(({ added }) => added.map((one, nth) => ({ nth, ...one }))),
    moved: of(({ moved, restated, carried }) => [
      ...moved.map(({ id, conflict: { seq_a, seq_b, span_a, span_b } }) => ({ id, seq_a, seq_b, span_a, span_b })),
      ...restated.map(({ id, conflict, precedence }) => ({ ...conflict, id, precedence })),
      ...carried,
    ]),
    outdated: of(({ outdated }) => outdated.map((id) => ({ id }))),
    placed: of(({ placed }) => placed),
    reopened: of(({ reopened }) => reopened.map((id) => ({ id }))),
    gone: of(({ gone }) => gone.map((id) => ({ id }))),
  };
  return Object.values(all).some(({ length }) => length > 0) ? JSON.stringify(all) : null;
}

/** With the lane that each belongs to; null when there are none. */
function rowsOf<Lane extends ScopeWrites>(lanes: Lane[], list: (lane: Lane) => object[]): string | null {
  const rows = lanes.flatMap((lane) => list(lane).map((row) => ({ ...laneOf(lane.place), ...row })));
  return rows.length > 0 ? JSON.stringify(rows) : null;
}

const listOrNull = (seqs: number[]) => (seqs.length > 0 ? seqs : null);
const laneOf = ({ scope_key, generation }: Place) => ({ lane: scope_key, generation });
