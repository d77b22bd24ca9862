/** What becomes of documents and contradictions, and what is told of it. */
import { describe, expect, it } from 'vitest';
import { ContradictionsChange } from '../../../src/domain/settle/contradictions.ts';
import { decideEnds, planLane } from '../../../src/domain/settle/plan.ts';
import type { DetectedContradiction, NewConflict } from '../../../src/storage/detected.ts';
import { convergence } from '../../support/convergence.ts';

const claimed = (seq: number, document_id = `d${seq}`, version = 1) => ({
  ...{ seq, document_id, version },
  ...{ state: 'queued' as const, waited_ms: 10 },
});
const done = (seq: number) => ({ seq, tried: true, error: null, retry_ms: null });
const failed = (seq: number, retry_ms: number | null) => ({ seq, tried: true, error: 'It broke.', retry_ms });
const older = (seq: number, document_id: string, version: number) => ({
  ...{ seq, document_id, version },
  ...{ state: 'processed' as const, claims: 2 },
});
const statesOf = ({ ends }: ReturnType<typeof decideEnds>) => ends.map(({ state }) => state);

describe('a document', () => {
  it('is processed, failed, or tried again; without a result it stays as it is', () => {
    const documents = [claimed(0), claimed(1), claimed(2), claimed(3)];
    const { ends } = decideEnds(documents, [done(0), failed(1, 100), failed(2, null)], []);
    expect(ends.map(({ result, state }) => [result.seq, state])).toEqual([
      [0, 'processed'],
      [1, 'retrying'],
      [2, 'failed'],
    ]);
  });

  it('is superseded by a newer version of the batch that is processed, whatever became of it', () => {
    const versions = [claimed(0, 'a', 1), claimed(1, 'a', 2), claimed(2, 'a', 3)];
    expect(statesOf(decideEnds(versions, [failed(0, 50), done(1), done(2)], []))).toEqual([
      'superseded',
      'superseded',
      'processed',
    ]);
    expect(statesOf(decideEnds(versions, [done(0), done(1), failed(2, null)], []))).toEqual([
      'superseded',
      'processed',
      'failed',
    ]);
  });

  it('supersedes what is stored below it, but not when it failed, and not what is settled with it', () => {
    const stored = [older(0, 'a', 1), older(1, 'a', 2), older(5, 'b', 1)];
    const versions = [claimed(1, 'a', 2), claimed(2, 'a', 3), claimed(6, 'b', 2)];
    const decided = decideEnds(versions, [done(1), done(2), failed(6, null)], stored);
    expect(decided.older.map(({ seq }) => seq)).toEqual([0]);
  });
});

/** With nothing stored beside them. */
function planContradictions(conflicts: NewConflict[], detected: DetectedContradiction[]) {
  const change = new ContradictionsChange(conflicts, detected, []);
  change.placeInDocuments([]);
  return change.placeInFacts([]);
}

const scope = { tenant_id: 't', scope_id: 's' };
const counts = {
  ...{ point: 1, status: 'empty', groups: 0, shared: 0, disputed: 0, changed: 0 },
  ...{ processed: 1, expected: 4, critical: 0, recent: [] },
};
const nothing = planContradictions([], []);
const plan = (ends: ReturnType<typeof decideEnds>) =>
  planLane({
    ...{ ...ends, scope, counts, contradictions: nothing, convergence, worked_ms: 5 },
    ...{ readings: [], leaving: [], groups: { stored: () => undefined, unfiled: () => [] } },
  });

describe('a lane', () => {
  it('tells of ends in order of seq, and of no retry; it counts what left one state for another', () => {
    const documents = [claimed(3, 'a', 2), claimed(1), claimed(2), { ...claimed(4), state: 'retrying' as const }];
    const decided = decideEnds(documents, [done(3), failed(1, 100), failed(2, null), done(4)], [older(0, 'a', 1)]);
    const { events, counters, metrics, point } = plan(decided);
    expect(
      events.filter(({ type }) => type.startsWith('document.')).map(({ type, payload }) => [type, payload]),
    ).toEqual([
      ['document.superseded', { document_id: 'a', version: 1, seq: 0 }],
      ['document.failed', { document_id: 'd2', version: 1, seq: 2, error: 'It broke.' }],
      ['document.processed', { document_id: 'a', version: 2, seq: 3 }],
      ['document.processed', { document_id: 'd4', version: 1, seq: 4 }],
    ]);
    expect(counters).toMatchObject({ queued: -3, retrying: 0, processed: 1, failed: 1, superseded: 1, claims: -2 });
    expect(metrics).toMatchObject({ succeeded: 2, broken: 1, retried: 1 });
    expect(metrics?.waited).toHaveLength(3);
    expect(point?.coverage).toBeCloseTo(2 / 3);
  });

  it('that is handed back with nothing done is no batch', () => {
    expect(plan(decideEnds([claimed(0)], [], []))).toMatchObject({ events: [], point: null, metrics: null });
  });
});

/** As long as a hash is. */
const pairOf = (name: string) => Buffer.alloc(32, name).toString('base64');
const conflict = (name: string, more: Partial<NewConflict> = {}): NewConflict => ({
  ...{
    contradiction_id: `con_${name}`,
    pair: pairOf(name),
    claim_a: 'a',
    claim_b: 'b',
    subject: '',
    attribute: '',
    reason: '',
  },
  ...{ severity: 'critical', document_a: 'a', document_b: 'b', seq_a: 0, seq_b: 1, span_a: [0, 1], span_b: [0, 1] },
  ...{ group_a: 1, group_b: 2, value_a: 10, value_b: 20 },
  ...more,
});
const stored = (id: string, more: Partial<DetectedContradiction>): DetectedContradiction => ({
  ...{ id, why: 'side', pair: pairOf(id), status: 'open', severity: 'critical', documents: ['a', 'b'] },
  ...{ seqs: [0, 1], groups: [1, 2], precedence: 0, places: 15, outdated: false, upheld: [] },
  ...more,
});

describe('a contradiction', () => {
  it('that is found again stays as it was decided, though a document of it is replaced', () => {
    const again = stored('x', { status: 'resolved' });
    const { added, moved, gone, resolved } = planContradictions([conflict('x')], [{ ...again, why: 'pair' }, again]);
    expect([added, gone, resolved]).toEqual([[], [], 0]);
    expect(moved.map(({ id }) => id)).toEqual(['x']);
  });

  it('goes with its document, once, and out of the counts of its status', () => {
    const found = [stored('x', {}), stored('x', { why: 'id' }), stored('y', { status: 'resolved' })];
    const { gone, open, resolved, critical, disputes } = planContradictions([], found);
    expect(gone).toEqual(['x', 'y']);
    expect([open, resolved, critical]).toEqual([-1, -1, -1]);
    expect([...disputes]).toEqual([
      [1, -1],
      [2, -1],
    ]);
  });

  it('that is outdated goes with a document of it, and not because newer rules do not compare these', () => {
    const outdated = stored('x', { status: 'resolved', outdated: true });
    expect(planContradictions([], [{ ...outdated, why: 'id' }]).gone).toEqual([]);
    expect(planContradictions([], [outdated]).gone).toEqual(['x']);
  });

  it('within one group is one dispute of it', () => {
    expect([...planContradictions([conflict('x', { group_b: 1 })], []).disputes]).toEqual([[1, 1]]);
  });

  it.each([
    ['is opened again by a document from outside that speaks against what is upheld', 'c', 10, ['x']],
    ['stays resolved when one of its own documents does', 'b', 10, []],
    ['stays resolved when another value is spoken against', 'c', 11, []],
  ])('%s', (_what, document_b, value_a, reopened) => {
    const resolved = stored('x', { why: 'upheld', status: 'resolved', upheld: [{ group: 1, value: 10 }] });
    const made = planContradictions([conflict('n', { document_b, value_a })], [resolved]);
    expect(made.reopened.map(({ id }) => id)).toEqual(reopened);
    expect([made.open, made.resolved]).toEqual([1 + reopened.length, 0 - reopened.length]);
  });
});
