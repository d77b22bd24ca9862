/** A process beside a database that another release has migrated: it says so, takes no work, and recovers by itself. */
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { RELEASE } from '../../src/storage/release.ts';
import { OTHER_SCHEMA, SchemaWatch } from '../../src/storage/schema-watch.ts';
import { newDatabase } from '../support/database.ts';
import { startTestKernel } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { until } from '../support/until.ts';

it('refuses posts with 503 and is unhealthy while what it asks for is missing', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) });
  const tenant = await kernel.newTenant();
  const post = () => kernel.ingest(tenant, 'acme', 'ok');
  const health = () => kernel.call('GET', '/api/health');
  const controlPlane = () => kernel.call('GET', '/admin/control-plane/health', { key: kernel.admin });
  expect((await post()).status).toBe(202);
  await kernel.processed(tenant, 'acme', 1);

  await kernel.db.query('alter function accept_new_documents_traced rename to accept_of_old');
  const refused = await post();
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', detail: OTHER_SCHEMA } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  const unhealthy = await until(health, ({ status }) => status === 503);
  expect(unhealthy.body).toMatchObject({ status: 'unavailable', detail: OTHER_SCHEMA });
  expect(await controlPlane()).toMatchObject({
    status: 503,
    body: { checks: { postgres: { status: 'down', detail: OTHER_SCHEMA } } },
  });
  expect(kernel.logged()).toContain('function accept_new_documents_traced');

  await kernel.db.query('alter function accept_of_old rename to accept_new_documents_traced');
  await until(health, ({ status }) => status === 200);
  await until(controlPlane, ({ status }) => status === 200);
  expect((await post()).status).toBe(202);
  await kernel.processed(tenant, 'acme', 2);
});

it('holds it against no document and no worker', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) });
  const tenant = await kernel.newTenant();
  await kernel.db.query('alter function settle_lanes rename to settle_lanes_of_old');
  await kernel.ingest(tenant, 'acme', 'ok', { document_id: 'a' });
  await until(
    () => kernel.call('GET', '/api/health'),
    ({ status }) => status === 503,
  );
  await kernel.db.query('alter function settle_lanes_of_old rename to settle_lanes');
  await kernel.processed(tenant, 'acme', 1);
  expect(await kernel.document(tenant, 'acme', 'a')).toMatchObject({ attempts: 1, error: null });
  expect(kernel.logged()).not.toContain('a worker crashed');
});

it('tries again after a while when something is missing within a function, and keeps its connection', async () => {
  const schema = new SchemaWatch(600);
  const db = openDatabase({ url: await newDatabase(), poolSize: 1, timeoutMs: 60_000, schema, onIdleError: () => {} });
  later(() => db.close());
  await db.query(
    `create function ask() returns int language plpgsql as $$ begin return (select count(*) from gone); end $$`,
  );
  const backend = async () => (await db.query('select pg_backend_pid() as pid')).rows;
  const before = await backend();
  expect(await schema.whyUnfit(db)).toBeNull();
  await expect(db.query('select ask()')).rejects.toMatchObject({ code: 'unavailable', message: OTHER_SCHEMA });
  expect(await schema.whyUnfit(db)).toBe(OTHER_SCHEMA);
  await until(
    () => schema.whyUnfit(db),
    (why) => why === null,
  );
  expect(await backend()).toEqual(before);
});

it('does not give up on everything for one faulty statement, unless the database was migrated', async () => {
  let now = 0;
  const schema = new SchemaWatch(600, () => now);
  const db = openDatabase({ url: await newDatabase(), poolSize: 1, timeoutMs: 60_000, schema, onIdleError: () => {} });
  later(() => db.close());
  schema.remember(db);
  const failAndWait = async (ms: number) => {
    await expect(db.query('select gone from tenants')).rejects.toMatchObject({ message: OTHER_SCHEMA });
    now += ms;
    return schema.whyUnfit(db);
  };
  expect(await failAndWait(501)).toBe(OTHER_SCHEMA);
  expect(await failAndWait(601)).toBeNull();
  await db.query(
    `insert into schema_versions (version, name, sha256, release) values (1000000, 'of a newer release', '', ${RELEASE + 1})`,
  );
  expect(await failAndWait(601)).toBe(OTHER_SCHEMA);
  now += 3_600_000;
  expect(await schema.whyUnfit(db)).toBe(OTHER_SCHEMA);
});
