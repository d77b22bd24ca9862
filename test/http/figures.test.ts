/** Figures in answers and events are for people: none of them ends in what a sum of fractions leaves. */
import { expect, it } from 'vitest';
import { turningPoint } from '../../src/domain/convergence.ts';
import { updateNodeSeen } from '../../src/storage/nodes.ts';
import { startTestService } from '../support/service.ts';

const { db, call, internals } = await startTestService();

it('the load of all nodes', async () => {
  const workers = { target: 1, actual: 1, busy: 0 };
  for (const [node, figure] of [0.1, 0.2, 0.3].entries()) {
    const report = { workers, arrival_per_s: figure, service_per_s: figure, utilisation: figure, batches: 0 };
    await updateNodeSeen(db, `node ${node}`, 'all', report);
  }
  const { body } = await call('GET', '/internals/kernel/hatchery/snapshot', { key: internals });
  // Added up, they are 0.6000000000000001.
  expect(body.load).toMatchObject({ arrival_per_s: 0.6, service_per_s: 0.6, utilisation: 0.2 });
});

it('the score in an event', () => {
  const scope = { tenant_id: 'ten_1', scope_id: 'here' };
  const score = 0.9500000000000001;
  const point = { point: 1, disagreement: 0, agreement: 1, coverage: 1, stability: 1, corroboration: 1, score };
  const payloads = [
    ...turningPoint(scope, 'converging', { ...point, status: 'converged' }),
    ...turningPoint(scope, 'converged', { ...point, status: 'converging' }),
  ].map(({ payload }) => payload);
  expect(payloads).toEqual([{ score: 0.95 }, { score: 0.95, status: 'converging' }]);
});
