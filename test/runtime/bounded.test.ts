/** However many contradictions there are, a document and a fact have only so many, and it is told that there are more. */
import { expect, it } from 'vitest';
import { MAX_PLACES } from '../../src/domain/settle/places.ts';
import { auditScope } from '../support/audit.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { admin, call } = service;

async function listed({ key }: Tenant, scopeId: string) {
  const { body } = await call('GET', `/api/contradictions?scope_id=${scopeId}&limit=200`, { tenantKey: key });
  return body as { contradictions: { id: string; document_ids: string[] }[]; left_out: number };
}

async function expectCounted(tenant: Tenant, scopeId: string, open: number, leftOut: number) {
  const { contradictions, left_out } = await listed(tenant, scopeId);
  expect([contradictions.length, left_out]).toEqual([open, leftOut]);
  expect((await service.summary(tenant, scopeId)).contradictions).toMatchObject({ open, left_out: leftOut });
  expect(await auditScope(service.db, tenant.tenantId, scopeId)).toEqual([]);
}

it('a fact that sixteen documents tell in sixteen ways', async () => {
  const tenant = await service.newTenant();
  for (let n = 0; n < 16; n++)
    await service.ingest(tenant, 'fact', `Acme Robotics has ${n + 1}00 employees.`, { document_id: `d${n}` });
  await service.processed(tenant, 'fact', 16);
  const pairs = (16 * 15) / 2;
  await expectCounted(tenant, 'fact', MAX_PLACES.ofFact, pairs - MAX_PLACES.ofFact);
  const { contradictions, contradictions_left_out } = await service.document(tenant, 'fact', 'd0');
  expect(contradictions + contradictions_left_out).toBe(15);

  const [decided, ...others] = (await listed(tenant, 'fact')).contradictions;
  const decide = (id = '') =>
    call('PATCH', `/admin/scopes/fact/contradictions/${id}`, {
      ...{ key: admin, tenantKey: tenant.key },
      body: { status: 'deferred', resolution: 'Later.', resolved_by: 'm.larsen' },
    });
  for (const { id } of [decided, ...others] as { id: string }[]) expect((await decide(id)).status).toBe(200);
  // What is left out is in dispute all the same.
  expect((await service.summary(tenant, 'fact')).convergence.groups).toMatchObject({ shared: 1, disputed: 1 });

  // One that is left out is not to be found.
  const { rows } = await service.db.query<{ id: string }>(
    `select contradiction_id as id from contradictions where status = 'left_out' limit 1`,
  );
  expect((await decide(rows[0]?.id)).status).toBe(404);
});

it('a document that a hundred and five others contradict, and what becomes of it when some of them go', async () => {
  const tenant = await service.newTenant();
  const firms = ['Acme', 'Borealis', 'Cobalt', 'Dorado', 'Ember', 'Fjord', 'Gale'];
  const said = (firm: string, n: string) => `${firm} Robotics has ${n} employees.`;
  const posted = firms.flatMap((firm) =>
    Array.from({ length: 15 }, (_, n) => ({ document_id: `${firm}-${n}`, text: said(firm, '2,310') })),
  );
  await service.ingest(tenant, 'hub', firms.map((firm) => said(firm, '1,900')).join(' '), { document_id: 'hub' });
  await Promise.all(posted.map(({ document_id, text }) => service.ingest(tenant, 'hub', text, { document_id })));
  await service.processed(tenant, 'hub', 106);
  await expectCounted(tenant, 'hub', MAX_PLACES.ofDocument, 105 - MAX_PLACES.ofDocument);

  const shown = (await listed(tenant, 'hub')).contradictions.slice(0, 7);
  for (const { document_ids } of shown) {
    const id = document_ids.find((one) => one !== 'hub');
    await call('DELETE', `/api/documents/${id}?scope_id=hub`, { tenantKey: tenant.key });
  }
  await expectCounted(tenant, 'hub', MAX_PLACES.ofDocument, 98 - MAX_PLACES.ofDocument);
  const events = await service.events('hub');
  const count = (type: string) => events.filter((event) => event === `contradiction.${type}`).length;
  expect(count('detected') - count('retracted')).toBe(MAX_PLACES.ofDocument);
});
