/** GET /admin/documents, POST /admin/documents/retry and the life of a document, as an operator uses them; on two replicas. */
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { addFailed } from '../../support/failed.ts';
import { startTestKernel } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const kernel = await startTestKernel({ settings: () => ({}) }, { DOCUMENT_ATTEMPTS: '2', RETRY_BASE_MS: '10' });
const replica = await startTestService({ settings: { DATABASE_URL: kernel.databaseUrl } });
const { admin, internals, db, call } = kernel;
const [one, two] = [await kernel.newTenant('one'), await kernel.newTenant('two')];

const find = async (query: string) => (await replica.call('GET', `/admin/documents?${query}`, { key: admin })).body;
const retry = async (body: object) => (await replica.call('POST', '/admin/documents/retry', { key: admin, body })).body;
const life = async (tenantId: string, path: string) =>
  (await replica.call('GET', `/admin/tenants/${tenantId}/scopes/${path}`, { key: admin })).body;
const failed = (n: number) =>
  until(
    () => find('state=failed'),
    ({ documents }) => documents.length === n,
  );

it('finds all that has failed, shows why, and has those with one error tried again', async () => {
  for (const [tenant, scope] of [
    [one, 'a'],
    [one, 'b'],
    [two, 'a'],
  ] as const) {
    await kernel.ingest(tenant, scope, 'throw out-of-paper', { document_id: 'paper' });
    await kernel.ingest(tenant, scope, 'throw out-of-ink', { document_id: 'ink' });
    await kernel.ingest(tenant, scope, 'ok', { document_id: 'fine' });
  }
  const { documents, next_cursor } = await failed(6);
  expect(next_cursor).toBeNull();
  expect(documents[0]).not.toHaveProperty('nth');
  for (const document of documents)
    expect(document).toMatchObject({ state: 'failed', attempts: 2, error: `out-of-${document.document_id}` });
  expect((await find('error=out-of-ink')).documents.map(nameOf).sort()).toEqual(
    [`${one.tenantId} a ink`, `${one.tenantId} b ink`, `${two.tenantId} a ink`].sort(),
  );

  // What was wrong with them is mended.
  await db.query(`update document_contents set text = 'ok' where text = 'throw out-of-ink'`);
  const filter = { state: 'failed', error: 'out-of-ink' };
  expect(await retry({ ...filter, dry_run: true })).toMatchObject({ matched: 3, queued: 0, complete: true });
  expect(await failed(6)).toBeTruthy();
  expect(await retry(filter)).toMatchObject({ matched: 3, queued: 3, complete: true });
  await failed(3);
  for (const [tenant, scope] of [
    [one, 'a'],
    [one, 'b'],
    [two, 'a'],
  ] as const) {
    expect((await kernel.processed(tenant, scope, 2)).documents).toMatchObject({ failed: 1, queued: 0 });
    expect(await life(tenant.tenantId, `${scope}/documents/ink`)).toMatchObject({ attempts: 1, error: null });
  }
  expect((await kernel.events('b')).slice(-2)).toEqual(['document.queued ink', 'document.processed ink']);
  expect(await retry(filter)).toMatchObject({ matched: 0, queued: 0, complete: true });
});

const nameOf = ({ tenant_id, scope_id, document_id }: Record<string, string>) =>
  `${tenant_id} ${scope_id} ${document_id}`;

describe('GET /admin/documents', () => {
  it('200: by each filter, and by several', async () => {
    const names = async (query: string) => (await find(query)).documents.map(nameOf);
    expect(await names(`state=processed&tenant_id=${two.tenantId}`)).toEqual([
      `${two.tenantId} a ink`,
      `${two.tenantId} a fine`,
    ]);
    expect(await names(`state=failed&tenant_id=${one.tenantId}&scope_id=b`)).toEqual([`${one.tenantId} b paper`]);
    expect(await names(`tenant_id=${one.tenantId}&error=out-of`)).toHaveLength(2);
    expect(await names('')).toHaveLength(9);
    expect(await names('state=queued')).toEqual([]);
    expect(await names('state=failed&tenant_id=ten_nobody')).toEqual([]);
    expect(await names(`state=failed&tenant_id=${two.tenantId}&scope_id=b`)).toEqual([]);
    expect(await names('state=failed&older_than=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await names('state=failed&older_than=2999-01-01t00:00:00z')).toHaveLength(3);
    expect(await names(`state=failed&tenant_id=${one.tenantId}&older_than=2020-01-01T00:00:00Z`)).toEqual([]);
  });

  it('200: by its id, in whichever scopes it is, and of each only the newest version', async () => {
    const found = async (query: string) => (await find(`document_id=fine${query}`)).documents;
    const scopes = [`${one.tenantId} a fine`, `${one.tenantId} b fine`, `${two.tenantId} a fine`].sort();
    expect((await found('')).map(nameOf)).toEqual(scopes);
    expect((await found(`&tenant_id=${two.tenantId}`)).map(nameOf)).toEqual([`${two.tenantId} a fine`]);
    expect((await found(`&tenant_id=${one.tenantId}&scope_id=b`)).map(nameOf)).toEqual([`${one.tenantId} b fine`]);
    expect(await found('&state=failed')).toEqual([]);
    expect(await found('&older_than=2020-01-01T00:00:00Z')).toEqual([]);
    expect((await find('document_id=fin')).documents).toEqual([]);
    expect((await find('document_id=ink&error=out-of')).documents).toEqual([]);
    // What has no error has none that begins so.
    expect(await found('&state=processed&error=Reading')).toEqual([]);
    expect((await find('state=processed&error=Reading')).documents).toEqual([]);
    await kernel.ingest(two, 'again', 'ok', { document_id: 'fine-again' });
    await kernel.processed(two, 'again', 1);
    await kernel.ingest(two, 'again', 'ok, and more', { document_id: 'fine-again' });
    await until(
      () => find('document_id=fine-again'),
      ({ documents }) => documents[0].version === 2 && documents[0].state === 'processed',
    );
    expect((await find('document_id=fine-again')).documents).toHaveLength(1);
    await call('DELETE', '/api/documents/fine-again?scope_id=again', { tenantKey: two.key });
    expect((await find('document_id=fine-again')).documents).toEqual([]);
  });

  it('200: what is queued, and what is in work', async () => {
    await kernel.control('pause');
    await kernel.ingest(one, 'held', 'ok');
    expect((await find('state=queued')).documents).toMatchObject([{ scope_id: 'held', state: 'queued' }]);
    await kernel.control('start');
    await kernel.processed(one, 'held', 1);
  });

  it('200: page by page, with cursors of its own', async () => {
    const queries = ['state=failed', 'error=out-of-paper', `tenant_id=${one.tenantId}`, 'state=processed'];
    for (const query of [...queries, 'document_id=fine', 'document_id=paper&state=failed']) {
      const all = (await find(query)).documents.map(nameOf);
      const paged: string[] = [];
      for (let cursor = ''; ; ) {
        const { documents, next_cursor } = await find(`${query}&limit=1${cursor}`);
        expect(documents.length).toBeLessThanOrEqual(1);
        paged.push(...documents.map(nameOf));
        if (next_cursor === null) break;
        cursor = `&cursor=${next_cursor}`;
      }
      expect(paged).toEqual(all);
    }
  });

  it.each([
    'scope_id=a',
    'state=nonsense',
    'limit=0',
    'older_than=yesterday',
    'error=',
    'document_id=',
    'nonsense=1',
    `cursor=${encodeCursor('documents', '0')}`,
    `state=failed&cursor=${encodeCursor('failed', '99999999999999999999 1 1 1')}`,
    `state=failed&cursor=${encodeCursor('failed', '1 99999999999999999999 1 1')}`,
    `error=e&cursor=${encodeCursor('failed', '1 1 1 1')}`,
    `error=e&cursor=${encodeCursor('failed by error', '1 1 1 1 a\0b')}`,
    `cursor=${encodeCursor('documents of scopes', 'a b')}`,
    `document_id=d&cursor=${encodeCursor('documents of scopes', 'a b 1')}`,
  ])('400: %s', async (query) => {
    expect((await call('GET', `/admin/documents?${query}`, { key: admin })).status).toBe(400);
  });

  it('401 without an operator’s key, and with a tenant’s', async () => {
    for (const options of [{}, { tenantKey: one.key }, { key: one.key }]) {
      expect((await call('GET', '/admin/documents', options)).status).toBe(401);
      const body = { state: 'failed' };
      expect((await call('POST', '/admin/documents/retry', { ...options, body })).status).toBe(401);
    }
    expect((await call('GET', '/admin/documents', { key: internals })).status).toBe(200);
  });
});

describe('POST /admin/documents/retry', () => {
  const held = { error: 'Held.' };
  const nameIn = (scope_id: string, document_id: string, { tenantId } = two) => ({
    ...{ tenant_id: tenantId, scope_id, document_id },
  });

  it('200: by ids, once each, and only those that have failed', async () => {
    await kernel.control('pause', two);
    const ids = [
      ...[nameIn('a', 'paper'), nameIn('a', 'paper'), nameIn('a', 'fine'), nameIn('a', 'none'), nameIn('none', 'x')],
      nameIn('a', 'paper', { tenantId: 'ten_nobody', key: '' }),
    ];
    expect(await retry({ ids, dry_run: true })).toMatchObject({ matched: 1, queued: 0, complete: true });
    expect(await retry({ ids, error: 'something else' })).toMatchObject({ matched: 0, queued: 0, complete: true });
    expect(await retry({ ids, tenant_id: one.tenantId })).toMatchObject({ matched: 0, queued: 0 });
    expect(await retry({ ids })).toMatchObject({ matched: 1, queued: 1, complete: true });
    expect(await retry({ ids })).toMatchObject({ matched: 0, queued: 0, complete: true });
    // A tenant that is paused has it queued, and no more.
    expect(await kernel.document(two, 'a', 'paper')).toMatchObject({ state: 'queued', attempts: 0, error: null });
    await kernel.control('start', two);
    await until(
      () => kernel.document(two, 'a', 'paper'),
      ({ state, attempts }) => state === 'failed' && attempts === 2,
    );
  });

  it('200: is noted, by ids each document, and by a filter what was looked for', async () => {
    await kernel.control('pause', two);
    await kernel.ingest(two, 'noted', 'ok');
    await addFailed(db, { tenantId: two.tenantId, scopeId: 'noted' }, 3, { error: `'Noted.'` });
    const latest = async (limit: number) => {
      const query = `action=document.retried&tenant_id=${two.tenantId}&limit=${limit}`;
      return (await call('GET', `/admin/audit?${query}`, { key: admin })).body.entries;
    };
    await retry({ ids: [nameIn('noted', 'f1'), nameIn('noted', 'f2')] });
    const each = await latest(2);
    expect(each.map(({ subject }: { subject: string }) => subject).sort()).toEqual(['f1', 'f2']);
    expect(each[0]).toMatchObject({ scope_id: 'noted', after: { version: 1 } });
    const { older_than } = await retry({ error: 'Noted', tenant_id: two.tenantId });
    const filter = { state: 'failed', error: 'Noted', older_than };
    expect(await latest(1)).toMatchObject([{ scope_id: 'noted', subject: null, after: { queued: 1, filter } }]);
    await kernel.control('start', two);
    await kernel.processed(two, 'noted', 4);
  });

  it('200: only the newest version of a document, and those of others by the filter', async () => {
    await kernel.ingest(two, 'versions', 'throw first', { document_id: 'v' });
    await until(
      () => kernel.document(two, 'versions', 'v'),
      ({ state }) => state === 'failed',
    );
    await kernel.ingest(two, 'versions', 'throw second', { document_id: 'v' });
    await until(
      () => kernel.document(two, 'versions', 'v'),
      ({ state, version }) => state === 'failed' && version === 2,
    );
    await db.query(`update document_contents set text = 'ok' where text = 'throw second'`);
    expect(await retry({ ids: [nameIn('versions', 'v')] })).toMatchObject({ matched: 1, queued: 1 });
    await kernel.processed(two, 'versions', 1);

    const whole = await life(two.tenantId, 'versions/documents/v?limit=1');
    expect(whole).toMatchObject({ version: 2, state: 'processed', contradictions: 0, versions: [{ version: 2 }] });
    const older = await life(two.tenantId, `versions/documents/v?limit=1&cursor=${whole.next_cursor}`);
    expect(older).toMatchObject({
      version: 2,
      versions: [{ version: 1, state: 'superseded', seq: 0 }],
      next_cursor: null,
    });
    expect(await retry({ tenant_id: two.tenantId, scope_id: 'versions' })).toMatchObject({ matched: 0, queued: 0 });
  });

  it('200: more than a piece, of several tenants, whose scopes are as they should be afterwards', async () => {
    for (const tenant of [one, two]) {
      await kernel.control('pause', tenant);
      await kernel.ingest(tenant, 'many', 'ok');
      await addFailed(db, { tenantId: tenant.tenantId, scopeId: 'many' }, 1700, { error: `'Held.'` });
    }
    // Two at once: the visible effect once.
    const answers = await Promise.all([retry(held), retry(held), retry({ ...held, tenant_id: one.tenantId })]);
    expect(answers.reduce((sum, { queued }) => sum + queued, 0)).toBe(3400);
    for (const tenant of [one, two]) {
      expect((await kernel.summary(tenant, 'many')).documents).toMatchObject({ failed: 0, queued: 1701, total: 1701 });
      const { rows } = await db.query<{ n: number }>(
        `select count(*)::int as n from events where tenant_id = $1 and scope_id = 'many' and type = 'document.queued'`,
        [tenant.tenantId],
      );
      expect(rows).toEqual([{ n: 1701 }]);
      await kernel.control('start', tenant);
      await kernel.processed(tenant, 'many', 1701);
    }
  });

  it('200: what fails again is not tried again by a loop that tells when it began', async () => {
    await kernel.ingest(one, 'loop', 'ok');
    await kernel.processed(one, 'loop', 1);
    await addFailed(db, { tenantId: one.tenantId, scopeId: 'loop' }, 5, { error: `'again'`, text: 'throw again' });
    const { older_than, queued } = await retry({ error: 'again' });
    expect(queued).toBe(5);
    await until(
      () => find('error=again'),
      ({ documents }) => documents.length === 5,
    );
    expect(await retry({ error: 'again', older_than })).toMatchObject({
      matched: 0,
      queued: 0,
      complete: true,
      older_than,
    });
    expect(await retry({ error: 'again', dry_run: true })).toMatchObject({ matched: 5 });
  });

  it('200: tells no moment that is yet to come, and none before there were computers', async () => {
    const later = (await retry({ error: 'again', older_than: '2999-01-01t00:00:00z', dry_run: true })).older_than;
    expect(Date.parse(later)).toBeLessThan(Date.parse('2999-01-01T00:00:00Z'));
    const { older_than } = await retry({ error: 'again', older_than: '0000-01-01T00:00:00+14:00', dry_run: true });
    expect(older_than).toBe('1970-01-01T00:00:00.000Z');
  });

  it('200: by ids, also what has failed without an error', async () => {
    await kernel.ingest(one, 'silent', 'ok');
    await kernel.processed(one, 'silent', 1);
    await addFailed(db, { tenantId: one.tenantId, scopeId: 'silent' }, 1, { error: 'null' });
    expect(await retry({ ids: [nameIn('silent', 'f1', one)] })).toMatchObject({ matched: 1, queued: 1 });
    await kernel.processed(one, 'silent', 2);
  });

  it('200: waits for no scope that somebody has locked for long, and says that there is more', async () => {
    await kernel.ingest(one, 'locked', 'ok');
    await kernel.ingest(one, 'free', 'ok');
    for (const scopeId of ['locked', 'free']) {
      await kernel.processed(one, scopeId, 1);
      await addFailed(db, { tenantId: one.tenantId, scopeId }, 1, { error: `'Locked out.'` });
    }
    await db.transaction(async (tx) => {
      await tx.query(`select from scopes where scope_id = 'locked' for no key update`);
      expect(await retry({ error: 'Locked out.' })).toMatchObject({ matched: 2, queued: 1, complete: false });
    });
    expect(await retry({ error: 'Locked out.' })).toMatchObject({ matched: 1, queued: 1, complete: true });
    await kernel.processed(one, 'locked', 2);
    await kernel.processed(one, 'free', 2);
  });

  it('200: nothing of a scope that was reset, of a document that was deleted, or of a tenant that was', async () => {
    const gone = await kernel.newTenant();
    await kernel.control('pause', gone);
    for (const scopeId of ['reset', 'kept']) {
      await kernel.ingest(gone, scopeId, 'ok');
      await addFailed(db, { tenantId: gone.tenantId, scopeId }, 2, { error: `'Gone.'` });
    }
    await call('POST', '/admin/scopes/reset/reset', { key: admin, tenantKey: gone.key });
    await call('DELETE', '/api/documents/f1?scope_id=kept', { tenantKey: gone.key });
    expect(await retry({ error: 'Gone.', dry_run: true })).toMatchObject({ matched: 1 });
    await call('DELETE', `/admin/tenants/${gone.tenantId}`, { key: admin });
    expect(await retry({ error: 'Gone.' })).toMatchObject({ matched: 0, queued: 0, complete: true });
    expect(await retry({ ids: [nameIn('kept', 'f2', gone)] })).toMatchObject({ matched: 0 });
  });

  it.each([
    [{}],
    [{ dry_run: false }],
    [{ dry_run: true }],
    [{ state: 'queued' }],
    [{ scope_id: 'a' }],
    [{ ids: [] }],
    [{ ids: [{ tenant_id: 't', scope_id: 's' }] }],
    [{ ids: Array(201).fill({ tenant_id: 't', scope_id: 's', document_id: 'd' }) }],
    [{ dry_run: 'yes' }],
    [{ state: 'failed', older_than: '2026-02-30T00:00:00Z' }],
  ])('400: %j', async (body) => {
    expect((await call('POST', '/admin/documents/retry', { key: admin, body })).status).toBe(400);
  });
});

describe('the life of a document', () => {
  it('200: with when it was accepted, queued, taken and done', async () => {
    const document = await life(one.tenantId, 'a/documents/paper');
    expect(document).toMatchObject({ state: 'failed', attempts: 2, error: 'out-of-paper', next_cursor: null });
    const [version] = document.versions;
    expect(version).toMatchObject({ version: 1, state: 'failed', attempts: 2, error: 'out-of-paper' });
    const times = ['accepted_at', 'queued_at', 'started_at', 'finished_at'].map((name) => Date.parse(version[name]));
    expect(times).toEqual([...times].sort((earlier, later) => earlier - later));
  });

  it('400 for a cursor of another list, 404 for a document of another tenant', async () => {
    const path = (tenantId: string) => `/admin/tenants/${tenantId}/scopes/b/documents/paper`;
    const cursor = encodeCursor('documents', '1');
    expect((await call('GET', `${path(one.tenantId)}?cursor=${cursor}`, { key: admin })).status).toBe(400);
    expect((await call('GET', path(two.tenantId), { key: admin })).status).toBe(404);
    expect((await call('GET', path(one.tenantId), { tenantKey: one.key })).status).toBe(401);
  });
});
