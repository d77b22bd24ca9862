/** Decides what a settle writes of a lane: what became of its documents, what that changes in its scope, and what is told of it. Pure. */
import type { NewEvent } from '../../events/log.ts';
import type { CounterSteps, EndState, LaneWrites, Result, SettledDocument } from '../../storage/batches.ts';
import type { ConvergenceCounts } from '../../storage/convergence.ts';
import type { OlderVersion } from '../../storage/document-versions.ts';
import type { StoredState } from '../../storage/documents.ts';
import type { NewReading, Reading } from '../../storage/readings.ts';
import { type Convergence, turningPoint } from '../convergence.ts';
import { bucketOf } from '../histogram.ts';
import { traceIn } from '../trace.ts';
import type { ContradictionsPlan } from './contradictions.ts';
import { withWords } from './group-words.ts';
import { type GroupsBefore, type GroupsPlan, planGroups } from './groups.ts';

/** A document of a lane that is in work. */
export interface ClaimedState {
  seq: number;
  document_id: string;
  version: number;
  state: StoredState;
  /** From when it was queued until it was claimed. */
  waited_ms: number;
  /** Of the request that brought it. */
  traceparent?: string | null;
  /** How many claims its reading has, where it is read again. */
  claims?: number | null;
  /** Of that reading. */
  warnings?: string[] | null;
}

/** What becomes of the documents of a lane. */
export interface Ends {
  ends: End[];
  /** Superseded by them. */
  older: OlderVersion[];
}

export interface End {
  document: ClaimedState;
  result: Result;
  state: EndState;
}

export interface PlanInput extends Ends {
  scope: { tenant_id: string; scope_id: string };
  counts: ConvergenceCounts;
  /** Of those that are processed. */
  readings: NewReading[];
  /** What the older ones say, as far as they were processed. */
  leaving: Reading[];
  contradictions: ContradictionsPlan;
  groups: GroupsBefore;
  /** From when the documents were claimed until now. */
  worked_ms: number;
  convergence: Pick<Convergence, 'next'>;
  /** The documents were read again: they are what they were. */
  isAgain?: boolean;
}

export interface LanePlan extends Pick<LaneWrites, 'documents' | 'groups' | 'counters' | 'point' | 'metrics'> {
  events: NewEvent[];
}

/** Below the newest version that is processed everything is superseded, whatever it was. `older` are versions that may be. */
export function decideEnds(claimed: ClaimedState[], results: Result[], older: OlderVersion[]): Ends {
  const documents = new Map(claimed.map((document) => [document.seq, document]));
  const done = results.flatMap((result) => {
    const document = documents.get(result.seq);
    return document ? [{ document, result }] : [];
  });
  const newest = new Map<string, number>();
  for (const { document, result } of done)
    if (result.error === null)
      newest.set(document.document_id, Math.max(document.version, newest.get(document.document_id) ?? 0));
  const isBelow = ({ document_id, version }: { document_id: string; version: number }) =>
    version < (newest.get(document_id) ?? 0);
  const settled = new Set(done.map(({ result }) => result.seq));
  return {
    ends: done.map(({ document, result }) => ({ document, result, state: stateOf(result, isBelow(document)) })),
    older: older.filter((version) => !settled.has(version.seq) && isBelow(version)),
  };
}

function stateOf({ error, retry_ms }: Result, isSuperseded: boolean): EndState {
  if (isSuperseded) return 'superseded';
  if (error === null) return 'processed';
  return retry_ms === null ? 'failed' : 'retrying';
}

export function planLane(input: PlanInput): LanePlan {
  const { ends, older, readings, leaving, contradictions, counts, isAgain = false } = input;
  const groups = planGroups(input.groups, {
    added: readings,
    removed: leaving,
    disputes: contradictions.disputes,
    point: counts.point,
  });
  const counters: CounterSteps = {
    ...statesOf(ends, older),
    claims:
      readings.reduce((sum, { count }) => sum + count, 0) -
      [...older, ...(isAgain ? ends.map(({ document }) => document) : [])].reduce(
        (sum, { claims }) => sum + (claims ?? 0),
        0,
      ),
    ...countersOf(groups, contradictions),
  };
  const events = [...(isAgain ? [] : documentEvents(input)), ...contradictionEvents(input.scope, contradictions)];
  // A batch that is handed back with nothing done is none, and makes no point. While a scope is read again its groups are of two
  // versions, which says nothing of how far it agrees: the point comes when all of it was.
  const point =
    ends.length > 0 && !isAgain ? input.convergence.next(countsAfter(counts, counters, groups.changed)) : null;
  if (point) events.push(...turningPoint(input.scope, counts.status, point));
  return {
    documents: documentsOf(ends, readings),
    groups: withWords(groups, readings),
    counters,
    point,
    metrics: isAgain ? null : metricsOf(input),
    events,
  };
}

/** What a change of readings and contradictions adds to the counters of a scope. */
export function countersOf(groups: GroupsPlan, contradictions: ContradictionsPlan) {
  return {
    groups: groups.groups,
    groups_shared: groups.shared,
    groups_disputed: groups.disputed,
    contradictions_open: contradictions.open,
    contradictions_resolved: contradictions.resolved,
    contradictions_deferred: contradictions.deferred,
    contradictions_left_out: contradictions.left_out,
    contradictions_critical: contradictions.critical,
  };
}

function documentsOf(ends: End[], readings: NewReading[]): SettledDocument[] {
  const bySeq = new Map(readings.map((reading) => [reading.seq, reading]));
  return ends.map(({ result, state }) => ({
    ...result,
    state,
    error: state === 'superseded' ? null : result.error,
    retry_ms: state === 'retrying' ? result.retry_ms : null,
    claims: bySeq.get(result.seq)?.count ?? null,
    warnings: bySeq.get(result.seq)?.warnings ?? null,
  }));
}

function statesOf(ends: End[], older: OlderVersion[]) {
  const steps = { registered: 0, pending: 0, queued: 0, retrying: 0, processed: 0, failed: 0, superseded: 0 };
  for (const { document, state } of ends) {
    steps[document.state]--;
    steps[state]++;
  }
  for (const { state } of older) {
    steps[state]--;
    steps.superseded++;
  }
  return steps;
}

/** The counts after the batch. */
function countsAfter(counts: ConvergenceCounts, counters: CounterSteps, changed: number): ConvergenceCounts {
  const { pending, queued, retrying, processed, failed } = counters;
  return {
    ...counts,
    groups: counts.groups + counters.groups,
    shared: counts.shared + counters.groups_shared,
    disputed: counts.disputed + counters.groups_disputed,
    changed: counts.changed + changed,
    processed: counts.processed + processed,
    expected: counts.expected + pending + queued + retrying + processed + failed,
    critical: counts.critical + counters.contradictions_critical,
  };
}

function documentEvents({ scope, ends, older }: PlanInput): NewEvent[] {
  const told = ends.filter(({ state }) => state !== 'retrying');
  return [
    ...told.map(({ document: { document_id, version, traceparent }, result: { seq, error }, state }) => ({
      type: `document.${state as Exclude<EndState, 'retrying'>}` as const,
      payload: { document_id, version, seq, ...(state === 'failed' ? { error } : {}), ...traceIn(traceparent) },
    })),
    ...older.map(({ document_id, version, seq }) => ({
      type: 'document.superseded' as const,
      payload: { document_id, version, seq },
    })),
  ]
    .sort((one, other) => one.payload.seq - other.payload.seq)
    .map((event): NewEvent => ({ ...event, ...scope }) as NewEvent);
}

export function contradictionEvents({ tenant_id, scope_id }: PlanInput['scope'], plan: ContradictionsPlan): NewEvent[] {
  const scope = { tenant_id, scope_id };
  const told = (type: 'contradiction.detected' | 'contradiction.retracted', of: ContradictionsPlan['detected']) =>
    of.map(({ id, severity, documents }): NewEvent => {
      return { type, ...scope, payload: { contradiction_id: id, severity, document_ids: documents } };
    });
  return [
    ...told('contradiction.detected', plan.detected),
    ...plan.reopened.map(
      ({ id, evidence }): NewEvent => ({
        type: 'contradiction.reopened',
        ...scope,
        payload: { contradiction_id: id, evidence },
      }),
    ),
    ...told('contradiction.retracted', plan.retracted),
  ];
}

/** Of those that are done, for better or worse. */
function metricsOf({ worked_ms, ends }: PlanInput): LanePlan['metrics'] {
  if (ends.length === 0) return null;
  const done = ends.filter(({ state }) => state === 'processed' || state === 'failed').map(({ document }) => document);
  const counted = (wanted: EndState) => ends.filter(({ state }) => state === wanted).length;
  return {
    succeeded: counted('processed'),
    broken: counted('failed'),
    retried: counted('retrying'),
    waited: done.map(({ waited_ms }) => bucketOf(waited_ms)),
    worked: done.map(() => bucketOf(worked_ms)),
    took: done.map(({ waited_ms }) => bucketOf(waited_ms + worked_ms)),
  };
}
