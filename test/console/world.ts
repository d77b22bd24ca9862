/** A service with something to see in it: three tenants, contracts that disagree, documents that failed, and a pause. */

import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/domain/keys.ts';
import { addFailed } from '../support/failed.ts';
import { type TestKernel, withVerbs } from '../support/kernel.ts';
import { startTestService, type TestOptions } from '../support/service.ts';
import { until } from '../support/until.ts';

export interface World extends TestKernel {
  acme: { tenantId: string; key: string };
  nordwind: { tenantId: string; key: string };
  harbour: { tenantId: string; key: string };
}

const LEASE = `LEASE AGREEMENT

This agreement is made between Harbour & Sons as the landlord and Acme Robotics as the tenant.

1. The premises are the second floor of the building at Quayside 4.
2. The lease of Quayside 4 runs for three years.
3. The monthly rent of Quayside 4 is $12,000.
4. Quayside 4 has 40 parking spaces.

Signed by both parties.`;

const AMENDED = `LEASE AGREEMENT, AS AMENDED

The parties are those of the agreement of January.

1. The premises are the second floor of the building at Quayside 4.
2. The lease of Quayside 4 runs for five years.
3. The monthly rent of Quayside 4 is $14,500.
4. Quayside 4 has 40 parking spaces.

Signed by both parties.`;

const CONFIRMED = `To Acme Robotics

As the landlord we confirm what was agreed. The lease of Quayside 4 runs for five years. The monthly rent of Quayside 4 is $14,500.

Harbour & Sons`;

/** Of the lease there are three: two say the same, and the one of January something else. */
const contracts: [string, string][] = [
  ['Lease of January', LEASE],
  ['Lease as amended', AMENDED],
  ['Confirmation of the landlord', CONFIRMED],
  [
    'Annual report 2025',
    'Acme Robotics was founded in 1987. Acme Robotics has 1,900 employees. The revenue of Acme Robotics was $3 million.',
  ],
  [
    'Press release',
    'Acme Robotics has 2,310 employees. Acme Robotics was founded in 1987. The revenue of Acme Robotics was $3 million.',
  ],
  ['Fact sheet', 'Acme Robotics was founded in 1987. The headquarters of Acme Robotics is in Aarhus.'],
  ['Company register', 'Acme Robotics was founded in 1987. The headquarters of Acme Robotics is in Aarhus.'],
];

export async function makeWorld(settings: TestOptions['settings'] = {}): Promise<World> {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all', ...settings } }));
  const [acme, nordwind, harbour] = [
    await service.newTenant('Acme Robotics'),
    await service.newTenant('Nordwind Logistics'),
    await service.newTenant('Harbour & Sons'),
  ];
  for (const [name, text] of contracts)
    await service.ingest(acme, 'contracts-2026', text, { document_id: name.toLowerCase().replaceAll(' ', '-'), name });
  await service.processed(acme, 'contracts-2026', contracts.length);
  for (const n of [1, 2, 3])
    await service.ingest(
      nordwind,
      'waybills',
      `The Aurora has 4 engines. The length of the Aurora is 80 m. Copy ${n}.`,
      {
        document_id: `waybill-${n}`,
        name: `Waybill ${n}`,
      },
    );
  await service.processed(nordwind, 'waybills', 3);
  return { ...service, acme, nordwind, harbour };
}

/** A hundred contradictions in one scope, and a few in two others. */
export async function makeHundred() {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
  const tenant = await service.newTenant('Hundred');
  await addFirms(service, tenant, 'firms', 100);
  await addFirms(service, tenant, 'few', 6);
  await addFirms(service, tenant, 'one', 1);
  return { ...service, tenant };
}

/** As many contradictions as firms: of each there are two documents that count its staff differently. */
async function addFirms(service: TestKernel, tenant: World['acme'], scope: string, firms: number): Promise<void> {
  const letters = (n: number) => [...String(100 + n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('a');
  const said = (n: number, staff: string) => `Zo${letters(n)} Robotics has ${staff} employees.`;
  // One in a document: of two documents, and of one, only so many are looked for.
  for (let n = 0; n < firms; n++)
    for (const staff of ['1,900', '2,310'])
      await service.ingest(tenant, scope, said(n, staff), { document_id: `firm-${n}-${staff}`, name: `Firm ${n}` });
  await service.processed(tenant, scope, 2 * firms);
  await until(
    () => service.summary(tenant, scope),
    ({ contradictions }) => contradictions.open === firms,
  );
}

/** Documents that have failed for three reasons, and would go through if they were tried again. */
export async function failSome(world: World, n = 24): Promise<void> {
  const { db, harbour } = world;
  await world.ingest(harbour, 'invoices', 'The invoice of Harbour is paid.', {
    document_id: 'paid',
    name: 'Invoice 0',
  });
  await world.processed(harbour, 'invoices', 1);
  const reasons = [
    'Reading it took longer than 10 s.',
    'The extractor answered 502, and was asked 3 times.',
    'It is not valid UTF-8.',
  ];
  const error = `(array['${reasons.join("','")}'])[1 + (n % 7) % 3]`;
  const at = `now() - n * interval '7 minutes'`;
  await addFailed(db, { tenantId: harbour.tenantId, scopeId: 'invoices' }, n, { error, at });
  await db.query(
    `update document_contents c set name = 'Invoice ' || c.seq from scopes s
      where s.scope_key = c.scope_key and s.tenant_id = $1 and s.scope_id = 'invoices' and c.seq > 0`,
    [harbour.tenantId],
  );
  await db.query(
    `update documents d set accepted_at = d.finished_at - interval '31 seconds', queued_at = d.finished_at - interval '31 seconds',
            started_at = d.finished_at - interval '10 seconds', attempts = 3
       from scopes s where s.scope_key = d.scope_key and s.tenant_id = $1 and d.state = 'failed'`,
    [harbour.tenantId],
  );
}

export async function pauseNordwind({ call, db, ingest, nordwind }: World): Promise<void> {
  const { key } = await issueKey(db, 'admin', { label: 'm.larsen' }, BY_COMMAND_LINE);
  const body = { tenant_id: nordwind.tenantId, reason: 'They sent their mail archive twice.' };
  await call('POST', '/admin/runtime/pause', { key, body });
  for (const n of [1, 2]) await ingest(nordwind, 'mail', `Held ${n}`, { document_id: `mail-${n}`, name: `Mail ${n}` });
}

/** As the service tells it, whoever changed it. */
export const heldLevels = (world: World, n: number) =>
  until(
    async () => (await world.call('GET', '/admin/runtime', { key: world.admin })).body.levels as unknown[],
    (levels) => levels.length === n,
  );

/** Documents as they come on an ordinary day, sometimes more and sometimes fewer, for so long. */
export async function trickle({ ingest, acme, harbour }: World, ms: number): Promise<void> {
  const began = performance.now();
  for (let n = 0; performance.now() - began < ms; n++) {
    const minutes = (performance.now() - began) / 60_000;
    const some = Math.round(4 + 3 * Math.sin(minutes * 14) + (n % 3));
    await Promise.all(
      Array.from({ length: some }, (_, at) => {
        const [tenant, scope] = at % 3 === 0 ? ([harbour, 'invoices'] as const) : ([acme, 'deliveries'] as const);
        const text = `Delivery ${n}-${at} has ${1 + ((n * 7 + at) % 40)} parcels. It left the depot on time.`;
        return ingest(tenant, scope, text, { document_id: `delivery-${n}-${at}`, name: `Delivery ${n}-${at}` });
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
