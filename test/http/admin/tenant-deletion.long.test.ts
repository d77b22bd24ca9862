/** A tenant of very many scopes is deleted at once, and purged while others post. */
import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const SCOPES = 20_000;

it('answers at once, whatever it holds, and every row goes', async () => {
  const service = await startTestService();
  const { call, admin, db } = service;
  const large = await service.newTenant();
  const bystander = await service.newTenant();
  const post = (n: number) =>
    call('POST', '/api/ingest', {
      tenantId: bystander.tenantId,
      body: { scope_id: 's', name: 'n', text: `text ${n}` },
    });
  expect((await post(0)).status).toBe(202);
  await db.query(
    `with made as (
       insert into scopes (tenant_id, scope_id, name, next_seq, pending)
       select $1, 'scope-' || n, 'n', 1, 1 from generate_series(1, $2::int) n returning scope_key
     ), contents as (
       insert into document_contents (scope_key, generation, seq, name, type, text)
       select scope_key, 1, 0, 'n', 'txt', 't' from made
     )
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     select scope_key, 1, 0, 'd', 1, 'pending', '' from made`,
    [large.tenantId, SCOPES],
  );

  expect((await call('DELETE', `/admin/tenants/${large.tenantId}`, { key: admin })).status).toBe(204);
  let posts = 1;
  await until(
    async () => {
      expect((await post(posts++)).status).toBe(202);
      const left = `select (select count(*) from tenants where tenant_id = $1) as tenants, (select count(*) from purges) as purges`;
      return (await db.query<{ tenants: string; purges: string }>(left, [large.tenantId])).rows[0];
    },
    (left) => left?.tenants === '0' && left.purges === '0',
  );
  const { rows } = await db.query(
    `select (select count(*)::int from scopes) as scopes, (select count(*)::int from documents) as documents,
            (select count(*)::int from document_contents) as contents`,
  );
  expect(rows).toEqual([{ scopes: 1, documents: posts, contents: posts }]);
});
