/** Random histories of what callers do, several at a time, against the real service and the model. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '../../support/rounds.ts';
import { startTestService } from '../../support/service.ts';
import { accepting } from './histories.ts';
import { initial } from './model.ts';
import { together } from './model-orders.ts';
import { play } from './play.ts';

const RUNS = rounds(60, 400);
/** So many at once, each a tenant's: they meet in flushes, and no core waits for the other. */
const PLAYERS = [1, 2, 3, 4];
const service = await startTestService();

it.concurrent.for(PLAYERS)(
  `agrees with the model over ${RUNS / PLAYERS.length} histories of accepting (player %i)`,
  async () => {
    const property = fc.asyncProperty(accepting, (history) => play(service, history, { drained: false }));
    await fc.assert(property, { numRuns: RUNS / PLAYERS.length });
  },
);

it('would see a difference: the model refuses what cannot be', () => {
  const post = { kind: 'ingest', scope: 'one', id: 'a', text: 'x', key: null } as const;
  const seen = (seq: number) => ({ status: 202, seq, replayed: false, id: 'a' });
  const first = together([initial], [{ operation: post, seen: seen(0) }]);
  expect(first).toHaveLength(1);
  expect(together(first, [{ operation: post, seen: seen(1) }])).toEqual([]);
  expect(together(first, [{ operation: { ...post, text: 'y' }, seen: seen(2) }])).toEqual([]);
  expect(together(first, [{ operation: { kind: 'read', scope: 'one', id: 'a' }, seen: { status: 404 } }])).toEqual([]);
});
