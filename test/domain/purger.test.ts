import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { purgeSome } from '../../src/domain/purger.ts';
import { deleteScope } from '../../src/domain/scopes.ts';
import { createTenant, deleteTenant } from '../../src/domain/tenants.ts';
import { newCommitter } from '../support/committer.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newSubmission } from '../support/submission.ts';

const db = connect(await newDatabase());
const { committer } = newCommitter(db);
const post = (tenantId: string, scopeId: string, n: number) =>
  Promise.all(
    Array.from({ length: n }, (_item, i) =>
      committer.accept(newSubmission(tenantId, scopeId, { idempotencyKey: `${scopeId} ${i}` })),
    ),
  );
const rowsLeft = async () => {
  const { rows } = await db.query(
    `select (select count(*)::int from documents) as documents, (select count(*)::int from document_contents) as contents,
            (select count(*)::int from idempotency_keys) as keys, (select count(*)::int from scopes) as scopes,
            (select count(*)::int from tenants) as tenants, (select count(*)::int from purges) as purges`,
  );
  return rows[0];
};

it('removes all that deleted scopes and tenants have left, in pieces, and nothing else', async () => {
  const one = (await createTenant(db, 'one', BY_COMMAND_LINE)).tenant.tenant_id;
  const two = (await createTenant(db, 'two', BY_COMMAND_LINE)).tenant.tenant_id;
  await Promise.all([post(one, 'gone', 2500), post(one, 'stays', 10), post(two, 'with-its-tenant', 5)]);
  await db.query(
    `insert into scopes (tenant_id, scope_id, name) select $1, 'empty-' || n, 'n' from generate_series(1, 450) n`,
    [two],
  );
  await deleteScope(db, one, 'gone', BY_COMMAND_LINE);
  await deleteTenant(db, two, BY_COMMAND_LINE);
  expect(await rowsLeft()).toMatchObject({ documents: 2515, scopes: 452, tenants: 2, purges: 1 });

  let pieces = 0;
  while (await purgeSome(db)) pieces++;
  expect(pieces).toBeGreaterThan(3);
  expect(await rowsLeft()).toEqual({ documents: 10, contents: 10, keys: 10, scopes: 1, tenants: 1, purges: 0 });
});

it('goes on to the next tenant when somebody holds what is left of the one before', async () => {
  const [held, next] = [
    (await createTenant(db, 'held', BY_COMMAND_LINE)).tenant.tenant_id,
    (await createTenant(db, 'next', BY_COMMAND_LINE)).tenant.tenant_id,
  ];
  for (const tenantId of [held, next]) {
    await post(tenantId, 's', 1);
    await deleteTenant(db, tenantId, BY_COMMAND_LINE);
  }
  const tenantsLeft = async () =>
    (await db.query<{ tenant_id: string }>('select tenant_id from tenants where deleted_at is not null')).rows;
  await db.transaction(async (tx) => {
    await tx.query('select from scopes where tenant_id = $1 for update', [held]);
    while (await purgeSome(db));
    expect(await tenantsLeft()).toEqual([{ tenant_id: held }]);
  });
  while (await purgeSome(db));
  expect(await tenantsLeft()).toEqual([]);
});
