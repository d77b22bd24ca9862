/** A document of very many versions that is deleted takes what it said with it, and the running service purges the rest. */
import { expect, it } from 'vitest';
import { auditScope } from '../support/audit.ts';
import { withVerbs } from '../support/kernel.ts';
import { addOlderVersions } from '../support/many-versions.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const VERSIONS = 3000;

it('with its contradictions at once, with its rows soon', async () => {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
  const tenant = await service.newTenant();
  const { tenantId, key: tenantKey } = tenant;
  await service.ingest(tenant, 'acme', 'Acme Robotics has 1,900 employees.', { document_id: 'many' });
  await service.ingest(tenant, 'acme', 'Acme Robotics has 2,310 employees.', { document_id: 'stays' });
  await service.processed(tenant, 'acme', 2);
  await addOlderVersions(service.db, { tenantId, scopeId: 'acme', documentId: 'many' }, VERSIONS);
  expect(await service.summary(tenant, 'acme')).toMatchObject({
    documents: { total: VERSIONS + 2, superseded: VERSIONS },
    contradictions: { open: 1 },
  });

  const remove = () => service.call('DELETE', '/api/documents/many?scope_id=acme', { tenantKey });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  expect(await service.summary(tenant, 'acme')).toMatchObject({
    documents: { total: 1, processed: 1, superseded: 0 },
    contradictions: { open: 0 },
  });
  const list = await service.call('GET', '/admin/scopes/acme/documents', { key: service.admin, tenantKey });
  expect(list.body.documents.map(({ document_id }: { document_id: string }) => document_id)).toEqual(['stays']);
  expect((await service.call('GET', '/api/documents/many?scope_id=acme', { tenantKey })).status).toBe(404);

  await service.ingest(tenant, 'acme', 'Acme Robotics has 2,000 employees.', { document_id: 'many' });
  await service.processed(tenant, 'acme', 2);
  expect(await service.document(tenant, 'acme', 'many')).toMatchObject({ version: 1, seq: VERSIONS + 2 });
  expect(await service.summary(tenant, 'acme')).toMatchObject({ documents: { total: 2 }, contradictions: { open: 1 } });
  expect(await auditScope(service.db, tenantId, 'acme')).toEqual([]);

  const left = await until(
    async () =>
      (
        await service.db.query<{ purges: number; documents: number; contents: number }>(
          `select (select count(*)::int from document_purges) as purges, (select count(*)::int from documents) as documents,
                  (select count(*)::int from document_contents) as contents`,
        )
      ).rows[0],
    (rows) => rows?.purges === 0,
  );
  expect(left).toMatchObject({ documents: 2, contents: 2 });
});
