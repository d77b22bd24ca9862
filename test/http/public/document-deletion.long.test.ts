/** A document of 200,000 versions is deleted at once, and purged while its scope is posted to and read. */
import { expect, it } from 'vitest';
import { withVerbs } from '../../support/kernel.ts';
import { addOlderVersions } from '../../support/many-versions.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const VERSIONS = 200_000;
/** It takes some 30 ms on a busy machine; one transaction that deletes them all takes seconds. */
const AT_ONCE_MS = 1000;
/** Met only when it does not come at all. */
const PURGED_MS = 180_000;
/** Whoever posts and reads without a pause takes the core that the purge needs. */
const LOOK_MS = 250;

it('answers at once, and every row goes', async () => {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
  const { call, admin, db } = service;
  const tenant = await service.newTenant();
  const { tenantId, key: tenantKey } = tenant;
  await service.ingest(tenant, 's', 'Stone.', { document_id: 'many' });
  await service.processed(tenant, 's', 1);
  await addOlderVersions(db, { tenantId, scopeId: 's', documentId: 'many' }, VERSIONS);

  const since = performance.now();
  expect((await call('DELETE', '/api/documents/many?scope_id=s', { tenantKey })).status).toBe(204);
  const took = performance.now() - since;
  let posts = 0;
  const list = async () => (await call('GET', '/admin/scopes/s/documents', { key: admin, tenantKey })).body;
  await until(
    async () => {
      await service.ingest(tenant, 's', `text ${posts++}`);
      // Its rows may fill a page: of them nothing is shown, and who reads on comes to the others.
      const { documents, next_cursor } = await list();
      expect(documents).not.toContainEqual(expect.objectContaining({ document_id: 'many' }));
      if (documents.length < Math.min(posts, 50)) expect(next_cursor).not.toBeNull();
      return (await db.query('select from document_purges')).rowCount;
    },
    (purges) => purges === 0,
    PURGED_MS,
    LOOK_MS,
  );
  expect((await list()).documents).toHaveLength(Math.min(posts, 50));
  expect(took).toBeLessThan(AT_ONCE_MS);
  const { rows } = await db.query(
    `select (select count(*)::int from documents) as documents, (select count(*)::int from document_contents) as contents`,
  );
  expect(rows).toEqual([{ documents: posts, contents: posts }]);
  const { rows: events } = await db.query(`select payload from events where type = 'document.deleted'`);
  expect(events).toEqual([{ payload: { document_id: 'many', versions: VERSIONS + 1 } }]);
});
