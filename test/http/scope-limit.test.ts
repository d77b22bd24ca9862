import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ settings: { TENANT_SCOPES: '3' } });
const { call, admin } = service;
const document = (scope_id: string) => ({ scope_id, name: 'n', text: 't' });
const claims = { claim_a: 'a', claim_b: 'b' };

async function newFullTenant() {
  const tenant = await service.newTenant();
  for (const scope of ['s-1', 's-2', 's-3'])
    await call('POST', '/api/ingest', { tenantId: tenant.tenantId, body: document(scope) });
  return { ...tenant, tenantKey: tenant.key };
}

it('is 409 on every route that makes scopes, says what to do, and lets in what needs no scope', async () => {
  const { tenantId, tenantKey } = await newFullTenant();
  const make = [
    call('POST', '/api/ingest', { tenantId, body: document('s-4') }),
    call('POST', '/api/documents', { tenantId, body: document('s-4') }),
    call('POST', '/api/contradictions', { tenantId, body: { scope_id: 's-4', ...claims } }),
    call('POST', '/admin/scopes', { key: admin, tenantKey, body: { scope_id: 's-4' } }),
    call('POST', '/admin/scopes/s-4/documents', { key: admin, tenantKey, body: { name: 'n', text: 't' } }),
  ];
  for (const { status, body } of await Promise.all(make)) {
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.detail).toContain('delete some, or ask the operator');
  }
  expect((await call('POST', '/api/ingest', { tenantId, body: document('s-1') })).status).toBe(202);
  const exists = await call('POST', '/admin/scopes', { key: admin, tenantKey, body: { scope_id: 's-1' } });
  expect(exists.body.detail).toContain('exists already');

  await call('DELETE', '/admin/scopes/s-2', { key: admin, tenantKey });
  expect((await call('POST', '/api/ingest', { tenantId, body: document('s-4') })).status).toBe(202);
  expect((await call('POST', '/api/ingest', { tenantId, body: document('s-5') })).status).toBe(409);
});

it('fails alone in a flush that it shares with others, of its own tenant too', async () => {
  const { tenantId } = await newFullTenant();
  const other = await service.newTenant();
  const batch = { documents: ['s-1', 's-9', 's-2'].map(document) };
  const [own, neighbour] = await Promise.all([
    call('POST', '/api/ingest/batch', { tenantId, body: batch }),
    call('POST', '/api/ingest/batch', { tenantId: other.tenantId, body: batch }),
  ]);
  const statuses = (body: { results: { status: number }[] }) => body.results.map(({ status }) => status);
  expect(statuses(own.body)).toEqual([202, 409, 202]);
  expect(statuses(neighbour.body)).toEqual([202, 202, 202]);
  expect(
    statuses(
      (
        await call('POST', '/api/ingest/batch', {
          tenantId: other.tenantId,
          body: { documents: ['n-1', 's-1'].map(document) },
        })
      ).body,
    ),
  ).toEqual([409, 202]);
});

it('takes a limit of the tenant’s own, and no more in one batch than there is room for', async () => {
  const { tenantId } = await newFullTenant();
  const limits = { scopes: 5 };
  const changed = await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits } });
  expect(changed).toMatchObject({ status: 200, body: { limits } });
  const documents = ['m-1', 'm-2', 'm-3', 'm-1'].map(document);
  const { body } = await call('POST', '/api/ingest/batch', { tenantId, body: { documents } });
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([202, 202, 409, 202]);
});
