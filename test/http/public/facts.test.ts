import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { listAll } from '../../support/fact-audit.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { call } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
const get = (path: string, tenantKey = tenant.key) => call('GET', path, { tenantKey });
interface Shown {
  fact_id: string;
  leading: { type: string; number?: number };
  [field: string]: unknown;
}
const list = async (query = '', scope = 'firms'): Promise<Shown[]> =>
  (await get(`/api/scopes/${scope}/facts${query}`)).body.facts;
/** Without statements as a whole, of which each sentence makes one, too. */
const facts = async (query = '', scope = 'firms') =>
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for.
  (await list(query, scope)).filter(({ leading }) => leading.type !== 'boolean') as any[];

const texts = {
  one: 'Acme Robotics has 1,900 employees. Borealis Foods was founded in 1987.',
  two: 'Acme Robotics has 1,900 employees.',
  three: 'Acme Robotics has 2,310 employees. Borealis Foods was founded in 1987.',
};
const ORDERS = 'must be one of: documents, fact_id';
const FIRST = encodeCursor('facts by documents', `2${'0'.repeat(15)}1`);
for (const [document_id, text] of Object.entries(texts)) await service.ingest(tenant, 'firms', text, { document_id });
await service.processed(tenant, 'firms', 3);

describe('200', () => {
  it('shows what is said, by how many, and where documents disagree', async () => {
    const [employees, founded, ...others] = await facts();
    expect(others).toEqual([]);
    const { body } = await get('/api/contradictions?scope_id=firms');
    expect(employees).toMatchObject({
      subject: 'Acme Robotics',
      state: 'disputed',
      documents: 3,
      values: [
        { value: { number: 1900 }, documents: 2, example: { document_id: 'one' } },
        {
          value: { number: 2310 },
          documents: 1,
          example: { document_id: 'three', sentence: 'Acme Robotics has 2,310 employees.' },
        },
      ],
      leading: { number: 1900 },
      more_values: false,
    });
    expect(employees.contradictions.toSorted()).toEqual(
      body.contradictions.map(({ id }: { id: string }) => id).toSorted(),
    );
    expect(employees.contradictions).not.toEqual([]);
    expect(founded).toMatchObject({ state: 'agreed', documents: 2, leading: { date: '1987' }, contradictions: [] });
    expect(Date.parse(founded.changed_at)).toBeGreaterThan(0);
  });

  it('has all the evidence of a fact, page by page', async () => {
    const [{ fact_id }] = await facts();
    const first = (await get(`/api/scopes/firms/facts/${fact_id}?limit=2`)).body;
    const last = (await get(`/api/scopes/firms/facts/${fact_id}?limit=2&cursor=${first.next_cursor}`)).body;
    expect([first.fact_id, last.fact_id, last.next_cursor]).toEqual([fact_id, fact_id, null]);
    const evidence = [...first.evidence, ...last.evidence];
    expect(evidence.map(({ document_id }) => document_id).sort()).toEqual(['one', 'three', 'two']);
    for (const { document_id, sentence, span } of evidence)
      expect(texts[document_id as keyof typeof texts].slice(span.start, span.end)).toBe(sentence);
  });

  it.each([
    ['?q=acme', 1],
    ['?q=ROBOTICS%20%C3%84cme', 1],
    ['?q=acme%20founded', 0],
    ['?q=robotic', 1],
    ['?q=rob', 0],
    ['?q=acme&state=agreed', 0],
    ['?state=agreed', 1],
    ['?state=varied', 0],
    ['?min_documents=3', 1],
    ['?min_documents=4', 0],
    ['?min_documents=3&order=fact_id', 1],
    ['?q=acme&order=fact_id', 1],
  ])('filters: %s', async (query, found) => {
    expect(await facts(query)).toHaveLength(found);
  });

  it('keeps the id of a fact, and forgets who was deleted or says something else', async () => {
    const say = (document_id: string, text: string) => service.ingest(tenant, 'moving', text, { document_id });
    await say('a', 'Cobalt Shipping has 40 ships.');
    await say('b', 'Cobalt Shipping has 40 ships.');
    await service.processed(tenant, 'moving', 2);
    const [before] = await facts('', 'moving');
    await call('DELETE', '/api/documents/a?scope_id=moving', { tenantKey: tenant.key });
    expect(await facts('', 'moving')).toEqual([]);
    expect(await facts('?min_documents=1', 'moving')).toMatchObject([
      { fact_id: before.fact_id, documents: 1, values: [{ documents: 1, example: { document_id: 'b' } }] },
    ]);
    await say('b', 'Cobalt Shipping has 41 ships.');
    await until(
      () => facts('?min_documents=1', 'moving'),
      ([fact]) => fact.leading.number === 41,
    );
    expect(await facts('?min_documents=1', 'moving')).toMatchObject([{ fact_id: before.fact_id, documents: 1 }]);
  });
});

it('is in dispute until all that is shown of it was decided, though more is left out', async () => {
  const say = (n: number) =>
    service.ingest(tenant, 'fleet', `Cobalt Shipping has ${40 + n} ships.`, { document_id: `d${n}` });
  for (let n = 0; n < 6; n++) await say(n);
  await service.processed(tenant, 'fleet', 6);
  const decide = async () => {
    const [fact] = await facts('', 'fleet');
    for (const id of fact.contradictions) {
      expect((await facts('?state=disputed', 'fleet')).map(({ fact_id }) => fact_id)).toEqual([fact.fact_id]);
      const body = { status: 'resolved', resolution: 'r', resolved_by: 'me', upholds: 'a' };
      await call('PATCH', `/api/contradictions/${id}`, { tenantKey: tenant.key, body });
    }
    return fact;
  };
  expect((await decide()).contradictions).toHaveLength(10);
  const { left_out } = (await get('/api/contradictions?scope_id=fleet')).body;
  expect(left_out).toBe(5);
  expect(await facts('?state=disputed', 'fleet')).toEqual([]);
  expect(await facts('?state=varied', 'fleet')).toMatchObject([{ state: 'varied', documents: 6, contradictions: [] }]);
  // A document that contradicts what was upheld opens some of them again.
  await say(6);
  await service.processed(tenant, 'fleet', 7);
  const [again] = await facts('?state=disputed', 'fleet');
  expect(again.contradictions).not.toEqual([]);
  await decide();
  expect(await facts('?state=varied', 'fleet')).toMatchObject([{ documents: 7 }]);
});

it('finds a fact of several documents among thousands of one by its id', async () => {
  for (const n of [1, 2]) await service.ingest(tenant, 'few', texts.one, { document_id: `d${n}` });
  await service.processed(tenant, 'few', 2);
  const before = await list('?order=fact_id', 'few');
  expect(before.length).toBeGreaterThan(1);
  await service.db.query(
    `insert into claim_groups (scope_key, generation, group_key, documents, leader, varied)
     select scope_key, generation, n, 1, 1, false from scopes, generate_series(1, 3000) n where scope_id = 'few'`,
  );
  expect(await list('?order=fact_id', 'few')).toEqual(before);
});

it('finds what is rare among thousands by its id, page by page', async () => {
  for (const n of [1, 2]) await service.ingest(tenant, 'rare', texts.one, { document_id: `d${n}` });
  await service.ingest(tenant, 'rare', 'Cobalt Shipping has 40 ships.', { document_id: 'd3' });
  await service.processed(tenant, 'rare', 3);
  const pages = (limit: number) =>
    listAll(
      service,
      tenant,
      `/api/scopes/rare/facts?min_documents=1&order=fact_id&state=agreed&limit=${limit}`,
      'facts',
    );
  const before = await pages(2);
  expect(before.length).toBeGreaterThan(3);
  await service.db.query(
    `insert into claim_groups (scope_key, generation, group_key, documents, disputes, leader, varied)
     select scope_key, generation, n, 1, 1, 1, false from scopes, generate_series(1, 3000) n where scope_id = 'rare'`,
  );
  for (const limit of [2, 199, 200]) expect(await pages(limit)).toEqual(before);
});

describe('400', () => {
  it.each([
    ['?q=', 'query/q must NOT have fewer than 1 characters'],
    ['?q=%21%3F', 'query/q must have a word, of letters or digits'],
    ['?q=a%20b%20c%20d%20e%20f%20g%20h%20i', 'query/q must have at most 8 words'],
    [`?q=${'a%20'.repeat(150)}`, 'query/q must NOT have more than 200 characters'],
    [
      '?q=acme&min_documents=1',
      'query/min_documents must be 2 or more with q: what one document says is not found by words',
    ],
    ['?state=open', 'query/state must be one of: agreed, disputed, varied'],
    ['?order=newest&state=open', `query/state must be one of: agreed, disputed, varied; query/order ${ORDERS}`],
    ['?cursor=YQ', 'query/cursor must be a next_cursor of this list'],
    // Of the other order, and of another list.
    [`?cursor=${encodeCursor('facts by id', '1234')}`, 'query/cursor must be a next_cursor of this list'],
    [`?order=fact_id&cursor=${FIRST}`, 'query/cursor must be a next_cursor of this list'],
    [`?order=fact_id&cursor=${encodeCursor('documents', '1')}`, 'query/cursor must be a next_cursor of this list'],
    ['/fact_00000000000?cursor=YQ', 'query/cursor must be a next_cursor of this list'],
    ['/wrong', 'params/fact_id must match pattern "^fact_[0-9a-hjkmnp-tv-z]{11}$"'],
  ])('%s', async (rest, detail) => {
    expect(await get(`/api/scopes/firms/facts${rest}`)).toMatchObject({ status: 400, body: { detail } });
  });
});

describe('401', () => {
  it.each(['/api/scopes/firms/facts', '/api/scopes/firms/facts/fact_00000000000'])('%s', async (path) => {
    expect((await get(path, 'dk_wrong')).status).toBe(401);
  });
});

it('leaves no word behind of a fact that was called by several names, and is gone', async () => {
  const { rows } = await service.db.query(`select scope_key, generation from scopes where scope_id = 'firms'`);
  const [{ scope_key, generation }] = rows as [{ scope_key: string; generation: number }];
  const group = { lane: scope_key, generation, group_key: 42, disputes: 0, leader: 1, changed_at: null, varied: false };
  const write = (documents: number, words: string[] | null) =>
    service.db.query('select write_groups($1, $2)', [[scope_key], JSON.stringify([{ ...group, documents, words }])]);
  const words = async () =>
    (await service.db.query('select word from fact_words where group_key = 42 order by 1')).rows.map(
      ({ word }) => word,
    );
  await write(2, ['acme', 'staff']);
  await write(1, null);
  await write(2, ['acme', 'employees']);
  expect(await words()).toEqual(['acme', 'staff']);
  await write(0, null);
  expect(await words()).toEqual([]);
});

describe('404', () => {
  it('of a scope of another tenant, as of one that is not there', async () => {
    const [{ fact_id }] = await facts();
    for (const rest of ['', `?cursor=${FIRST}`, `/${fact_id}`]) {
      const [foreign, absent] = [
        await get(`/api/scopes/firms/facts${rest}`, other.key),
        await get(`/api/scopes/none/facts${rest}`),
      ];
      expect([foreign.status, foreign.body.detail]).toEqual([404, 'Scope firms does not exist']);
      expect([absent.status, absent.body.detail]).toEqual([404, 'Scope none does not exist']);
    }
    expect(await get('/api/scopes/firms/facts/fact_00000000000')).toMatchObject({
      status: 404,
      body: { detail: 'Fact fact_00000000000 in scope firms does not exist' },
    });
  });

  it('of a scope that was deleted between two pages', async () => {
    for (const n of [1, 2]) await service.ingest(tenant, 'brief', texts.one, { document_id: `d${n}` });
    await service.processed(tenant, 'brief', 2);
    const { next_cursor } = (await get('/api/scopes/brief/facts?limit=1')).body;
    expect(next_cursor).not.toBeNull();
    await call('DELETE', '/admin/scopes/brief', { key: service.admin, tenantKey: tenant.key });
    expect((await get(`/api/scopes/brief/facts?limit=1&cursor=${next_cursor}`)).status).toBe(404);
  });
});
