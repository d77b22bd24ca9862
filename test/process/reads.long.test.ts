/** What one process has settled, decided or deleted is read at another at once: every route that reads what was understood, at both. */
import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Cluster, processedOf, type Replica, startCluster } from './cluster.ts';

const TEXTS = {
  old: 'Acme Robotics has 1,900 employees. Borealis Foods was founded in 1987.',
  new: 'Acme Robotics has 2,310 employees. Borealis Foods was founded in 1987.',
};

/** Any request, with the keys of an operator and of the tenant. */
async function ask(
  { admin, tenantId, tenantKey }: Cluster,
  { url }: Replica,
  path: string,
  method = 'GET',
  body?: object,
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${admin}`,
      'x-tenant-id': tenantId,
      'x-tenant-api-key': tenantKey,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as any };
}

/** With the tenant's key, and as an operator without it. */
function routesOf({ tenantId }: Cluster, factId: string, contradictionId: string): string[] {
  const own = [
    '/api/scopes',
    '/api/scopes/s',
    '/api/scopes/s/documents',
    '/api/scopes/s/documents?state=processed',
    '/api/scopes/s/summary',
    '/api/documents/new?scope_id=s',
    '/api/documents/new/text?scope_id=s',
    '/api/documents/new/claims?scope_id=s',
    '/api/scopes/s/facts',
    '/api/scopes/s/facts?state=disputed',
    '/api/scopes/s/facts?q=acme',
    '/api/scopes/s/facts?order=fact_id',
    '/api/scopes/s/facts?min_documents=1&order=fact_id',
    `/api/scopes/s/facts/${factId}`,
    '/api/contradictions?scope_id=s',
    '/api/contradictions?scope_id=s&document_id=new&order=newest',
    `/api/contradictions/${contradictionId}`,
  ];
  const operators = ['', '/documents', '/summary', '/facts', `/facts/${factId}`, '/contradictions'].concat(
    ['', '/text', '/claims'].map((rest) => `/documents/new${rest}`),
    `/contradictions/${contradictionId}`,
  );
  return [...own, ...operators.map((rest) => `/admin/tenants/${tenantId}/scopes/s${rest}`)];
}

it('two processes read what either has done, in the same words', async () => {
  const cluster = await startCluster({ settings: () => ({}) }, ['all', 'api']);
  const [works, reads] = cluster.apis as [Replica, Replica];
  const both = [works, reads];
  const read = (replica: Replica, path: string) => ask(cluster, replica, path);
  for (const [document_id, text] of Object.entries(TEXTS)) {
    const body = { scope_id: 's', name: 'n', document_id, text };
    expect((await ask(cluster, reads, '/api/ingest', 'POST', body)).status).toBe(202);
  }
  await until(
    () => processedOf(cluster),
    (n) => n === 2,
  );
  // The one that has settled nothing is asked first.
  const disputed = (await read(reads, '/api/scopes/s/facts?state=disputed')).body.facts;
  expect(disputed).toMatchObject([{ state: 'disputed', documents: 2, subject: 'Acme Robotics' }]);
  const [{ fact_id, contradictions }] = disputed;
  for (const path of routesOf(cluster, fact_id, contradictions[0])) {
    const [other, own] = [await read(reads, path), await read(works, path)];
    expect([path, other.status]).toEqual([path, 200]);
    expect(other.body).toEqual(own.body);
  }

  // A page that one began the other goes on with.
  for (const [path, list] of [
    ['/api/scopes/s/facts?limit=1&min_documents=1', 'facts'],
    ['/api/documents/new/claims?scope_id=s&limit=1', 'claims'],
    [`/api/scopes/s/facts/${fact_id}?limit=1`, 'evidence'],
  ] as const) {
    const whole = (await read(works, path.replace('limit=1', 'limit=50'))).body[list];
    const found = [];
    let cursor = '';
    for (let n = 0; cursor !== '&cursor=null' && n < 50; n++) {
      const { body } = await read(both[n % 2] as Replica, path + cursor);
      found.push(...body[list]);
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(found).toEqual(whole);
    expect(found.length).toBeGreaterThan(1);
  }

  // A decision at one, and a deletion at the other.
  const decision = { status: 'resolved', resolution: 'r', resolved_by: 'me' };
  expect((await ask(cluster, works, `/api/contradictions/${contradictions[0]}`, 'PATCH', decision)).status).toBe(200);
  expect((await read(reads, `/api/scopes/s/facts/${fact_id}`)).body).toMatchObject({
    state: 'varied',
    contradictions: [],
  });
  expect((await read(reads, `/api/contradictions/${contradictions[0]}`)).body.status).toBe('resolved');
  await ask(cluster, reads, '/api/documents/old?scope_id=s', 'DELETE');
  for (const replica of both) {
    expect((await read(replica, `/api/scopes/s/facts/${fact_id}`)).body).toMatchObject({
      state: 'agreed',
      documents: 1,
    });
    expect((await read(replica, '/api/documents/old/claims?scope_id=s')).status).toBe(404);
  }
});
