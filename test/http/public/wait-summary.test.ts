/** Waiting for a scope: until everything up to a seq is done, or time is over; and how far that is, at any time. */
import { describe, expect, it } from 'vitest';
import { newHeld, OBEDIENT, withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { beforeTimeIsOver, beginWaiting, LONG } from '../../support/waiting.ts';

const settings = { ROLE: 'all', RETRY_BASE_MS: '10', DOCUMENT_ATTEMPTS: '2' };
const service = withVerbs(await startTestService({ pipeline: OBEDIENT, settings }));
const { call, admin } = service;
const tenant = await service.newTenant();
let scopes = 0;

async function newPaused(): Promise<{ scope: string; resume(): Promise<unknown>; pause(): Promise<unknown> }> {
  const scope = `paused-${scopes++}`;
  await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: scope } });
  const pause = () => service.control('pause', tenant, scope);
  await pause();
  return { scope, pause, resume: () => service.control('resume', tenant, scope) };
}
const post = (scope: string, text = 'ok') => service.ingest(tenant, scope, text);
const store = (scope_id: string) =>
  call('POST', '/api/documents', { tenantId: tenant.tenantId, body: { scope_id, name: 'n', text: 't' } });
const pathOf = (scope: string, query = LONG) => `/api/scopes/${scope}/summary?${query}`;
const read = (scope: string, query = '') =>
  beforeTimeIsOver(call('GET', pathOf(scope, query), { tenantKey: tenant.key }));
const begin = (scope: string, query = LONG) => beginWaiting(service, pathOf(scope, query), { tenantKey: tenant.key });
const settledOf = async (scope: string) => (await read(scope)).body.settled_through;
const trigger = (scope: string, retry_failed = false) =>
  call('POST', `/admin/scopes/${scope}/ingest`, { key: admin, tenantKey: tenant.key, body: { retry_failed } });

describe('settled_through', () => {
  it('is null before the first is done, and then the last up to which all are, of those that were asked for', async () => {
    const { scope, resume, pause } = await newPaused();
    expect(await settledOf(scope)).toBeNull();
    await store(scope);
    expect(await settledOf(scope)).toBe(0);
    await post(scope);
    await post(scope);
    await store(scope);
    expect(await settledOf(scope)).toBe(0);
    await resume();
    expect((await read(scope, LONG)).body).toMatchObject({
      settled_through: 3,
      last_seq: 3,
      documents: { pending: 2 },
    });
    await pause();
    await trigger(scope);
    expect(await settledOf(scope)).toBeNull();
  });

  it('falls when what has failed is tried again, and when the scope is emptied', async () => {
    const { scope, resume, pause } = await newPaused();
    for (const text of ['ok', 'throw always', 'ok']) await post(scope, text);
    await resume();
    expect((await read(scope, LONG)).body).toMatchObject({ settled_through: 2, documents: { failed: 1 } });
    await pause();
    await trigger(scope, true);
    expect(await settledOf(scope)).toBe(0);
    await call('POST', `/admin/scopes/${scope}/reset`, { key: admin, tenantKey: tenant.key });
    expect(await settledOf(scope)).toBeNull();
    await post(scope);
    expect(
      (await call('GET', `/admin/scopes/${scope}/summary`, { key: admin, tenantKey: tenant.key })).body,
    ).toMatchObject({ settled_through: null, last_seq: 0 });
  });

  it('is held back by one that waits for another attempt', async () => {
    const slow = withVerbs(
      await startTestService({ pipeline: OBEDIENT, settings: { ...settings, RETRY_BASE_MS: '300000' } }),
    );
    const own = await slow.newTenant();
    for (const text of ['ok', 'throw once', 'ok']) await slow.ingest(own, 's', text);
    expect(await slow.processed(own, 's', 2)).toMatchObject({ settled_through: 0, last_seq: 2 });
    const { body } = await slow.call('GET', pathOf('s', 'wait=1&through=2'), { tenantKey: own.key });
    expect(body).toMatchObject({ settled_through: 0, documents: { queued: 1 } });
    const settled = slow.call('GET', pathOf('s', `${LONG}&through=0`), { tenantKey: own.key });
    expect((await beforeTimeIsOver(settled)).status).toBe(200);
  });
});

describe('200', () => {
  it('comes when all that had been given are done, whatever comes after', async () => {
    const [first, second] = [newHeld(), newHeld()];
    await post('newest', first.text);
    const { answer } = await begin('newest');
    await post('newest', second.text);
    first.letGo();
    expect((await answer).body).toMatchObject({ settled_through: 0, last_seq: 1, documents: { processed: 1 } });
    second.letGo();
  });

  it('comes when everything up to a seq is done, also if some have failed or were deleted', async () => {
    const { scope, resume } = await newPaused();
    for (const text of ['ok', 'throw always', 'ok']) await post(scope, text);
    await service.ingest(tenant, scope, 'ok', { document_id: 'last' });
    const { answer } = await begin(scope, `${LONG}&through=3`);
    await call('DELETE', `/api/documents/last?scope_id=${scope}`, { tenantKey: tenant.key });
    await resume();
    expect((await answer).body).toMatchObject({ settled_through: 3, documents: { processed: 2, failed: 1 } });
  });

  it('comes when a seq that was not given yet is there and done, or only stored', async () => {
    await post('future');
    const processed = await begin('future', `${LONG}&through=1`);
    await post('future');
    expect((await processed.answer).body).toMatchObject({ settled_through: 1, documents: { processed: 2 } });
    const stored = await begin('future', `${LONG}&through=2`);
    await store('future');
    expect((await stored.answer).body).toMatchObject({ settled_through: 2, documents: { pending: 1 } });
  });

  it('comes at once for an empty scope, and when all is done; and when time is over', async () => {
    const { scope } = await newPaused();
    expect((await read(scope, LONG)).body).toMatchObject({ settled_through: null, last_seq: null });
    await post(scope);
    expect(await read(scope, 'wait=1')).toMatchObject({ status: 200, body: { settled_through: null } });
    expect(await read(scope, 'wait=1&through=7')).toMatchObject({ status: 200, body: { settled_through: null } });
    expect(await read(scope, 'through=7')).toMatchObject({ status: 200, body: { settled_through: null } });
  });

  it('is told to operators, under the path that names the tenant', async () => {
    const { scope, resume } = await newPaused();
    await post(scope);
    const path = `/admin/tenants/${tenant.tenantId}/scopes/${scope}/summary?${LONG}&through=0`;
    const { answer } = await beginWaiting(service, path, { key: admin });
    await resume();
    expect(await answer).toMatchObject({ status: 200, body: { settled_through: 0 } });
  });
});

it('404: at once when the scope is reset or deleted, and for one that is not there', async () => {
  for (const [method, path] of [
    ['POST', '/reset'],
    ['DELETE', ''],
  ] as const) {
    const { scope } = await newPaused();
    await post(scope);
    const { answer } = await begin(scope);
    await call(method, `/admin/scopes/${scope}${path}`, { key: admin, tenantKey: tenant.key });
    expect((await answer).status).toBe(404);
  }
  expect((await read('nowhere', LONG)).status).toBe(404);
});

it('400: what is out of its bounds', async () => {
  for (const query of [
    'wait=61',
    'wait=-1',
    'wait=0.5',
    'through=-1',
    'through=1.5',
    'through=9999999999999999',
    'x=1',
  ])
    expect((await read('any', query)).status, query).toBe(400);
});
