/** What was understood of a document, as its tenant reads it: the whole service, with the real pipeline. */
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const tenant = await service.newTenant();
const other = await service.newTenant();
const FEWER = 'Acme Robotics has 1,900 employees.';
const MORE = 'Acme Robotics has 2,310 employees.';
const many = (n: number) => Array.from({ length: n }, (_, at) => `Acme Robotics has ${at + 2} lorries.`).join(' ');

const read = (scopeId: string, id: string, { query = '', tenantKey = tenant.key } = {}) =>
  service.call('GET', `/api/documents/${encodeURIComponent(id)}/claims?scope_id=${scopeId}${query}`, { tenantKey });
/** Sends a version, and waits until it is processed. */
async function process(scopeId: string, document_id: string, text: string, more: object = {}): Promise<void> {
  const { seq } = (await service.ingest(tenant, scopeId, text, { document_id, ...more })).body;
  await until(
    () => service.document(tenant, scopeId, document_id),
    (document) => document.seq === seq && document.state === 'processed',
  );
}

describe('200', () => {
  it('has what is said of what, where, and what contradicts it', async () => {
    await process('acme', 'old', FEWER);
    await process('acme', 'new', `The office is in Leeds. ${MORE}`);
    const { contradictions } = (
      await service.call('GET', '/api/contradictions?scope_id=acme', { tenantKey: tenant.key })
    ).body;
    const { body } = await read('acme', 'new');
    expect(body).toMatchObject({ document_id: 'new', version: 1, next_cursor: null });
    const claim = body.claims.find(({ contradictions: ids }: { contradictions: string[] }) => ids.length > 0);
    expect(claim).toEqual({
      claim_id: expect.stringMatching(/^clm_[0-9a-z]{22}$/),
      subject: 'Acme Robotics',
      attribute: 'number of employees',
      value: { type: 'number', text: '2,310', number: 2310 },
      polarity: 'affirmed',
      modality: 'fact',
      qualifiers: { time: null, place: null, condition: null, subset: null },
      sentence: MORE,
      span: { start: 24, end: 24 + MORE.length },
      fact_id: expect.stringMatching(/^fact_[0-9a-z]{11}$/),
      contradictions: [contradictions[0].id],
    });
    // The other document says something else of the same fact.
    const [theirs] = (await read('acme', 'old')).body.claims;
    expect([theirs.fact_id, theirs.contradictions]).toEqual([claim.fact_id, [contradictions[0].id]]);
    expect(theirs.claim_id).not.toBe(claim.claim_id);

    await service.call('PATCH', `/admin/scopes/acme/contradictions/${contradictions[0].id}`, {
      key: service.admin,
      tenantKey: tenant.key,
      body: { status: 'resolved', resolution: 'r', resolved_by: 'me' },
    });
    expect((await read('acme', 'old')).body.claims[0].contradictions).toEqual([]);
  });

  it('has as many claims as the document says, each once, in order of the text, page by page', async () => {
    await process('pages', 'many', `# Acme Robotics\n\n${many(60)}\n\nStaff: 12\n\n${many(90)}`, { type: 'md' });
    const { claims: count } = await service.document(tenant, 'pages', 'many');
    const claims = [];
    for (let cursor = ''; ; ) {
      const { body } = await read('pages', 'many', { query: `&limit=37${cursor}` });
      expect(body.claims.length).toBeLessThanOrEqual(37);
      claims.push(...body.claims);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(claims).toHaveLength(count);
    expect(new Set(claims.map(({ claim_id }) => claim_id)).size).toBe(count);
    const starts = claims.map(({ span }) => span.start);
    expect(starts).toEqual(starts.toSorted((one, another) => one - another));
    // Cells are read before sentences, and stand where the text has them.
    const at = claims.findIndex(({ attribute }) => attribute === 'Staff');
    expect(at).toBeGreaterThan(50);
  });

  it('is of the newest version that is processed, with the same ids for what is said again', async () => {
    await process('twice', 'd', FEWER);
    const before = (await read('twice', 'd')).body;
    await service.control('pause', tenant, 'twice');
    await service.ingest(tenant, 'twice', `${FEWER} It is big.`, { document_id: 'd' });
    expect((await read('twice', 'd')).body).toEqual(before);
    await service.control('resume', tenant, 'twice');
    const after = await until(
      async () => (await read('twice', 'd')).body,
      ({ version }) => version === 2,
    );
    expect(after.claims.slice(0, before.claims.length)).toEqual(before.claims);
  });

  it('goes on at another replica', async () => {
    const replica = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    await process('replicas', 'd', many(3));
    const whole = (await read('replicas', 'd')).body.claims;
    const first = (await read('replicas', 'd', { query: '&limit=2' })).body;
    const path = `/api/documents/d/claims?scope_id=replicas&cursor=${first.next_cursor}`;
    const rest = (await replica.call('GET', path, { tenantKey: tenant.key })).body;
    expect([...first.claims, ...rest.claims]).toEqual(whole);
    expect([whole.length > 2, rest.next_cursor]).toEqual([true, null]);
  });

  it('has no claims where nothing is claimed', async () => {
    await process('empty', 'd', '???');
    expect((await read('empty', 'd')).body).toEqual({ document_id: 'd', version: 1, claims: [], next_cursor: null });
  });
});

describe('409', () => {
  it('before any version is processed', async () => {
    await service.control('pause', tenant, 'twice');
    await service.ingest(tenant, 'twice', FEWER, { document_id: 'waits' });
    const { status, body } = await read('twice', 'waits');
    expect([status, body.detail]).toEqual([
      409,
      'Document waits in scope twice is queued; it has claims once it is processed.',
    ]);
  });

  it('on the next page of a version that another has taken the place of, in a scope that was reset as well', async () => {
    await process('moves', 'd', many(5));
    const { next_cursor } = (await read('moves', 'd', { query: '&limit=2' })).body;
    const goOn = () => read('moves', 'd', { query: `&limit=2&cursor=${next_cursor}` });
    expect((await goOn()).status).toBe(200);
    await process('moves', 'd', many(6));
    const { status, body } = await goOn();
    expect([status, body.detail]).toEqual([
      409,
      'Document d in scope moves was processed again since the page before: begin again without a cursor.',
    ]);
    await service.call('POST', '/admin/scopes/moves/reset', { key: service.admin, tenantKey: tenant.key });
    expect((await goOn()).status).toBe(404);
    await process('moves', 'd', many(5));
    expect((await goOn()).status).toBe(409);
  });
});

describe('404', () => {
  it('of what is another tenant’s, as of what is not there', async () => {
    await process('mine', 'd', FEWER);
    const foreign = await read('mine', 'd', { tenantKey: other.key });
    expect([foreign.status, foreign.body.detail]).toEqual([404, 'Scope mine does not exist']);
    expect((await read('mine', 'none')).body.detail).toBe('Document none in scope mine does not exist');
    await service.call('DELETE', '/api/documents/d?scope_id=mine', { tenantKey: tenant.key });
    expect((await read('mine', 'd')).status).toBe(404);
  });
});

describe('401 and 400', () => {
  it('without a key that is one', async () => {
    expect((await read('mine', 'd', { tenantKey: 'dk_none' })).status).toBe(401);
    expect((await service.call('GET', '/api/documents/d/claims?scope_id=mine')).status).toBe(400);
  });

  it.each([
    '&cursor=x',
    '&cursor=MQ',
    `&cursor=${encodeCursor('claims', '0123456789abcdef 12345')}`,
    '&limit=0',
    '&limit=201',
    '&version=1',
  ])('for %s', async (query) => {
    await process('bad', 'd', FEWER);
    expect((await read('bad', 'd', { query })).status).toBe(400);
  });
});
