/** Scopes that a replica of the release before made or deleted while release 8 gave all others their names. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { lockOrCreateScope } from '../../src/domain/new-scopes.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { connect, newDatabase } from '../support/database.ts';

const db = connect(await newDatabase());
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);

async function make(scopeId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ scope_key: string }>(
    'insert into scopes (tenant_id, scope_id, name) values ($1, $2, $2) returning scope_key',
    [tenant.tenant_id, scopeId],
  );
  return rows[0]?.scope_key;
}

const awaken = (key: string | undefined) => db.query('select awaken_lanes(array[$1::bigint])', [key]);

let made: string | undefined;

beforeAll(async () => {
  for (const scopeId of ['there', 'deleted']) await make(scopeId);
  await db.query('alter table scopes disable trigger user');
  made = await make('made');
  await db.query(`delete from scopes where scope_id = 'deleted'`);
  await db.query('alter table scopes enable trigger user');
  await expect(awaken(made)).rejects.toThrow();
  expect(await make('deleted')).toBeUndefined();
  await db.transaction((tx) => tx.query(readFileSync('migrations/000032_scopes_without_names.sql', 'utf8')));
});

it('can be worked on when they were made', async () => {
  await awaken(made);
  expect(await make('made')).toBeUndefined();
});

it('can be made again when they were deleted', async () => {
  const { scope } = await db.transaction((tx) => lockOrCreateScope(tx, tenant.tenant_id, 'deleted', 10));
  await awaken(scope.scope_key);
  const { rows } = await db.query<{ scope_id: string }>('select scope_id from scope_names order by 1');
  expect(rows.map(({ scope_id }) => scope_id)).toEqual(['deleted', 'made', 'there']);
});
