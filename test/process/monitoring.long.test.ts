/** Health and metrics while Postgres is stopped, or hangs: they answer soon, to keys that were good before, and say what is known. */
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { mintKey } from '../../src/domain/key-format.ts';
import { issueKey, revokeKey } from '../../src/domain/keys.ts';
import { RELEASE } from '../../src/storage/release.ts';
import { figure } from '../support/monitored.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** What asks Postgres waits so long; what comes before such an answer has not waited for it. */
const settings = { DB_TIMEOUT_MS: '30000', HANDLER_TIMEOUT_MS: '60000' };
/** With the key of its tier. */
const HEALTH = [
  ['internals', '/internals/kernel/health'],
  ['internals', '/internals/kernel/control-plane/health'],
  ['internals', '/internals/control-plane/health'],
  ['admin', '/admin/control-plane/health'],
] as const;

const metrics = ({ call }: TestService, key: string) => call('GET', '/internals/metrics', { key });
const postgresUp = async (service: TestService, up: 0 | 1) =>
  until(
    () => metrics(service, service.internals),
    ({ body }) => figure(body, 'docket_postgres_up') === up,
  );

/** Waits until nobody remembers the key any more: by then, this route looks it up, and cannot. */
const untilForgotten = (service: TestService) =>
  until(
    () => service.call('POST', '/internals/metrics', { key: service.internals }),
    ({ status }) => status === 503,
  );

async function start() {
  const postgres = await startOwnPostgres();
  const first = await startTestService({ settings: { ...settings, DATABASE_URL: postgres.url } });
  const tenant = await first.newTenant();
  for (const name of ['a', 'b', 'c'])
    await first.call('POST', '/api/ingest', { tenantId: tenant.tenantId, body: { scope_id: 's', name, text: name } });
  // It has begun after these keys were issued, and is shown the keys of the first one only after Postgres has gone.
  const second = await startTestService({ settings: { ...settings, DATABASE_URL: postgres.url } });
  const service = { ...second, admin: first.admin, internals: first.internals };
  return { postgres, service, tenant };
}

describe('while Postgres is stopped', () => {
  it('health and metrics answer keys that were good, and nobody else, until it is back', async () => {
    const { postgres, service, tenant } = await start();
    const { call, db, internals } = service;
    const revoked = await issueKey(db, 'internals', {}, BY_COMMAND_LINE);
    expect((await metrics(service, revoked.key)).status).toBe(200);
    await revokeKey(db, null, revoked.record.key_prefix, BY_COMMAND_LINE);
    await until(
      () => metrics(service, revoked.key),
      ({ status }) => status === 401,
    );

    await postgres.stop();
    await untilForgotten(service);
    const { status, body } = await metrics(service, internals);
    expect([status, figure(body, 'docket_postgres_up')]).toEqual([200, 0]);
    expect(body).toContain(`docket_build_info{version="0.1.0",release="${RELEASE}",node="v`);
    for (const path of ['/internals/health', '/admin/health'])
      expect(await call('GET', path, { key: internals })).toMatchObject({
        status: 200,
        body: { authTier: 'internals' },
      });
    for (const [tier, path] of HEALTH) {
      const health = await call('GET', path, { key: service[tier] });
      expect(health).toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { postgres: { status: 'down' } } },
      });
    }
    // An admin's key is one, and opens no more than before.
    expect((await metrics(service, service.admin)).status).toBe(403);
    for (const key of [revoked.key, mintKey('internals').key, mintKey('admin').key, tenant.key])
      expect((await metrics(service, key)).status).toBe(503);
    for (const key of ['nonsense', `${internals}x`, '']) expect((await metrics(service, key)).status).toBe(401);
    for (const path of ['/internals/kernel/hatchery/snapshot', '/admin/tenants', '/internals/kernel/convergence'])
      expect((await call('GET', path, { key: internals })).status).toBe(503);

    await postgres.start();
    await postgresUp(service, 1);
    expect((await metrics(service, revoked.key)).status).toBe(401);
  });
});

describe('while Postgres hangs', () => {
  it('health and metrics do not wait for it, and say what was known', async () => {
    const { postgres, service, tenant } = await start();
    const { call, internals } = service;
    const before = (await metrics(service, internals)).body;
    expect(figure(before, 'docket_backlog_documents')).toBe(3);
    postgres.freeze();

    // It waits for as long as the time-outs of the database say, once the key has to be looked up.
    const waiting = () => call('POST', '/internals/metrics', { key: internals });
    const isFirst = async (path: string, key: string) => {
      const other = waiting();
      const winner = await Promise.race([call('GET', path, { key }), other]);
      // While the key is remembered, this one is refused at once.
      if (winner.status === 405) return null;
      return winner;
    };
    const first = async (path: string, key: string) => await until(() => isFirst(path, key), Boolean);
    const known = await first('/internals/metrics', internals);
    expect([known?.status, figure(known?.body, 'docket_postgres_up')]).toEqual([200, 0]);
    expect(figure(known?.body, 'docket_backlog_documents')).toBe(3);
    expect(figure(known?.body, 'docket_service_figures_age_seconds')).toBeGreaterThan(0);
    for (const [tier, path] of HEALTH) {
      const health = await first(path, service[tier]);
      expect(health).toMatchObject({
        status: 503,
        body: { runtime: 'running', checks: { postgres: { status: 'down' } } },
      });
      expect(health?.body.checks.postgres.detail).toMatch(/of \d{4}-\d\d-\d\dT/);
    }
    expect(await first('/admin/health', service.admin)).toMatchObject({ status: 200 });

    // However many ask at once: they share what is asked, and their answers come before that is given up.
    const other = waiting().then(() => 'Postgres was given up');
    const scrapes = Promise.all(Array.from({ length: 300 }, () => metrics(service, internals)));
    const many = await Promise.race([scrapes, other]);
    expect(many).not.toBe('Postgres was given up');
    expect(new Set((many as Awaited<typeof scrapes>).map(({ status }) => status))).toEqual(new Set([200]));
    // Those whom nobody knows are let in by none of this.
    const strangers = [mintKey('internals').key, tenant.key].map((key) => metrics(service, key));

    postgres.thaw();
    await postgresUp(service, 1);
    for (const { status } of await Promise.all(strangers)) expect([401, 503]).toContain(status);
    const { checks } = (await call('GET', '/internals/kernel/health', { key: internals })).body;
    expect(checks.postgres).toEqual({ status: 'up' });
  });
});
