/** Facts of documents with hundreds of claims: a page has as many as of short ones, and each is shown as from the whole reading. */
import { describe, expect, it } from 'vitest';
import { listAll } from '../../support/fact-audit.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

// What some of the documents say is filed, and what others say is not.
const service = withVerbs(await startTestService({ settings: { ROLE: 'all', INDEX_SCOPE_KEYS: '60000' } }));
const tenant = await service.newTenant();

const SENTENCES = 300;
const DOCUMENTS = 6;
const letters = (n: number) => [...String(100 + n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('a');
/** All speak of the same firms; every third disagrees with the others. */
const textOf = (document: number) =>
  Array.from(
    { length: SENTENCES },
    (_, n) => `Zo${letters(n)} Köln has ${1000 + n + 500 * Number(document % 3 === 0)} employees.`,
  ).join(' ');

interface Fact {
  fact_id: string;
  documents: number;
  values: { example: { document_id: string; sentence: string; span: { start: number; end: number } } }[];
}
const path = '/api/scopes/long/facts';
const get = async (query = '') => (await service.call('GET', path + query, { tenantKey: tenant.key })).body;
const allFacts = () => listAll<Fact>(service, tenant, `${path}?limit=200`, 'facts');
const evidenceOf = ({ fact_id }: Fact) =>
  listAll<{ document_id: string }>(service, tenant, `${path}/${fact_id}?limit=4`, 'evidence');

for (let n = 0; n < DOCUMENTS; n++) await service.ingest(tenant, 'long', textOf(n), { document_id: `d${n}` });
await service.processed(tenant, 'long', DOCUMENTS);

describe('a page of facts', () => {
  it('has as many as were asked for, with examples that the texts have', async () => {
    for (const limit of [50, 200]) {
      const { facts } = (await get(`?limit=${limit}`)) as { facts: Fact[] };
      expect(facts).toHaveLength(limit);
      for (const { example } of facts.flatMap(({ values }) => values)) {
        const { document_id, sentence, span } = example;
        expect(textOf(Number(document_id.slice(1))).slice(span.start, span.end)).toBe(sentence);
      }
    }
  });

  it('shows the same as it shows of whole readings, which 0.1.0 and release 1 have left', async () => {
    const { rows } = await service.db.query(
      'select (pieces is not null) as cut, seq > filed_up_to as is_late from readings join scopes using (scope_key)',
    );
    expect(rows.every(({ cut }) => cut)).toBe(true);
    expect(new Set(rows.map(({ is_late }) => is_late)).size).toBe(2);
    const facts = await allFacts();
    const evidence = await evidenceOf(facts[0] as Fact);
    expect(evidence).toHaveLength(DOCUMENTS);
    await service.db.query('create table kept as select seq, pieces, piece_ends from readings');
    await service.db.query('update readings set pieces = null, piece_ends = null where seq % 2 = 0');
    expect(await allFacts()).toEqual(facts);
    await service.db.query('update readings set pieces = null, piece_ends = null');
    expect(await allFacts()).toEqual(facts);
    expect(await evidenceOf(facts[0] as Fact)).toEqual(evidence);
    await service.db.query(
      'update readings r set pieces = k.pieces, piece_ends = k.piece_ends from kept k where k.seq = r.seq',
    );
  });

  it('has another example once the first document says something else, or is gone', async () => {
    const examples = async () =>
      new Set((await allFacts()).flatMap(({ values }) => values.map(({ example }) => example.document_id)));
    expect(await examples()).toEqual(new Set(['d0', 'd1']));
    await service.call('DELETE', '/api/documents/d1?scope_id=long', { tenantKey: tenant.key });
    expect(await examples()).toEqual(new Set(['d0', 'd2']));
  });
});
