/** What is kept of documents to tell them apart is made, stored and used: with the real pipeline, by a process that has nothing in memory. */
import { expect, it } from 'vitest';
import { pipeline } from '../../src/runtime/pipeline.ts';
import { newDatabase } from '../support/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { figure, textOf } from '../support/monitored.ts';
import { startTestService } from '../support/service.ts';

const FIRMS = ['Borealis', 'Cobalt', 'Drumlin', 'Ember', 'Falstaff', 'Gannet', 'Harrow', 'Isobar'];
const staff = (firm: string, n: number) => `${firm} has ${n} employees at its harbour in Leeds.`;

it.each([
  ['are in its index', {}],
  ['are not', { INDEX_SCOPE_KEYS: '0' }],
])('asks for the claims of those alone that are about the same, when readings %s', async (_where, settings) => {
  const DATABASE_URL = await newDatabase();
  const start = async () => withVerbs(await startTestService({ settings: { DATABASE_URL, ROLE: 'all', ...settings } }));
  const before = await start();
  const tenant = await before.newTenant();
  for (const [n, firm] of ['Acme', ...FIRMS].entries()) await before.ingest(tenant, 'firms', staff(firm, 400 + 70 * n));
  await before.processed(tenant, 'firms', 1 + FIRMS.length);
  const { rows } = await before.db.query('select from readings where sketch is null');
  expect(rows).toEqual([]);
  await before.close();

  const service = await start();
  await service.ingest(tenant, 'firms', staff('Acme', 900));
  const { contradictions } = await service.processed(tenant, 'firms', 2 + FIRMS.length);
  expect(contradictions).toMatchObject({ open: 1 });
  const text = await textOf(service);
  const counted = (name: string, cache: string) => figure(text, `docket_cache_${name}_total{cache="${cache}"}`);
  const looked = counted('hits', 'sketches') + counted('misses', 'sketches');
  expect(looked).toBeGreaterThan(FIRMS.length / 2);
  expect([counted('hits', 'claims'), counted('misses', 'claims')]).toEqual([0, 1]);
});

it('keeps none of a document that speaks of very much', () => {
  const read = (text: string) => pipeline.read({ name: 'd', type: 'txt', text }).reading;
  const word = (n: number) => `w${[...`${n}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  const sentence = (from: number) =>
    `Acme employs ${from + 40} people in ${Array.from({ length: 20 }, (_, n) => word(from + n)).join(' ')}.`;
  const many = read([100, 200, 300, 400, 500].map(sentence).join(' '));
  expect(read(sentence(100)).sketch).not.toBeNull();
  expect([many.count, many.sketch]).toEqual([10, null]);
});
