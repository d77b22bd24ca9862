/** Who changed what, as operators read it. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { trimAudit } from '../../../src/domain/audit.ts';
import { later } from '../../support/later.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const BOOTSTRAP = 'bootstrap-key-0123456789abcdefghijklmnop';
const service = await startTestService({ settings: { ADMIN_API_KEYS: `${'x'.repeat(40)},${BOOTSTRAP}` } });
const { call, admin, db, url } = service;

interface Entry {
  audit_id: string;
  at: string;
  action: string;
  actor: { kind: string; key_prefix: string | null; label: string | null };
  [field: string]: unknown;
}

async function list(filter: Record<string, string>, from: TestService = service): Promise<Entry[]> {
  const query = new URLSearchParams(filter);
  const { status, body } = await from.call('GET', `/admin/audit?${query}`, { key: admin });
  expect(status).toBe(200);
  return body.entries;
}

async function exported(filter: Record<string, string> = {}): Promise<Entry[]> {
  const { status, headers, body } = await call('GET', `/admin/audit/export?${new URLSearchParams(filter)}`, {
    key: admin,
  });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return body
    .split('\n')
    .filter(Boolean)
    .map((line: string) => JSON.parse(line));
}

/** Rows as if somebody had done something. */
async function fill(rows: number, sql: Partial<Record<'at' | 'action' | 'tenant' | 'actor' | 'after', string>>) {
  const { at = 'clock_timestamp()', action = `'scope.created'`, tenant = 'null', actor = `'da_filled00'` } = sql;
  await db.query(
    `insert into audit_log (at, action, actor_kind, actor, tenant_id, after)
     select ${at}, ${action}, 'operator', ${actor}, ${tenant}, ${sql.after ?? 'null'} from generate_series(1, ${rows}) n`,
  );
}

it('never has a key, wherever a caller has put one', async () => {
  const { tenantId, key: tenantKey } = await service.newTenant('Acme');
  const body = { scope_id: 'leaky', document_id: tenantKey, name: 'n', text: 'It is so.' };
  await call('POST', '/api/ingest', { tenantId, tenantKey, body });
  const headers = { 'x-request-id': tenantKey };
  const path = `/api/documents/${tenantKey}?scope_id=leaky`;
  expect((await call('DELETE', path, { tenantKey, headers })).status).toBe(204);
  const [entry] = await list({ tenant_id: tenantId, action: 'document.deleted' });
  const shown = `${tenantKey.slice(0, 11)}_…`;
  expect(entry).toMatchObject({ subject: shown, request_id: shown });
});

describe('who deleted a scope', () => {
  it('is told: whose key, from where, when, and what it was', async () => {
    const { tenantId, key: tenantKey } = await service.newTenant('Acme');
    const issued = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body: { label: 'importer' } });
    await call('POST', '/admin/scopes', { key: admin, tenantKey, body: { scope_id: 'contracts', name: 'Contracts' } });
    const body = { scope_id: 'contracts', name: 'n', text: 'not-to-be-told' };
    await call('POST', '/api/ingest', { tenantId, tenantKey, body });
    const gone = await call('DELETE', '/admin/scopes/contracts', {
      ...{ key: admin, tenantKey: issued.body.api_key, headers: { 'x-request-id': 'the-one' } },
    });
    expect(gone.status).toBe(204);
    const [entry, ...more] = await list({ tenant_id: tenantId, action: 'scope.deleted' });
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actor: { kind: 'operator', key_prefix: admin.slice(0, 11), label: null },
      ...{ tenant_id: tenantId, scope_id: 'contracts', subject: null, request_id: 'the-one', address: '127.0.0.1' },
      ...{ before: { name: 'Contracts', documents: 1 }, after: null },
    });
    expect(Math.abs(Date.parse(entry?.at ?? '') - Date.now())).toBeLessThan(600_000);
    const all = await list({ tenant_id: tenantId });
    expect(all.map(({ action }) => action)).toEqual([
      ...['scope.deleted', 'scope.created', 'key.issued', 'key.issued', 'tenant.created'],
    ]);
    // Neither a text nor a key.
    for (const secret of ['not-to-be-told', tenantKey.slice(12), issued.body.api_key.slice(12), admin.slice(12)])
      expect(JSON.stringify(all)).not.toContain(secret);
  });

  it('is told as well when the tenant has gone since, and was purged', async () => {
    const { tenantId, key: tenantKey } = await service.newTenant();
    await call('POST', '/admin/scopes', { key: admin, tenantKey, body: { scope_id: 's' } });
    await call('DELETE', '/admin/scopes/s', { key: admin, tenantKey });
    await call('DELETE', `/admin/tenants/${tenantId}`, { key: admin });
    await until(
      async () => (await db.query('select from tenants where tenant_id = $1', [tenantId])).rows.length,
      (left) => left === 0,
    );
    const told = (await list({ tenant_id: tenantId })).map(({ action }) => action);
    expect(told.slice(0, 2)).toEqual(['tenant.deleted', 'scope.deleted']);
  });
});

describe('who', () => {
  it('is a bootstrap key by its setting, a tenant by its own key, and else the command line', async () => {
    const { body: made } = await call('POST', '/admin/tenants', { key: BOOTSTRAP, body: { name: 'n' } });
    const named = await list({ actor: 'ADMIN_API_KEYS 2', tenant_id: made.tenant_id });
    expect(named.map(({ actor }) => actor)).toEqual(
      Array(2).fill({ kind: 'bootstrap', key_prefix: null, label: 'ADMIN_API_KEYS 2' }),
    );
    const post = { tenantId: made.tenant_id, body: { scope_id: 's', document_id: 'd', name: 'n', text: 't' } };
    await call('POST', '/api/ingest', post);
    await call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: made.api_key });
    expect(await list({ actor: made.key_prefix })).toMatchObject([
      {
        ...{ action: 'document.deleted', subject: 'd', scope_id: 's', before: { versions: 1 } },
        actor: { kind: 'tenant', key_prefix: made.key_prefix, label: 'first key' },
      },
    ]);
    const [first] = await list({ actor: 'command line' });
    expect(first?.actor).toEqual({ kind: 'command line', key_prefix: null, label: null });
  });

  it('has a label that cannot be taken for another line, in a list as in an export', async () => {
    const { tenantId } = await service.newTenant();
    const labels = ['a\nb\r\n{"audit_id":"forged"}', 'a\u2028b\u2029c\u0085d', '🙂'.repeat(100), '\u202e\u001b[2J'];
    for (const label of labels) {
      const { body } = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body: { label } });
      const scope_id = `s-${labels.indexOf(label)}`;
      await call('POST', '/api/ingest', {
        tenantId,
        tenantKey: body.api_key,
        body: { scope_id, name: 'n', text: 't' },
      });
      await call('DELETE', `/api/documents/nobody?scope_id=${scope_id}`, { tenantKey: body.api_key });
      await call('POST', `/admin/scopes/${scope_id}/reset`, { key: admin, tenantKey: body.api_key });
    }
    const { body: text } = await call('GET', `/admin/audit/export?tenant_id=${tenantId}&action=key.issued`, {
      key: admin,
    });
    expect(text).not.toMatch(/[\r\u0085\u2028\u2029]/);
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line: string) => JSON.parse(line).after.label)).toEqual(['first key', ...labels]);
    for (const label of ['\0', '\ud83d', 'x'.repeat(201)]) {
      const refused = await call('POST', `/admin/tenants/${tenantId}/keys`, {
        key: admin,
        body: JSON.stringify({ label }),
      });
      expect(refused.status).toBe(400);
    }
    expect(await list({ tenant_id: tenantId, action: 'key.issued' })).toHaveLength(5);
  });
});

describe('what', () => {
  it('has what was changed, before and after, and a long name only in part', async () => {
    const { tenantId } = await service.newTenant('Acme');
    const change = (body: object) => call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body });
    const latest = async () => (await list({ tenant_id: tenantId, action: 'tenant.changed', limit: '1' }))[0];
    await change({ limits: { burst: 7, scopes: 3 } });
    const none = { burst: null, scopes: null };
    expect(await latest()).toMatchObject({ before: { limits: none }, after: { limits: { burst: 7, scopes: 3 } } });
    await change({ name: `🙂${'x🙂'.repeat(10_000)}`, limits: { burst: 7, scopes: null } });
    const { before, after } = (await latest()) as unknown as { before: object; after: { name: string } };
    expect(before).toEqual({ name: 'Acme', limits: { scopes: 3 } });
    expect(after).toEqual({ name: expect.stringMatching(/^🙂x🙂/u), limits: { scopes: null } });
    expect([after.name.length <= 200, after.name.isWellFormed(), after.name.endsWith('…')]).toEqual([true, true, true]);
  });

  it('has no key in it, wherever somebody has written one', async () => {
    const { tenantId, key } = await service.newTenant('Acme');
    const prefix = key.slice(0, 11);
    const labelled = await call('POST', `/admin/tenants/${tenantId}/keys`, {
      key: admin,
      body: { label: `is ${key}` },
    });
    await call('PATCH', `/admin/tenants/${tenantId}`, {
      key: admin,
      body: { name: `"${key}"\n${'x'.repeat(150)}${key}` },
    });
    const body = { tenant_id: tenantId, reason: `leaked: ${key}` };
    await call('POST', '/admin/runtime/pause', { key: admin, body });
    await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', document_id: 'd', name: 'n', text: 't' } });
    await call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: labelled.body.api_key });
    const entries = await list({ tenant_id: tenantId });
    expect(JSON.stringify(entries)).not.toContain(key.slice(0, 14));
    const byAction = Object.fromEntries(entries.map((entry) => [entry.action, entry]));
    expect(byAction['runtime.paused']?.after).toEqual({ state: 'paused', reason: `leaked: ${prefix}_…` });
    expect(byAction['tenant.changed']?.after).toEqual({ name: expect.stringMatching(`^"${prefix}_…"\n`) });
    expect(byAction['document.deleted']?.actor.label).toBe(`is ${prefix}_…`);
  });

  it('is nothing where nothing was changed', async () => {
    const { tenantId, key: tenantKey } = await service.newTenant('Acme');
    const keys = `/admin/tenants/${tenantId}/keys`;
    const { body: other } = await call('POST', keys, { key: admin });
    const runtime = (action: string) =>
      call('POST', `/admin/runtime/${action}`, { key: admin, body: { tenant_id: tenantId } });
    await runtime('pause');
    await call('DELETE', `${keys}/${other.key_prefix}`, { key: admin });
    const before = await list({ tenant_id: tenantId });
    expect((await runtime('pause')).body.changed).toBe(false);
    expect((await call('DELETE', `${keys}/${other.key_prefix}`, { key: admin })).status).toBe(204);
    for (const body of [{ name: 'Acme' }, { limits: {} }, { limits: { burst: null } }])
      expect((await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body })).status).toBe(200);
    // Refused, missing, and of a key that is not enough.
    expect((await call('DELETE', '/admin/scopes/nowhere', { key: admin, tenantKey })).status).toBe(404);
    expect((await call('DELETE', '/admin/scopes/nowhere', { key: tenantKey, tenantKey })).status).toBe(401);
    expect((await call('POST', `${keys}/${other.key_prefix}/rotate`, { key: admin })).status).toBe(409);
    expect(await list({ tenant_id: tenantId })).toEqual(before);
  });

  it('goes with the change: neither is there without the other', async () => {
    const { tenantId, key: tenantKey } = await service.newTenant();
    await call('POST', '/admin/scopes', { key: admin, tenantKey, body: { scope_id: 'stays' } });
    const before = await list({ tenant_id: tenantId });
    const refusing = async (table: string, check: string) => {
      await db.query(`alter table ${table} add constraint planted check (${check}) not valid`);
      const { status } = await call('DELETE', '/admin/scopes/stays', { key: admin, tenantKey });
      await db.query(`alter table ${table} drop constraint planted`);
      const scopes = (await call('GET', '/admin/scopes', { key: admin, tenantKey })).body.scopes;
      return [status, scopes.length, await list({ tenant_id: tenantId })];
    };
    expect(await refusing('events', `type <> 'scope.deleted'`)).toEqual([500, 1, before]);
    expect(await refusing('audit_log', `action <> 'scope.deleted'`)).toEqual([500, 1, before]);
  });

  it('is a text that an operator has read, once for each time, and never for its tenant', async () => {
    const { tenantId, key: tenantKey } = await service.newTenant();
    const text = 'what-only-the-tenant-knows';
    await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', document_id: 'd', name: 'n', text } });
    const path = `/admin/tenants/${tenantId}/scopes/s/documents/d/text`;
    const read = await call('GET', path, { key: admin });
    expect(read.body.text).toBe(text);
    const tag = read.headers.get('etag') ?? '';
    expect((await call('GET', path, { key: admin, headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await call('GET', `${path}?version=7`, { key: admin })).status).toBe(404);
    await call('GET', '/api/documents/d/text?scope_id=s', { tenantKey });
    const told = await list({ tenant_id: tenantId, action: 'document.text_read' });
    expect(told).toMatchObject([{ scope_id: 's', subject: 'd', after: { version: 1 }, before: null }]);
    expect(JSON.stringify(await exported({ tenant_id: tenantId }))).not.toContain(text);
    // Who cannot be noted is shown nothing.
    await db.query(`alter table audit_log add constraint planted check (action <> 'document.text_read') not valid`);
    const refused = await call('GET', path, { key: admin });
    await db.query('alter table audit_log drop constraint planted');
    expect([refused.status, JSON.stringify(refused.body).includes(text)]).toEqual([500, false]);
  });
});

describe('from where', () => {
  const from = async (asked: TestService, forwarded: Record<string, string>) => {
    const headers = { 'x-request-id': `from-${Math.random()}`, ...forwarded };
    const { body } = await asked.call('POST', '/admin/tenants', { key: admin, body: { name: 'n' }, headers });
    return (await list({ tenant_id: body.tenant_id, action: 'tenant.created' }, asked))[0]?.address;
  };
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' };

  it('is who connects, whatever it says of itself', async () => {
    expect(await from(service, forged)).toBe('127.0.0.1');
  });

  it('is what a trusted proxy says, and nothing that came to it', async () => {
    const DATABASE_URL = service.databaseUrl;
    const behind = await startTestService({ settings: { DATABASE_URL, TRUST_PROXY: 'loopback,10.0.0.0/8' } });
    expect(await from(behind, {})).toBe('127.0.0.1');
    for (const [header, address] of [
      ['203.0.113.9', '203.0.113.9'],
      ['1.2.3.4, 203.0.113.9', '203.0.113.9'],
      ['1.2.3.4, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
      ['2001:db8::7', '2001:db8::7'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      // Of a proxy that passes on what it does not know.
      [`fe80::1%${'z'.repeat(5000)}`, 'fe80::1'],
      ['<script>', '127.0.0.1'],
      ['unknown', '127.0.0.1'],
      [`${'9'.repeat(3000)}`, '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const)
      expect([header.slice(0, 40), await from(behind, { 'x-forwarded-for': header })]).toEqual([
        header.slice(0, 40),
        address,
      ]);
  });

  it('is who connects, when that is no proxy of ours', async () => {
    const settings = { DATABASE_URL: service.databaseUrl, TRUST_PROXY: '10.0.0.0/8' };
    expect(await from(await startTestService({ settings }), forged)).toBe('127.0.0.1');
  });
});

describe('the log', () => {
  it('cannot be changed, and goes by its age alone', async () => {
    await fill(1, { actor: `'da_mine0000'` });
    const refused = { message: expect.stringContaining('the audit log is only added to') };
    await expect(db.query(`update audit_log set actor = 'nobody'`)).rejects.toMatchObject(refused);
    await expect(db.query('delete from audit_log')).rejects.toMatchObject(refused);
    await expect(db.query('truncate audit_log')).rejects.toMatchObject(refused);
    const asTrimmer = db.transaction(async (tx) => {
      await tx.query(`set local docket.trims_audit_log = 'on'`);
      await tx.query('delete from audit_log');
    });
    await expect(asTrimmer).rejects.toMatchObject(refused);
    expect(await list({ actor: 'da_mine0000' })).toHaveLength(1);

    await fill(1500, { at: `now() - interval '401 days'`, actor: `'da_old00000'` });
    await fill(10, { at: `now() - interval '399 days'`, actor: `'da_old00000'` });
    expect([await trimAudit(db, 400), await trimAudit(db, 400), await trimAudit(db, 400)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await list({ actor: 'da_old00000', limit: '200' })).toHaveLength(10);
    expect(await list({ actor: 'da_mine0000' })).toHaveLength(1);
  });

  it('is read page by page, the newest first, by who, what, whose and when', async () => {
    const [one, two] = [await service.newTenant(), await service.newTenant()];
    for (const { tenantId, key } of [one, two, one])
      await call('POST', '/admin/scopes', { key: admin, tenantKey: key, body: { name: tenantId } });
    const paged: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/admin/audit?limit=1&tenant_id=${one.tenantId}${cursor && `&cursor=${cursor}`}`;
      const { body } = await call('GET', path, { key: admin });
      expect(body.entries.length).toBeLessThanOrEqual(1);
      paged.push(...body.entries);
      cursor = body.next_cursor;
    }
    expect(paged.map(({ action }) => action)).toEqual([
      ...['scope.created', 'scope.created', 'key.issued', 'tenant.created'],
    ]);
    expect(await list({ tenant_id: one.tenantId })).toEqual(paged);
    expect(await exported({ tenant_id: one.tenantId })).toEqual(paged.toReversed());
    expect(await list({ tenant_id: one.tenantId, actor: admin.slice(0, 11) })).toEqual(paged.slice(0, 2));
    expect(await list({ tenant_id: one.tenantId, action: 'key.issued' })).toEqual(paged.slice(2, 3));
    expect(await list({ tenant_id: 'ten_nobody' })).toEqual([]);
    const [first, second] = paged.toReversed() as [Entry, Entry];
    const times = { tenant_id: one.tenantId, from: first.at, to: new Date(Date.parse(second.at) + 1).toISOString() };
    expect((await list(times)).map(({ audit_id }) => audit_id)).toEqual([second.audit_id, first.audit_id]);
    expect(await list({ ...times, to: first.at })).toEqual([]);
    expect(await exported({ ...times, from: '1969-01-01T00:00:00Z', to: '9999-12-31T23:59:59-12:00' })).toHaveLength(4);
    expect(
      await list({ tenant_id: one.tenantId, from: '0000-01-01T00:00:00Z', to: '0001-01-01T00:00:00+12:00' }),
    ).toEqual([]);
  });

  it('looks at so many rows only for a page, and says where it goes on', async () => {
    await fill(12_000, { tenant: `'ten_long'`, action: `case n when 1 then 'scope.reset' else 'scope.created' end` });
    const found: Entry[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const path = `/admin/audit?tenant_id=ten_long&action=scope.reset${cursor && `&cursor=${cursor}`}`;
      const { body } = await call('GET', path, { key: admin });
      found.push(...body.entries);
      cursor = body.next_cursor;
    }
    expect([pages, found.length]).toEqual([3, 1]);
    expect(await exported({ tenant_id: 'ten_long', action: 'scope.reset' })).toEqual(found);
    expect(await exported({ tenant_id: 'ten_long' })).toHaveLength(12_000);
  });

  it.each([
    ['action=scope.exploded', 'query/action'],
    ['from=yesterday', 'query/from'],
    ['to=2099-02-30T00:00:00Z', 'query/to'],
    ['actor=', 'query/actor'],
    ['who=me', 'query/who'],
    ['limit=201', 'query/limit'],
    ['cursor=x', 'query/cursor'],
    [`cursor=${Buffer.from('audit 99999999999999999 1').toString('base64url')}`, 'query/cursor'],
    [`cursor=${Buffer.from('audit 1').toString('base64url')}`, 'query/cursor'],
  ])('%s is 400', async (query, path) => {
    const { status, body } = await call('GET', `/admin/audit?${query}`, { key: admin });
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  it('takes dates in small letters too', async () => {
    await service.newTenant();
    expect(await list({ from: '2999-01-01t00:00:00z' })).toEqual([]);
    expect(await list({ to: '2999-01-01t00:00:00z', limit: '1' })).toHaveLength(1);
    expect(await list({ actor: 'command', limit: '1' })).toEqual([]);
  });

  it('takes any place for a cursor that could be one', async () => {
    for (const place of ['0 0', `${'9'.repeat(14)} ${'9'.repeat(18)}`]) {
      const cursor = Buffer.from(`audit ${place}`).toString('base64url');
      expect((await call('GET', `/admin/audit?cursor=${cursor}`, { key: admin })).status).toBe(200);
    }
  });
});

describe('an export', () => {
  /** More than the systems of both sides take of it before anybody reads. */
  const large = () => fill(20_000, { actor: `'da_large000'`, after: `jsonb_build_object('x', repeat('x', 1000))` });
  function open(query = ''): { head: Promise<string>; close: () => void } {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    later(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET /admin/audit/export${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin}\r\n\r\n`);
    // It reads the beginning, and no more.
    const head = new Promise<string>((resolve) =>
      socket.once('data', (data: Buffer) => {
        socket.pause();
        resolve(data.toString('latin1', 0, 200));
      }),
    );
    return { head, close: () => socket.destroy() };
  }

  it('is one of four at most, and holds no connection to Postgres while nobody reads', async () => {
    await large();
    const readers = Array.from({ length: 4 }, () => open());
    for (const { head } of readers) expect(await head).toContain('HTTP/1.1 200');
    const refused = await call('GET', '/admin/audit/export', { key: admin });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    await until(
      async () =>
        (
          await db.query(
            `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
                and application_name like 'docket%' and query like '%audit_log%'`,
          )
        ).rows.length,
      (busy) => busy === 0,
    );
    for (const { close } of readers) close();
    await until(
      async () => (await call('GET', '/admin/audit/export?actor=nobody', { key: admin })).status,
      (status) => status === 200,
    );
  });

  it('has all that was there when it began, and nothing twice', async () => {
    const entries = await exported({ actor: 'da_large000' });
    expect(new Set(entries.map(({ audit_id }) => audit_id)).size).toBe(20_000);
  });

  it('is refused before its first byte, as any other answer', async () => {
    expect((await call('GET', '/admin/audit/export')).status).toBe(401);
    expect((await call('GET', '/admin/audit/export?limit=1', { key: admin })).status).toBe(400);
    expect((await call('HEAD', '/admin/audit/export', { key: admin })).status).toBe(405);
  });
});
