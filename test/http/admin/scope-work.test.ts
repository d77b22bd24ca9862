/** POST …/ingest and …/reset, GET …/summary and …/metrics of a scope. Processing itself is tested in test/runtime. */
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const service = withVerbs(await startTestService());
const { call, admin, db } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();

const on = (method: string, path: string, options: object = {}) =>
  call(method, `/admin/scopes/${path}`, { key: admin, tenantKey: tenant.key, ...options });
const store = (scope_id: string, body: object) =>
  call('POST', '/api/documents', { tenantId: tenant.tenantId, body: { scope_id, name: 'n', ...body } });

const routes = [
  ['POST', 'ingest'],
  ['POST', 'reset'],
  ['GET', 'summary'],
  ['GET', 'metrics'],
] as const;

describe.each(routes)('%s …/%s', (method, path) => {
  it('is 404 for a scope that does not exist, and for one of another tenant', async () => {
    await service.ingest(other, 'theirs', 'ok');
    expect((await on(method, `nobody/${path}`)).status).toBe(404);
    expect((await on(method, `theirs/${path}`)).status).toBe(404);
    const { rows } = await db.query("select from scopes where scope_id = 'nobody'");
    expect(rows).toHaveLength(0);
  });
});

describe('POST …/ingest', () => {
  it('200: queues what is pending, in order, says what it did, and leaves an event', async () => {
    await store('trigger', { text: 'a', document_id: 'a' });
    await store('trigger', { document_id: 'entry' });
    await service.ingest(tenant, 'trigger', 'ok', { document_id: 'queued' });
    await store('trigger', { text: 'b', document_id: 'b' });
    const { status, body } = await on('POST', 'trigger/ingest');
    expect([status, body]).toMatchObject([
      200,
      { scope_id: 'trigger', queued: 2, already_queued: 1, skipped: 1, complete: true },
    ]);
    expect((await on('GET', 'trigger/summary')).body.documents).toMatchObject({ pending: 1, queued: 3, total: 4 });
    expect((await service.events('trigger')).slice(-3)).toEqual([
      'scope.ingest_triggered',
      'document.queued a',
      'document.queued b',
    ]);
    expect((await on('POST', 'trigger/ingest')).body).toMatchObject({ queued: 0, already_queued: 3, skipped: 1 });
  });

  it('200: more than a piece at once', async () => {
    await store('large', { text: 'first' });
    await db.query(
      `with scope as (update scopes set next_seq = 2501, pending = 2501 where scope_id = 'large' returning *), rows as (
         insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
         select scope_key, generation, n, 'd' || n, 1, 'pending', '' from scope, generate_series(1, 2500) n)
       insert into document_contents (scope_key, generation, seq, name, type, text)
       select scope_key, generation, n, 'n', 'txt', 'ok' from scope, generate_series(1, 2500) n`,
    );
    expect((await on('POST', 'large/ingest')).body).toMatchObject({ queued: 2501, complete: true });
    const { rows } = await db.query<{ seq: number }>(
      "select (payload->>'seq')::int as seq from events where scope_id = 'large' and type = 'document.queued' order by event_id",
    );
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 2501 }, (_, n) => n));
  });

  it('400: for a body that is something else', async () => {
    expect((await on('POST', 'trigger/ingest', { body: { retry: true } })).status).toBe(400);
    expect((await on('POST', 'trigger/ingest', { body: { retry_failed: 'yes' } })).status).toBe(400);
  });
});

describe('POST …/reset', () => {
  it('200: empties the scope, begins again at 0, frees its keys, and keeps the log', async () => {
    const post = () => service.ingest(tenant, 'reset', 'ok', { document_id: 'a', idempotency_key: 'reset-key' });
    await post();
    await store('reset', { document_id: 'entry' });
    await call('POST', '/api/contradictions', {
      tenantId: tenant.tenantId,
      body: { scope_id: 'reset', claim_a: 'x', claim_b: 'y' },
    });
    const { status, body } = await on('POST', 'reset/reset');
    expect([status, body]).toMatchObject([200, { scope_id: 'reset', deleted: { documents: 2, contradictions: 1 } }]);
    expect((await on('GET', 'reset/summary')).body).toMatchObject({
      documents: { total: 0, pending: 0, queued: 0 },
      last_seq: null,
      contradictions: { open: 0, resolved: 0, deferred: 0 },
    });
    expect((await on('GET', 'reset/documents')).body.documents).toEqual([]);
    expect((await on('GET', 'reset/contradictions')).body.contradictions).toEqual([]);
    expect(await service.events('reset')).toEqual([
      'scope.created',
      'document.queued a',
      'document.accepted entry',
      'contradiction.reported',
      'scope.reset',
    ]);
    const again = await post();
    expect([again.body.seq, again.headers.get('idempotency-replayed')]).toEqual([0, null]);
    expect((await on('POST', 'reset/reset')).body.deleted).toEqual({ documents: 1, contradictions: 0 });
    expect((await on('POST', 'reset/reset')).body.deleted).toEqual({ documents: 0, contradictions: 0 });
  });
});

describe('GET …/metrics', () => {
  it('200: figures of a scope where nothing was processed', async () => {
    await service.ingest(tenant, 'quiet', 'ok');
    const none = { p50: null, p95: null, p99: null };
    const { body } = await on('GET', 'quiet/metrics');
    expect(body).toMatchObject({
      documents: { accepted: 1, processed: 0, failed: 0, retried: 0 },
      throughput_per_minute: 0,
      latency_ms: { waiting: none, processing: none, total: none },
      backlog: { queued: 1 },
    });
    expect(body.backlog.oldest_age_ms).toBeGreaterThanOrEqual(0);
  });

  it('200: counts what was accepted within the window only', async () => {
    for (let n = 0; n < 9; n++) await service.ingest(tenant, 'window', 'ok');
    await db.query(
      `update documents set accepted_at = now() - interval '1 hour' where seq < 4
          and scope_key = (select scope_key from scopes where scope_id = 'window')`,
    );
    await db.query("update scopes set created_at = now() - interval '2 hours' where scope_id = 'window'");
    const { body } = await on('GET', 'window/metrics');
    expect(body.documents.accepted).toBe(5);
    expect(body.window.seconds).toBeGreaterThanOrEqual(15 * 60);
    expect(body.window.seconds).toBeLessThanOrEqual(20 * 60);
  });
});

describe('GET /api/scopes/{scopeId}/summary', () => {
  it('200 for the tenant itself, 404 for another, 401 for a wrong key, 400 for none', async () => {
    await service.ingest(tenant, 'mine', 'ok');
    const read = (options: object) => call('GET', '/api/scopes/mine/summary', options);
    expect(await read({ tenantKey: tenant.key })).toMatchObject({ status: 200, body: { last_seq: 0 } });
    expect((await read({ tenantKey: other.key })).status).toBe(404);
    expect((await read({ tenantKey: 'dk_wrong' })).status).toBe(401);
    expect((await read({})).status).toBe(400);
  });
});
