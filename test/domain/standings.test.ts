/** What a tenant has is known by counters: held against the true sums, whatever happens to its scopes. */
import { expect, it } from 'vitest';
import { foldStandings } from '../../src/domain/standings.ts';
import { findTenantStanding } from '../../src/storage/tenants.ts';
import { Chance } from '../../storm/chance.ts';
import { startTestKernel, type Tenant } from '../support/kernel.ts';
import { until } from '../support/until.ts';

const kernel = await startTestKernel({ settings: () => ({}) }, { DOCUMENT_ATTEMPTS: '2', RETRY_BASE_MS: '10' });
const { call, admin, db } = kernel;

/** Counted and told, at one moment. */
async function standings() {
  const { rows } = await db.query<{ told: object; counted: object; waiting: number }>(
    `select json_build_object('scopes', t.scopes + c.scopes, 'backlog', t.backlog + c.backlog) as told,
            json_build_object('scopes', s.scopes, 'backlog', s.backlog) as counted
       from tenants t
      cross join lateral (select coalesce(sum(scopes), 0) as scopes, coalesce(sum(backlog), 0) as backlog
                            from tenant_changes c where c.tenant_id = t.tenant_id) c
      cross join lateral (select count(*) as scopes, coalesce(sum(queued + retrying), 0) as backlog
                            from scopes s where s.tenant_id = t.tenant_id) s`,
  );
  return rows;
}

const SEED = 2026;
const chance = new Chance(SEED);
const random = (n: number) => chance.below(n);

async function doAnything({ tenantId, key: tenantKey }: Tenant): Promise<void> {
  const scope_id = `s-${random(4)}`;
  const id = `d-${random(6)}`;
  const texts = ['ok', 'throw it', 'wait 5', `version ${random(1000)}`];
  const document = () => ({ scope_id, name: 'n', text: texts[random(4)], document_id: `d-${random(6)}` });
  const asAdmin = { key: admin, tenantKey };
  const acts = [
    () => call('POST', '/api/ingest', { tenantId, body: document() }),
    () => call('POST', '/api/ingest/batch', { tenantId, body: { documents: Array.from({ length: 9 }, document) } }),
    () => call('POST', '/api/documents', { tenantId, body: document() }),
    () => call('POST', '/api/contradictions', { tenantId, body: { scope_id, claim_a: id, claim_b: 'other' } }),
    () => call('POST', `/admin/scopes/${scope_id}/ingest`, { ...asAdmin, body: { retry_failed: true } }),
    () => call('DELETE', `/api/documents/${id}?scope_id=${scope_id}`, { tenantKey }),
    () => (random(3) > 0 ? undefined : call('POST', `/admin/scopes/${scope_id}/reset`, asAdmin)),
    () => (random(3) > 0 ? undefined : call('DELETE', `/admin/scopes/${scope_id}`, asAdmin)),
    () => foldStandings(db),
  ];
  await acts[random(acts.length)]?.();
}

it('counts what the scopes count, through all that can happen to them', async () => {
  const tenants = [await kernel.newTenant(), await kernel.newTenant()];
  let looks = 0;
  let busy = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 25; i++) {
        await doAnything(tenants[random(2)] as Tenant);
        for (const { told, counted } of await standings()) {
          expect(told).toEqual(counted);
          looks++;
          if ('backlog' in counted && (counted.backlog as number) > 0) busy++;
        }
      }
    }),
  );
  expect(looks).toBeGreaterThan(100);
  expect(busy).toBeGreaterThan(10);
  while (await foldStandings(db));
  for (const { told, counted } of await standings()) expect(told).toEqual(counted);
});

it('is known without a look at the scopes', async () => {
  const { tenantId } = await kernel.newTenant();
  await kernel.ingest({ tenantId, key: '' }, 'one', 'ok');
  await kernel.control('stop');
  await db.transaction(async (tx) => {
    await tx.query('lock table scopes in access exclusive mode');
    expect(await findTenantStanding(db, tenantId)).toMatchObject({ scopes: 1, limits: {} });
  });
});

it('of a tenant whose row somebody holds holds up nobody else', async () => {
  const [held, free] = [await kernel.newTenant(), await kernel.newTenant()];
  await db.transaction(async (tx) => {
    await tx.query('select from tenants where tenant_id = $1 for update', [held.tenantId]);
    await db.query(
      `insert into tenant_changes (tenant_id, scopes, backlog) select $1, 0, 0 from generate_series(1, 20000)`,
      [held.tenantId],
    );
    await db.query('insert into tenant_changes (tenant_id, scopes, backlog) values ($1, 0, 0)', [free.tenantId]);
    await until(tenantsLeft, (left) => left.length === 1 && left[0] === held.tenantId);
  });
  await until(tenantsLeft, (left) => left.length === 0);

  /** The service folds them, too, and what it has in hand at the moment is passed over here. */
  async function tenantsLeft(): Promise<string[]> {
    while (await foldStandings(db));
    const { rows } = await db.query<{ tenant_id: string }>('select distinct tenant_id from tenant_changes');
    return rows.map(({ tenant_id }) => tenant_id);
  }
});
