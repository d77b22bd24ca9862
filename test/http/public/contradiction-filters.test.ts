/** The list of contradictions, by every combination of its filters, is what the whole list has of that kind. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService({ settings: { ROLE: 'all' } });
const { call, admin } = service;
const { tenantId, key } = await service.newTenant();
const other = await service.newTenant();
const get = (path: string, tenantKey = key) => call('GET', path, { tenantKey });
const decide = (id: string, body: object, tenantKey = key) =>
  call('PATCH', `/api/contradictions/${id}`, { tenantKey, body });
const decision = { status: 'resolved', resolution: 'The later one holds.', resolved_by: 'me' };

interface Shown {
  id: string;
  status: string;
  severity: string;
  subject: string | null;
  document_ids: string[];
  origin: string;
  claim_a: string;
  claim_b: string;
  reason: string | null;
}

async function list(query: string, limit = 200): Promise<Shown[]> {
  const found: Shown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await get(`/api/contradictions?scope_id=s&limit=${limit}${query}${cursor}`);
    found.push(...body.contradictions);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

const facts = [
  'Acme Robotics has 1,900 employees.',
  'Beta Mills has 40 employees.',
  'Acme Robotics has 2,310 employees.',
];
const more = ['Beta Mills has 55 employees. Acme Robotics has 700 employees.'];
for (const [n, text] of [...facts, ...more].entries()) {
  const body = { scope_id: 's', document_id: `d${n}`, name: 'n', text };
  await call('POST', '/api/ingest', { tenantId, body });
}
for (const [n, severity] of ['low', 'medium', 'critical', 'low', 'critical', 'medium'].entries()) {
  const names = { document_ids: [`d${n % 3}`, 'elsewhere', 'elsewhere'] };
  const body = { scope_id: 's', claim_a: `a${n}`, claim_b: `b${n}`, severity, ...names };
  await call('POST', '/api/contradictions', { tenantId, body });
}
await until(
  () => get('/api/scopes/s/summary'),
  ({ body }) => body.documents.processed === 4,
);
const listed = await list('');
for (const [n, { id }] of listed.entries())
  if (n % 3 > 0) await decide(id, { ...decision, status: n % 3 === 1 ? 'resolved' : 'deferred' });
const all = await list('');
const subjects = [...new Set(all.flatMap(({ subject }) => subject ?? []))];

describe('200', () => {
  it('has something of each kind to look at', () => {
    expect(all.filter(({ origin }) => origin === 'detected').length).toBeGreaterThan(3);
    expect(subjects.length).toBeGreaterThan(1);
    expect(new Set(all.map(({ status }) => status)).size).toBe(3);
  });

  it.each([1, 2, 200])('filters as one would by hand, in pages of %i', async (limit) => {
    for (const status of ['', 'open'])
      for (const severity of ['', 'low'])
        for (const subject of ['', subjects[0] ?? ''])
          for (const document of ['', 'd0', 'elsewhere', 'nowhere']) {
            // All of them in large pages, and a few in small ones, which take many requests.
            if (limit < 200 && [status, severity, subject, document].filter(Boolean).length > 1) continue;
            const query = Object.entries({ status, severity, subject, document_id: document })
              .filter(([, value]) => value)
              .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
              .join('');
            const expected = all
              .filter((one) => !status || one.status === status)
              .filter((one) => !severity || one.severity === severity)
              .filter((one) => !subject || one.subject === subject)
              .filter((one) => !document || one.document_ids.includes(document));
            expect(await list(query, limit), query).toEqual(expected);
            expect(await list(`${query}&order=newest`, limit), query).toEqual(expected.toReversed());
          }
  });

  it('says why with what a says first', () => {
    for (const { claim_a, claim_b, reason } of all.filter(({ origin }) => origin === 'detected')) {
      const [, one = 'none', other = 'none'] = / ([\d,]+) in one and ([\d,]+) in the other/.exec(reason ?? '') ?? [];
      expect(claim_a).toContain(one);
      expect(claim_b).toContain(other);
    }
  });

  it('filters for operators, too', async () => {
    const path = '/admin/scopes/s/contradictions?severity=critical&order=newest';
    const { body } = await call('GET', path, { key: admin, tenantKey: key });
    expect(body.contradictions).toEqual(await list('&severity=critical&order=newest'));
  });

  it('reads one, and lets the tenant decide it', async () => {
    const { id } = all.find(({ status }) => status === 'open') as Shown;
    expect((await get(`/api/contradictions/${id}`)).body).toEqual(all.find((one) => one.id === id));
    const decided = await decide(id, { ...decision, upholds: 'b' });
    expect(decided).toMatchObject({ status: 200, body: { id, ...decision, upholds: 'b', scope_id: 's' } });
    expect((await get(`/api/contradictions/${id}`)).body).toEqual(decided.body);
    const { rows } = await service.db.query(`select payload from events where type = 'contradiction.resolved'`);
    expect(rows).toContainEqual({ payload: { contradiction_id: id, resolved_by: 'me' } });
    expect((await decide(id, decision)).status).toBe(409);
  });
});

describe('400', () => {
  it.each(['severity=high', 'order=asc', 'subject=', 'document_id=', 'cursor=YQ', 'q=x'])('for %s', async (query) => {
    expect((await get(`/api/contradictions?scope_id=s&${query}`)).status).toBe(400);
  });

  it('for a cursor of the other order', async () => {
    const { body } = await get('/api/contradictions?scope_id=s&limit=1&order=newest');
    expect(body.next_cursor).not.toBeNull();
    const goOn = `/api/contradictions?scope_id=s&cursor=${body.next_cursor}`;
    expect((await get(goOn)).status).toBe(400);
    expect((await get(`${goOn}&order=newest`)).status).toBe(200);
  });

  it('for a decision that says too little', async () => {
    expect((await decide(all[0]?.id ?? '', { status: 'resolved' })).status).toBe(400);
  });
});

describe('404', () => {
  it('of one that is left out', async () => {
    const { id } = all[1] as Shown;
    await service.db.query(`update contradictions set status = 'left_out' where contradiction_id = $1`, [id]);
    expect((await get(`/api/contradictions/${id}`)).status).toBe(404);
    for (const filter of ['', '&severity=low', '&severity=medium', '&document_id=d0', '&document_id=elsewhere'])
      expect((await list(filter)).map((one) => one.id)).not.toContain(id);
  });

  it('of what is another tenant’s, as of what is not there, and of what was reset', async () => {
    const { id } = all[0] as Shown;
    const detail = `Contradiction ${id} does not exist`;
    expect(await get(`/api/contradictions/${id}`, other.key)).toMatchObject({ status: 404, body: { detail } });
    expect(await decide(id, decision, other.key)).toMatchObject({ status: 404, body: { detail } });
    expect((await get('/api/contradictions/con_none')).body.detail).toBe('Contradiction con_none does not exist');
    await call('POST', '/admin/scopes/s/reset', { key: admin, tenantKey: key });
    expect((await get(`/api/contradictions/${id}`)).status).toBe(404);
    expect((await decide(id, decision)).status).toBe(404);
  });
});
