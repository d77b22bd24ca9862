import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

it('says that documents can be accepted, to anybody', async () => {
  const { call } = await startTestService();
  expect(await call('GET', '/api/health')).toMatchObject({ status: 200, body: { status: 'ok', version: '0.1.0' } });
  expect((await call('HEAD', '/api/health')).status).toBe(200);
});

it('costs one query for many callers', async () => {
  const service = await startTestService();
  const calls = async () => {
    const { rows } = await service.db.query<{ n: string }>(
      `select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`,
    );
    return Number(rows[0]?.n);
  };
  const before = await calls();
  await Promise.all(Array.from({ length: 200 }, () => service.call('GET', '/api/health')));
  expect((await calls()) - before).toBeLessThan(20);
});

it('is all that a worker serves for tenants, beside what operators look at', async () => {
  const service = await startTestService({ settings: { ROLE: 'worker' } });
  const paths = new Set(service.app.routes.map(({ url }) => url).filter((url) => !url.startsWith('/internals/')));
  expect([...paths].sort()).toEqual(['/admin/control-plane/health', '/admin/health', '/api/health']);
});
