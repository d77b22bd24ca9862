/** What is exported of a scope and posted elsewhere is understood there as it was here. */
import { expect, it } from 'vitest';
import { askExport, type Line, readExport } from '../../support/exported.ts';
import { sendLines } from '../../support/ingest-stream.ts';
import { type Tenant, withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));

const TEXTS = [
  { type: 'txt', text: 'Acme Robotics has 1,900 employees. The lease runs for three years from 12 March 2026.' },
  {
    type: 'md',
    text: '# Acme Robotics\n\nAcme Robotics has **2,310** employees.\n\n| Staff | 12 |\n|---|---|\n| Fee | €50 |',
  },
  {
    type: 'html',
    text: '<h1>Acme Robotics</h1><p>The lease runs for five years. Acme Robotics was founded in 1998.</p>',
  },
  { type: 'json', text: '{"company": "Acme Robotics", "employees": 1900, "founded": 2001}' },
  { type: 'csv', text: 'company,employees\nAcme Robotics,1900\nBolt Ltd,"12"' },
  { type: 'txt', text: 'Bolt Ltd has 40 employees. Bolt Ltd does not have an office in Leeds.\u2028😀 It costs €50.' },
  { type: 'txt', text: 'Bolt Ltd has an office in Leeds. Acme Robotics was founded in 2001.' },
];

async function settled({ key }: Tenant, scopeId: string): Promise<void> {
  const { body } = await service.call('GET', `/api/scopes/${scopeId}/summary?wait=60`, { tenantKey: key });
  expect([body.documents.queued, body.documents.failed]).toEqual([0, 0]);
}

/** Without what is made anew: ids, times and places of rows. */
const claimOf = ({ contradictions, version: _version, ...claim }: Line) => ({
  ...claim,
  disputed: contradictions.length,
});
const factOf = ({ contradictions, changed_at: _changedAt, ...fact }: Line) => ({
  ...fact,
  disputed: contradictions.length,
});
const sideOf = ({ seq: _seq, ...side }: Line) => side;
const contradictionOf = (line: Line) => {
  const { id: _id, scope_id: _scopeId, created_at: _createdAt, evidence_a, evidence_b, ...rest } = line;
  return { ...rest, evidence_a: sideOf(evidence_a), evidence_b: sideOf(evidence_b) };
};

it('with the same claims, facts and contradictions', async () => {
  const [here, there] = [await service.newTenant(), await service.newTenant()];
  await service.ingest(here, 'here', 'Acme Robotics has 7 employees.', { document_id: 'd-0' });
  for (const [nth, { text, type }] of TEXTS.entries())
    await service.ingest(here, 'here', text, {
      ...{ type, document_id: `d-${nth}`, name: `Document ${nth}` },
      ...(nth % 2 === 0 && { source: `https://example.org/${nth}` }),
    });
  await settled(here, 'here');
  const first = await readExport(service, here, 'here');
  expect(first.of('document')).toHaveLength(TEXTS.length);

  const { body } = await askExport(service, here, 'here');
  const answers = await sendLines(service.url, { tenantId: there.tenantId, query: 'scope_id=there' }, body);
  expect(answers.at(-1)).toMatchObject({ accepted: TEXTS.length, rejected: 0, done: true });
  await settled(there, 'there');
  const second = await readExport(service, there, 'there');

  const texts = ({ document_id, name, type, text, source }: Line) => ({ document_id, name, type, text, source });
  expect(second.of('document').map(texts)).toEqual(first.of('document').map(texts));
  expect(second.of('claim').map(claimOf)).toEqual(first.of('claim').map(claimOf));
  expect(second.of('fact').map(factOf)).toEqual(first.of('fact').map(factOf));
  const byText = (lines: Line[]) => lines.map((line) => JSON.stringify(contradictionOf(line))).toSorted();
  expect(byText(second.of('contradiction'))).toEqual(byText(first.of('contradiction')));
  expect(first.of('claim').length).toBeGreaterThan(10);
  expect(first.of('contradiction').length).toBeGreaterThan(0);
});
