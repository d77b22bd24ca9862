/** What happens to a scope while it is read again costs its documents no tries, and nobody's new work waits for that. */
import { expect, it } from 'vitest';
import { RULES } from '../../src/pipeline/claim.ts';
import { newHeld, startTestKernel } from '../support/kernel.ts';
import { makeOlder } from '../support/older-rules.ts';
import { until } from '../support/until.ts';

const SETTINGS = { WORKERS: '2', TENANT_LANES: '1', INDEX_CACHE_MB: '0' };

/** A scope of these documents, which older rules have read; the first is in hand until it is let go. */
async function startReading(documentIds: string[]) {
  const kernel = await startTestKernel({ settings: () => ({}) }, SETTINGS);
  const tenant = await kernel.newTenant();
  for (const document_id of documentIds) await kernel.ingest(tenant, 'old', 'ok', { document_id });
  await kernel.processed(tenant, 'old', documentIds.length);
  await kernel.control('pause');
  await makeOlder(kernel.db);
  const held = newHeld();
  await kernel.db.query('update document_contents set text = $1 where seq = 0', [held.text]);
  await kernel.control('start');
  const leased = async () =>
    (await kernel.db.query<{ epoch: string }>('select epoch from lanes where holder is not null')).rows;
  await until(leased, ({ length }) => length === 1);
  const remove = (documentId: string) =>
    kernel.call('DELETE', `/api/documents/${documentId}?scope_id=old`, { tenantKey: tenant.key });
  const turns = async () => (await kernel.db.query('select last_value from lane_epochs')).rows;
  return { kernel, tenant, held, remove, turns };
}

it('goes on with the others when a document is deleted, in the same turn', async () => {
  const { kernel, tenant, held, remove, turns } = await startReading(['held', 'gone', 'other']);
  const before = await turns();
  expect((await remove('gone')).status).toBe(204);
  held.letGo();
  await until(
    () => kernel.summary(tenant, 'old'),
    ({ rules }) => rules.applied === RULES,
  );
  expect(await turns()).toEqual(before);
  const { rows } = await kernel.db.query('select document_id, rules from readings order by seq');
  expect(rows).toEqual(['held', 'other'].map((document_id) => ({ document_id, rules: RULES })));
});

it('is no try when nothing of it is left, and takes no turn from new work', async () => {
  const { kernel, tenant, held, remove } = await startReading(['held']);
  await kernel.ingest(tenant, 'new', 'ok');
  // It is taken, though there may be no thread for it yet.
  await until(
    () => kernel.db.query("select from lanes where scope_id = 'new' and holder is not null"),
    ({ rowCount }) => rowCount === 1,
    20_000,
  );
  // What is there when it has ended is not taken again, so that it can be looked at.
  await kernel.db.query('update runtime set rereads = false');
  expect((await remove('held')).status).toBe(204);
  held.letGo();
  await until(
    () => kernel.db.query('select from lanes'),
    ({ rowCount }) => rowCount === 0,
  );
  const { rows } = await kernel.db.query(
    "select reread_tries, reread_at <= now() as due from scopes where scope_id = 'old'",
  );
  expect(rows).toEqual([{ reread_tries: 0, due: true }]);
});
