import { expect, it } from 'vitest';
import { Health } from '../../../src/domain/health.ts';
import type { Queryable } from '../../../src/storage/database.ts';
import { SchemaWatch } from '../../../src/storage/schema-watch.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { startTestService } from '../../support/service.ts';

it('says that documents can be accepted, to anybody', async () => {
  const { call } = await startTestService();
  expect(await call('GET', '/api/health')).toMatchObject({ status: 200, body: { status: 'ok', version: '0.1.0' } });
  expect((await call('HEAD', '/api/health')).status).toBe(200);
});

it('costs one query for many callers', async () => {
  const db = connect(await newDatabase());
  let queries = 0;
  const counted: Queryable = {
    query: (sql, values) => {
      queries++;
      return db.query(sql, values);
    },
  };
  const health = new Health(counted, new SchemaWatch());
  const answers = await Promise.all(Array.from({ length: 200 }, () => health.whyUnavailable()));
  expect(answers).toEqual(Array(200).fill(null));
  expect(queries).toBe(1);
});

it('is all that a worker serves for tenants, beside what operators look at', async () => {
  const service = await startTestService({ settings: { ROLE: 'worker' } });
  const paths = new Set(service.app.routes.map(({ url }) => url).filter((url) => !url.startsWith('/internals/')));
  expect([...paths].sort()).toEqual([
    '/admin/control-plane/health',
    '/admin/health',
    '/api/health',
    '/livez',
    '/readyz',
  ]);
});
