/** Waiting for a document: until its version is done, or time is over. */
import { describe, expect, it } from 'vitest';
import { newHeld, OBEDIENT, withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { beforeTimeIsOver, beginWaiting, LONG, untilWaiting } from '../../support/waiting.ts';

const settings = { ROLE: 'all', RETRY_BASE_MS: '10', DOCUMENT_ATTEMPTS: '2' };
const service = withVerbs(await startTestService({ pipeline: OBEDIENT, settings }));
const { call, admin } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
let scopes = 0;

/** A scope in which nothing is processed before it is let go. */
async function newPaused(): Promise<{ scope: string; resume(): Promise<unknown> }> {
  const scope = `paused-${scopes++}`;
  await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: scope } });
  await service.control('pause', tenant, scope);
  return { scope, resume: () => service.control('resume', tenant, scope) };
}
const pathOf = (scope: string, id = 'd', wait = LONG) => `/api/documents/${id}?scope_id=${scope}${wait && `&${wait}`}`;
const read = (path: string, tenantKey = tenant.key) => beforeTimeIsOver(call('GET', path, { tenantKey }));
const begin = (scope: string, id = 'd') => beginWaiting(service, pathOf(scope, id), { tenantKey: tenant.key });
const post = (scope: string, text: string, id = 'd') => service.ingest(tenant, scope, text, { document_id: id });

describe('200', () => {
  it('comes when it is processed, however long that takes, with all that is known of it then', async () => {
    const held = newHeld();
    await post('held', held.text);
    const { answer } = await begin('held');
    held.letGo();
    expect(await answer).toMatchObject({
      status: 200,
      body: { scope_id: 'held', document_id: 'd', version: 1, seq: 0, state: 'processed', attempts: 1, claims: 1 },
    });
    expect((await answer).body).toEqual((await read(pathOf('held', 'd', ''))).body);
  });

  it('comes when the last attempt has failed, and not when there is another', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'throw it-is-wrong');
    const { answer } = await begin(scope);
    await resume();
    expect((await answer).body).toMatchObject({ state: 'failed', attempts: 2, error: 'it-is-wrong' });
  });

  it('comes when a newer version has superseded the one that was newest, and is about that one', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'first');
    const { answer } = await begin(scope);
    await post(scope, 'second');
    await resume();
    expect((await answer).body).toMatchObject({ version: 1, seq: 0, state: 'superseded' });
    expect((await read(pathOf(scope))).body).toMatchObject({ version: 2, state: 'processed' });
  });

  it('comes at once for what is done, and for what is pending', async () => {
    await post('at-once', 'ok');
    await service.processed(tenant, 'at-once', 1);
    expect((await read(pathOf('at-once'))).body).toMatchObject({ state: 'processed' });
    const body = { scope_id: 'at-once', name: 'n', text: 't', document_id: 'stored' };
    await call('POST', '/api/documents', { tenantId: tenant.tenantId, body });
    expect((await read(pathOf('at-once', 'stored'))).body).toMatchObject({ state: 'pending' });
  });

  it('comes when time is over, with the state that it is in', async () => {
    const { scope } = await newPaused();
    await post(scope, 'ok');
    expect(await read(pathOf(scope, 'd', 'wait=1'))).toMatchObject({ status: 200, body: { state: 'queued' } });
    expect(await read(pathOf(scope, 'd', 'wait=0'))).toMatchObject({ status: 200, body: { state: 'queued' } });
  });

  it('comes after a retry, too: it is done again', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'throw once-more');
    const first = await begin(scope);
    await resume();
    expect((await first.answer).body.state).toBe('failed');
    await service.control('pause', tenant, scope);
    await call('POST', `/admin/scopes/${scope}/ingest`, {
      key: admin,
      tenantKey: tenant.key,
      body: { retry_failed: true },
    });
    const second = await begin(scope);
    await resume();
    expect((await second.answer).body).toMatchObject({ state: 'failed', attempts: 2 });
  });

  it('is told to operators, under the path that names the tenant', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'ok');
    const path = `/admin/tenants/${tenant.tenantId}/scopes/${scope}/documents/d?${LONG}`;
    const { answer } = await beginWaiting(service, path, { key: admin });
    await resume();
    expect(await answer).toMatchObject({ status: 200, body: { scope_id: scope, state: 'processed' } });
  });
});

describe('404', () => {
  it('comes at once when it is deleted, also if another comes in its place', async () => {
    const { scope } = await newPaused();
    await post(scope, 'ok');
    const { answer } = await begin(scope);
    await call('DELETE', pathOf(scope, 'd', ''), { tenantKey: tenant.key });
    await post(scope, 'ok');
    expect(await answer).toMatchObject({
      status: 404,
      body: { detail: `Document d in scope ${scope} does not exist` },
    });
  });

  it('comes at once when its scope is reset or deleted', async () => {
    for (const [method, path] of [
      ['POST', '/reset'],
      ['DELETE', ''],
    ] as const) {
      const { scope } = await newPaused();
      await post(scope, 'ok');
      const { answer } = await begin(scope);
      await call(method, `/admin/scopes/${scope}${path}`, { key: admin, tenantKey: tenant.key });
      await post(scope, 'ok');
      expect((await answer).status).toBe(404);
    }
  });

  it('comes at once when its tenant is deleted', async () => {
    const { tenantId, key } = await service.newTenant();
    const held = newHeld();
    await service.ingest({ tenantId, key }, 'of-deleted', held.text, { document_id: 'd' });
    const { answer } = await beginWaiting(service, pathOf('of-deleted'), { tenantKey: key });
    await call('DELETE', `/admin/tenants/${tenantId}`, { key: admin });
    // Its key goes with it, and either may be seen first.
    expect([404, 401]).toContain((await answer).status);
    held.letGo();
  });

  it('comes at once for what is not there, or is another’s', async () => {
    const { scope } = await newPaused();
    await post(scope, 'ok');
    for (const [path, key] of [
      [pathOf(scope, 'nowhere'), tenant.key],
      [pathOf('nowhere'), tenant.key],
      [pathOf(scope), other.key],
    ] as const)
      expect((await read(path, key)).status).toBe(404);
  });
});

it('400: a wait out of its bounds, or no whole number', async () => {
  for (const [wait, complaint] of [
    ['61', 'query/wait must be <= 60'],
    ['-1', 'query/wait must be >= 0'],
    ['1.5', 'query/wait must be a whole number from 0 to 60'],
    ['soon', 'query/wait must be a whole number from 0 to 60'],
    ['1e99', 'query/wait must be <= 60'],
    ['1&wait=2', 'query/wait must be a whole number from 0 to 60'],
  ])
    expect((await read(pathOf('any', 'd', `wait=${wait}`))).body).toMatchObject({ status: 400, detail: complaint });
});

describe('401', () => {
  it('comes without a good key', async () => expect((await read(pathOf('any'), 'garbage')).status).toBe(401));

  it('comes soon to whoever waits with a key that is revoked or expires, here or on another node, and to nobody else', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'ok');
    const issue = async () => {
      const { body } = await call('POST', `/admin/tenants/${tenant.tenantId}/keys`, { key: admin, body: {} });
      return body as { api_key: string; key_prefix: string };
    };
    const [here, elsewhere, expiring] = [await issue(), await issue(), await issue()];
    const waiting = [];
    for (const { api_key: tenantKey } of [here, elsewhere, expiring])
      for (const path of [pathOf(scope), `/api/scopes/${scope}/summary?${LONG}`])
        waiting.push((await beginWaiting(service, path, { tenantKey })).answer);
    const stays = await begin(scope);
    await call('DELETE', `/admin/tenants/${tenant.tenantId}/keys/${here.key_prefix}`, { key: admin });
    await service.db.query('update api_keys set revoked_at = now() where key_prefix = $1', [elsewhere.key_prefix]);
    await service.db.query('update api_keys set expires_at = now() where key_prefix = $1', [expiring.key_prefix]);
    for (const answer of waiting)
      expect(await answer).toMatchObject({
        status: 401,
        body: { detail: 'The key of this request is no longer valid.' },
      });
    await untilWaiting(service, 1);
    await resume();
    expect(await stays.answer).toMatchObject({ status: 200, body: { state: 'processed' } });
  });

  it('comes to who is woken before anybody has looked at its key again', async () => {
    const { scope, resume } = await newPaused();
    await post(scope, 'ok');
    const issued = await call('POST', `/admin/tenants/${tenant.tenantId}/keys`, { key: admin, body: {} });
    const { answer } = await beginWaiting(service, pathOf(scope), { tenantKey: issued.body.api_key });
    await call('DELETE', `/admin/tenants/${tenant.tenantId}/keys/${issued.body.key_prefix}`, { key: admin });
    await resume();
    expect((await answer).status).toBe(401);
  });
});

it('each hears of its own, where two tenants have documents and scopes of the same names', async () => {
  const [own, theirs] = [newHeld(), newHeld()];
  await service.ingest(tenant, 'same', own.text, { document_id: 'd' });
  await service.ingest(other, 'same', theirs.text, { document_id: 'd', source: 'theirs' });
  const waiting = await beginWaiting(service, pathOf('same'), { tenantKey: tenant.key });
  const others = await beginWaiting(service, pathOf('same'), { tenantKey: other.key });
  theirs.letGo();
  expect((await others.answer).body).toMatchObject({ state: 'processed', source: 'theirs' });
  await untilWaiting(service, 1);
  own.letGo();
  expect((await waiting.answer).body).toMatchObject({ state: 'processed', source: null });
});
