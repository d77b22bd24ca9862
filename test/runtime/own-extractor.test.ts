/** An extractor of the operator's own, as the whole service uses it: what it says counts, and when it fails nothing is lost. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

type Handler = (document: { text: string }, response: ServerResponse, request: IncomingMessage) => void;

async function startExtractor(answer: Handler): Promise<string> {
  const server = createServer(async (request, response) => {
    const { document } = JSON.parse(await readText(request));
    answer(document, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/claims`;
}

async function start(answer: Handler, settings: object = {}) {
  const EXTRACTOR_URL = await startExtractor(answer);
  const quick = { EXTRACTOR_TIMEOUT_MS: '60000', EXTRACTOR_ATTEMPTS: '1' };
  return withVerbs(await startTestService({ settings: { ROLE: 'all', EXTRACTOR_URL, ...quick, ...settings } }));
}

/** Reads 'size=12' as a claim, which the built-in one would not. */
const toy: Handler = ({ text }, response) => {
  const size = Number(/size=(\d+)/.exec(text)?.[1]);
  const span = { start: 0, end: text.length };
  response.end(
    JSON.stringify({ claims: [{ subject: 'the widget', attribute: 'size', value: size, unit: 'cm', span }] }),
  );
};

it('what it claims is compared, with its sentences and spans', async () => {
  const keys: (string | undefined)[] = [];
  const service = await start(
    (document, response, request) => {
      keys.push(request.headers.authorization);
      toy(document, response, request);
    },
    { EXTRACTOR_KEY: 'a-key-of-the-extractor' },
  );
  const tenant = await service.newTenant();
  await service.ingest(tenant, 'own', 'size=12', { document_id: 'a' });
  await service.ingest(tenant, 'own', 'size=15', { document_id: 'b' });
  await service.ingest(tenant, 'own', 'size=15 again', { document_id: 'c' });
  await service.processed(tenant, 'own', 3);
  const { body } = await service.call('GET', '/api/contradictions?scope_id=own', { tenantKey: tenant.key });
  expect(body.contradictions).toMatchObject([
    { document_ids: ['a', 'b'], evidence_a: { sentence: 'size=12', span: { start: 0, end: 7 } } },
    { document_ids: ['a', 'c'] },
  ]);
  expect(await service.document(tenant, 'own', 'a')).toMatchObject({ claims: 1, warnings: [] });
  expect(keys).toEqual(Array(3).fill('Bearer a-key-of-the-extractor'));
  expect(service.logged()).not.toContain('a-key-of-the-extractor');
});

it('what it claims can be read, with what it has given', async () => {
  const about = { subject: 'the lease', attribute: 'term' };
  const given = [
    { ...about, value: 3, unit: 'years', sentence: 'It runs for three years.' },
    { ...about, value: true, span: { start: 6, end: 11 }, qualifiers: { place: 'in Aarhus' } },
    { ...about, value: 'Jane Doe', span: { start: 0, end: 5 }, polarity: 'denied', modality: 'plan' },
  ];
  const service = await start((_, response) => response.end(JSON.stringify({ claims: given })));
  const tenant = await service.newTenant();
  await service.ingest(tenant, 'own', 'First other', { document_id: 'b' });
  await service.processed(tenant, 'own', 1);
  const { body } = await service.call('GET', '/api/documents/b/claims?scope_id=own', { tenantKey: tenant.key });
  const [placed, later, unplaced] = body.claims;
  expect(placed).toMatchObject({ polarity: 'denied', modality: 'plan', value: { type: 'text', text: 'Jane Doe' } });
  expect(placed).toMatchObject({ subject: 'the lease', sentence: 'First', span: { start: 0, end: 5 } });
  expect(later).toMatchObject({ sentence: 'other', value: { type: 'boolean', text: 'yes', boolean: true } });
  expect(later.qualifiers).toEqual({ time: null, place: 'aarhus', condition: null, subset: null });
  expect(unplaced).toMatchObject({ sentence: 'It runs for three years.', span: null, attribute: 'term' });
  expect(unplaced.value).toEqual({ type: 'number', text: '3 years', number: 94_672_800, unit: 's' });
});

it.each<[string, Handler, RegExp, object?]>([
  ['fails', (_, response) => response.writeHead(500).end(), /answered 500/],
  ['is slow', () => {}, /did not answer within 200 ms/, { EXTRACTOR_TIMEOUT_MS: '200' }],
  ['talks nonsense', (_, response) => response.end('{"claims": [{"subject": 1}]}'), /does not fit: claims\[0\]/],
])('when it %s, the built-in one reads the document, which says so', async (_, answer, reason, settings) => {
  const service = await start(answer, settings);
  const tenant = await service.newTenant();
  await service.ingest(tenant, 'fallback', 'Acme Robotics has 1,900 employees.', { document_id: 'a' });
  await service.ingest(tenant, 'fallback', 'Acme Robotics has 2,310 employees.', { document_id: 'b' });
  const { contradictions } = await service.processed(tenant, 'fallback', 2);
  expect(contradictions.open).toBe(1);
  const { warnings, attempts } = await service.document(tenant, 'fallback', 'a');
  expect([warnings.length, attempts]).toEqual([1, 1]);
  expect(warnings[0]).toMatch(reason);
  expect(warnings[0]).toMatch(/^extractor: .*; the built-in one was used$/);
});

describe('two tenants', () => {
  const isBroken = (text: string) => text.startsWith('broken');

  /** One has many documents that it breaks on, in as many scopes as may be in work at once; both are known to it. */
  async function startTwo(wrong: Handler) {
    const broken = { asked: 0, ended: 0 };
    const service = await start((document, response, request) => {
      if (!isBroken(document.text)) return toy(document, response, request);
      broken.asked++;
      response.once('close', () => broken.ended++);
      wrong(document, response, request);
    });
    const [a, b] = [await service.newTenant(), await service.newTenant()];
    await service.ingest(b, 'before', 'size=1');
    await service.processed(b, 'before', 1);
    await service.control('pause', a);
    for (let n = 0; n < 60; n++) await service.ingest(a, `broken-${n % 5}`, `broken ${n}`);
    await service.control('resume', a);
    await until(
      () => broken.asked,
      (asked) => asked >= 3,
    );
    for (let n = 0; n < 40; n++) await service.ingest(b, 'fine', `size=${n}`, { document_id: `d${n}` });
    await service.processed(b, 'fine', 40);
    const { rows } = await service.db.query<{ warnings: string[] }>(
      'select warnings from documents join scopes using (scope_key) where tenant_id = $1 and warnings::text like $2',
      [b.tenantId, '%extractor%'],
    );
    return { service, broken, a, fallenBack: rows };
  }

  it.each<[string, Handler]>([
    ['talks nonsense', (_, response) => response.end('{"claims": [{"subject": 1}]}')],
    ['fails', (_, response) => response.writeHead(500).end()],
  ])('where it %s for one, it reads the documents of the other', async (_, wrong) => {
    const { service, a, fallenBack } = await startTwo(wrong);
    expect(fallenBack).toEqual([]);
    await service.processed(a, 'broken-0', 12);
    const { body } = await service.call('GET', '/internals/metrics', { key: service.internals });
    expect(body).toContain('docket_extractor_documents_total{outcome="answered"} 41');
    expect(body).toContain('docket_extractor_left_alone{who="all"} 0');
  });

  it('where it never answers for one, the other does not wait for that', async () => {
    const { broken, fallenBack } = await startTwo(() => {});
    expect(fallenBack).toEqual([]);
    expect(broken).toEqual({ asked: 3, ended: 0 });
  });
});
