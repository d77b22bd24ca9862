import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const { tenantId, key } = await service.newTenant();

/** The same twice: by somebody who only knows the tenant's id, and by the tenant. */
const both = async (path: string, body: object) => [
  await call('POST', path, { tenantId, body }),
  await call('POST', path, { tenantId, tenantKey: key, body }),
];
const secret = { scope_id: 'secret-scope', name: 'n', text: 't', document_id: 'secret-document' };

it.each(['/api/ingest', '/api/documents'])(
  '%s: the 422 of a guessed key names nothing without the key',
  async (path) => {
    const idempotency_key = `guessable ${path}`;
    await call('POST', path, { tenantId, tenantKey: key, body: { ...secret, idempotency_key } });
    const [alone, proven] = await both(path, { scope_id: 'guess', name: 'g', text: 'g', idempotency_key });
    expect([alone?.status, proven?.status]).toEqual([422, 422]);
    expect(proven?.body.detail).toContain('secret-document in scope secret-scope');
    expect(alone?.body.detail).toBe('This idempotency_key was used for another request. Use a new key.');
  },
);

it('in a batch too, and for those who wait behind the first with that key', async () => {
  const one = { ...secret, idempotency_key: 'in a batch' };
  const other = { scope_id: 'guess', name: 'g', text: 'g', idempotency_key: 'in a batch' };
  const { body } = await call('POST', '/api/ingest/batch', { tenantId, body: { documents: [one, other, other] } });
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([202, 422, 422]);
  expect(JSON.stringify(body.results.slice(1))).not.toContain('secret');
});

it('what became of a stored document is not told without the key, by a replay or by its id', async () => {
  const stored = { scope_id: 'stored', name: 'n', text: 't', document_id: 'd' };
  const replayed = { ...stored, idempotency_key: 'of stored' };
  const first = await call('POST', '/api/documents', { tenantId, body: replayed });
  expect(first.body.state).toBe('pending');
  await call('POST', '/admin/scopes/stored/ingest', { key: admin, tenantKey: key });
  for (const body of [replayed, stored]) {
    const [alone, proven] = await both('/api/documents', body);
    expect(proven?.body.state).toBe('queued');
    expect(alone?.body).toEqual({ ...first.body, idempotency_key: alone?.body.idempotency_key });
  }
});

it('a report of a pair that exists is answered with what was sent, its id and its date', async () => {
  const claims = { claim_a: 'It is three years.', claim_b: 'It is five years.' };
  const details = { source_a: 'secret source', document_ids: ['secret-document'], severity: 'critical' };
  const made = await call('POST', '/api/contradictions', {
    tenantId,
    tenantKey: key,
    body: { scope_id: 'reports', ...claims, ...details },
  });
  const decision = { status: 'resolved', resolution: 'a secret reason', resolved_by: 'a secret person', upholds: 'a' };
  const path = `/admin/scopes/reports/contradictions/${made.body.id}`;
  const decided = await call('PATCH', path, { key: admin, tenantKey: key, body: decision });

  const guess = { scope_id: 'reports', claim_a: claims.claim_b, claim_b: claims.claim_a };
  const [alone, proven] = await both('/api/contradictions', guess);
  expect(proven).toMatchObject({ status: 200, body: decided.body });
  const fresh = (await call('POST', '/api/contradictions', { tenantId, body: { ...guess, scope_id: 'fresh' } })).body;
  const { id, created_at } = made.body;
  expect([alone?.status, alone?.body]).toEqual([200, { ...fresh, scope_id: 'reports', id, created_at }]);
});
