/** Work in pieces waits for each turn, though not for ever; and what was done before one that did not come stands. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { retryDocuments } from '../../src/domain/retries.ts';
import { OPERATORS, turnsOfOperators } from '../../src/http/auth.ts';
import { createServer } from '../../src/http/server.ts';
import { late } from '../../src/http/when-closed.ts';
import { createLog } from '../../src/log.ts';
import { Slots } from '../../src/slots.ts';
import { addFailed } from '../support/failed.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';

it('is answered with 503 when its turn does not come in time', async () => {
  const slots = new Slots(1, { keepsOne: false });
  const app = createServer(
    { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
    createLog('silent'),
  );
  later(() => app.close());
  app.get('/x', { config: { boundsItself: true } }, (_request, reply) =>
    turnsOfOperators(slots, reply)(1, async () => ({ done: true })),
  );
  await slots.take(OPERATORS, { signal: new AbortController().signal });
  const refused = await app.inject('/x');
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable']);
  expect(slots.waiting).toBe(0);
  slots.giveBack(OPERATORS);
  expect((await app.inject('/x')).json()).toEqual({ done: true });
});

it('tells of a retry how far it came, when a later turn does not come', async () => {
  const service = await startTestService();
  const { db, call } = service;
  const { tenantId } = await service.newTenant();
  await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
  await addFailed(db, { tenantId, scopeId: 's' }, 1500);
  const retryWith = (turns: number) => {
    const patience: number[] = [];
    const inTurn = async <Result>(patienceMs: number, work: () => Promise<Result>) => {
      patience.push(patienceMs);
      if (patience.length > turns) throw late();
      return work();
    };
    const options = { onQueued: () => {}, inTurn, deed: BY_COMMAND_LINE };
    return retryDocuments(db, { state: 'failed' }, options).then((answer) => ({ answer, patience }));
  };
  await expect(retryWith(0)).rejects.toThrow('took too long');
  const { answer, patience } = await retryWith(1);
  expect(answer).toMatchObject({ matched: 1000, queued: 1000, complete: false });
  // None waits for longer than what is left of the time for all.
  expect(patience.every((ms, n) => ms > 0 && ms <= (patience[n - 1] ?? 10_000))).toBe(true);
  expect((await retryWith(9)).answer).toMatchObject({ matched: 500, queued: 500, complete: true });
});
