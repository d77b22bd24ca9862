/** What the client reads: lists as one however many pages they have, and waiting for what is not done. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type DocumentRecord, NotFoundError, WaitTimeoutError } from '../../client/src/index.ts';
import { newClient, newCutClient } from '../support/client.ts';
import { newHeld, OBEDIENT, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { docket, tenant } = await newClient(service);
const texts = {
  one: 'Acme Robotics has 1,900 employees. Borealis Foods was founded in 1987.',
  two: 'Acme Robotics has 1,900 employees.',
  three: 'Acme Robotics has 2,310 employees. Borealis Foods was founded in 1987.',
};
for (const [document_id, text] of Object.entries(texts))
  await docket.ingest({ scope_id: 'firms', name: document_id, text, document_id });

describe('waiting', () => {
  it('ends when all that there is was processed', async () => {
    expect(await docket.wait('firms')).toMatchObject({ settled_through: 2, documents: { total: 3, processed: 3 } });
    expect(await docket.waitForDocument('firms', 'two')).toMatchObject({ document_id: 'two', state: 'processed' });
  });

  it('ends at once where there is nothing to wait for', async () => {
    await docket.createDocument({ scope_id: 'pending', name: 'n', text: 't', document_id: 'd' });
    expect(await docket.waitForDocument('pending', 'd')).toMatchObject({ state: 'pending' });
    expect(await docket.wait('pending')).toMatchObject({ documents: { pending: 1 } });
    await expect(docket.wait('no-such-scope')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('lasts through several answers and a cut, and ends in time', async () => {
    const slow = withVerbs(await startTestService({ pipeline: OBEDIENT, settings: { ROLE: 'all' } }));
    const { docket, proxy, attempts } = await newCutClient(slow);
    const held = newHeld();
    await docket.ingest({ scope_id: 's', name: 'n', text: held.text, document_id: 'd' });
    await expect(docket.wait('s', { timeoutMs: 100 })).rejects.toBeInstanceOf(WaitTimeoutError);
    await expect(docket.waitForDocument('s', 'd', { timeoutMs: 100 })).rejects.toBeInstanceOf(WaitTimeoutError);
    const waiting = Promise.all([docket.wait('s'), docket.waitForDocument('s', 'd')]);
    // The first look of one of them is done, and both wait.
    const before = attempts.length;
    await expect.poll(() => attempts.length).toBeGreaterThan(before);
    proxy.down();
    proxy.up();
    const later = await docket.ingest({ scope_id: 's', name: 'n', text: held.text, document_id: 'later' });
    expect(later.seq).toBe(1);
    held.letGo();
    expect(await waiting).toMatchObject([{ scope: { scope_id: 's' } }, { state: 'processed' }]);
  });

  it('ends in time also when the service falls silent, or is not there', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant, retryMs: 10_000 });
    for (const stop of [() => proxy.stall(), () => proxy.down()]) {
      stop();
      const began = performance.now();
      const waiting = [
        docket.wait('firms', { timeoutMs: 200 }),
        docket.wait('firms', { timeoutMs: 200, through: 2 }),
        docket.waitForDocument('firms', 'one', { timeoutMs: 200 }),
      ];
      const errors = (await Promise.allSettled(waiting)).map((result) => 'reason' in result && result.reason);
      for (const error of errors) {
        expect(error).toBeInstanceOf(WaitTimeoutError);
        expect(error.message).toMatch(/^(Scope firms|Document one) was not processed in time: 0\.2 s$/);
      }
      // An attempt has a minute, and there would be many.
      expect(performance.now() - began).toBeLessThan(30_000);
    }
  });

  it('ends with its signal', async () => {
    const idle = await startTestService();
    const { docket } = await newClient(idle);
    await docket.ingest({ scope_id: 's', name: 'n', text: 't' });
    const giving = new AbortController();
    const waiting = docket.wait('s', { signal: giving.signal });
    await sleep(50);
    giving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('lists', () => {
  it('are read page after page, and only as far as they are wanted', async () => {
    await docket.wait('firms');
    const { docket: counting, statuses } = await newClient(service, { tenant });
    const ids = (documents: DocumentRecord[]) => documents.map(({ document_id }) => document_id);
    expect(ids(await counting.documents('firms', { limit: 1 }).toArray())).toEqual(['one', 'two', 'three']);
    expect(statuses.length).toBeGreaterThanOrEqual(3);
    statuses.length = 0;
    for await (const { document_id } of counting.documents('firms', { limit: 1 })) if (document_id === 'two') break;
    expect(statuses).toEqual([200, 200]);
    expect(await counting.documents('firms', { state: 'failed' }).toArray()).toEqual([]);
  });

  it('of facts, their evidence, claims, contradictions and scopes', async () => {
    await docket.wait('firms');
    const facts = await docket.facts('firms', { limit: 1 }).toArray();
    const disputed = await docket.facts('firms', { state: 'disputed' }).toArray();
    expect(facts.length).toBeGreaterThan(disputed.length);
    const employees = disputed.find(({ leading }) => leading.number === 1900);
    expect(employees).toMatchObject({ subject: 'Acme Robotics', documents: 3 });
    const factId = employees?.fact_id as string;
    const evidence = await docket.evidence('firms', factId, { limit: 1 }).toArray();
    expect(evidence.map(({ document_id }) => document_id).toSorted()).toEqual(['one', 'three', 'two']);
    expect(await docket.fact('firms', factId)).toMatchObject({ fact_id: factId, evidence });
    const claims = await docket.claims('firms', 'three', { limit: 1 }).toArray();
    expect(claims.map(({ sentence }) => sentence)).toContain('Acme Robotics has 2,310 employees.');
    const contradictions = await docket.contradictions('firms', { status: 'open', limit: 1 }).toArray();
    expect(contradictions.map(({ id }) => id).toSorted()).toEqual(employees?.contradictions.toSorted());
    const [first] = contradictions;
    expect(await docket.contradiction(first?.id as string)).toEqual(first);
    for await (const page of docket.contradictions('firms').pages()) expect(page.left_out).toBe(0);
    expect((await docket.scopes({ limit: 1 }).toArray()).map(({ scope_id }) => scope_id)).toContain('firms');
    expect(await docket.scope('firms')).toMatchObject({ scope_id: 'firms', state: 'running' });
    expect(await docket.convergence('firms')).toEqual((await docket.summary('firms')).convergence);
    expect(await docket.text('firms', 'two', { version: 1 })).toMatchObject({ version: 1, text: texts.two });
    expect(await docket.document('firms', 'two')).toMatchObject({ contradictions: expect.any(Number) });
    expect(await docket.health()).toMatchObject({ status: 'ok' });
  });

  it('show nothing of another tenant', async () => {
    const { docket: other } = await newClient(service);
    expect(await other.scopes().toArray()).toEqual([]);
    await expect(other.documents('firms').toArray()).rejects.toBeInstanceOf(NotFoundError);
  });
});
