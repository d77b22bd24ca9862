/** A batch that Postgres breaks off is nobody's fault: it is done again, whole and at once, and no attempt is counted. */
import { expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { startTestKernel } from '../support/kernel.ts';
import { startProxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';

/** Longer than a test may take: who waits for its end fails. */
const LONG_LEASE = '600000';
/** It runs out while the test goes on, and not while its holder waits for a busy machine. */
const SHORT_LEASE = '8000';

onBothBackends('a batch whose connection breaks', (backend) => {
  /** A node that accepts, and one that processes, whose way to Postgres can be cut. */
  async function start(leaseMs: string, more = {}) {
    const settings = backend.settings();
    const api = await startTestKernel(backend, { ...settings, ROLE: 'api' });
    const url = new URL(api.databaseUrl);
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
    url.port = `${proxy.port}`;
    const itsWay = { ROLE: 'worker', DATABASE_URL: url.href, LANE_LEASE_MS: leaseMs };
    await startTestKernel(backend, { ...settings, ...itsWay, ...more });
    const tenant = await api.newTenant();
    const post = (texts: string[], scope = 'cut') =>
      api.call('POST', '/api/ingest/batch', {
        tenantId: tenant.tenantId,
        body: { documents: texts.map((text, n) => ({ scope_id: scope, name: 'n', text, document_id: `d${n}` })) },
      });
    return { api, proxy, tenant, post };
  }

  // They wait for pauses and leases, each with services of its own: at once.
  it.concurrent.each([
    ['is done again as a whole', 'cutInsteadOfSending'],
    ['is done once when only the answer was lost', 'cutAfterSending'],
  ] as const)('%s', async (_what, cut) => {
    const { api, proxy, tenant, post } = await start(LONG_LEASE);
    proxy[cut]('settle_lanes');
    await post(Array(30).fill('ok'));
    await api.processed(tenant, 'cut', 30);
    expect(proxy.cuts()).toBe(1);
    const { rows } = await api.db.query('select distinct finished_at, attempts from documents');
    expect(rows).toMatchObject([{ attempts: 1 }]);
  });

  it.concurrent('costs a document that was alone no attempt', async () => {
    const { api, proxy, tenant, post } = await start(LONG_LEASE);
    proxy.cutInsteadOfSending('settle_lanes', 3);
    await post(['ok']);
    await api.processed(tenant, 'cut', 1);
    expect(proxy.cuts()).toBe(3);
    expect(await api.document(tenant, 'cut', 'd0')).toMatchObject({ attempts: 1 });
  });

  it.concurrent('costs a document that was alone no attempt while the disk is full, however often it is tried', async () => {
    const { api, tenant, post } = await start(LONG_LEASE, { DOCUMENT_ATTEMPTS: '1' });
    await api.db.query(`
      create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$
      begin
        perform nextval('refusals');
        raise 'no space left on device' using errcode = 'disk_full';
      end $$;
      create trigger full_disk before update of finished_at on documents for each statement execute function refuse()`);
    await post(['ok']);
    const tries = async () => (await api.db.query('select last_value::int as n from refusals')).rows[0]?.n;
    await until(tries, (n) => n > 6);
    await api.db.query('drop trigger full_disk on documents');
    await api.processed(tenant, 'cut', 1);
    expect(await api.document(tenant, 'cut', 'd0')).toMatchObject({ attempts: 1 });
  });

  it.concurrent('costs nobody an attempt while nobody gets through', async () => {
    const { api, proxy, tenant, post } = await start(LONG_LEASE, { DOCUMENT_ATTEMPTS: '1' });
    proxy.cutInsteadOfSending('settle_lanes', 12);
    await post(['ok'], 'one');
    await post(['ok'], 'two');
    for (const scope of ['one', 'two']) {
      await api.processed(tenant, scope, 1);
      expect(await api.document(tenant, scope, 'd0')).toMatchObject({ attempts: 1 });
    }
    expect(proxy.cuts()).toBe(12);
  });

  it.concurrent('is taken apart when that happens each time, and only the document that does it fails', async () => {
    const { api, proxy, tenant, post } = await start(SHORT_LEASE, { DOCUMENT_ATTEMPTS: '1' });
    proxy.cutInsteadOfSending('poison', 1000);
    await post(['ok', 'ok', 'ok poison', 'ok']);
    const failed = await until(
      () => api.document(tenant, 'cut', 'd2'),
      ({ state }) => state === 'failed',
    );
    expect(failed).toMatchObject({ attempts: 1, error: 'Its worker vanished each time it was processed.' });
    await api.processed(tenant, 'cut', 3);
  });
});
