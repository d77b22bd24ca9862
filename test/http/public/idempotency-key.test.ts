/** The header Idempotency-Key counts as the field of the body does: a retry with it stores nothing again. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const { tenantId, key } = await service.newTenant();
const document = { scope_id: 's', name: 'n', text: 't' };
const send = (header: string | undefined, body: object = document, path = '/api/ingest') =>
  call('POST', path, {
    tenantId,
    body,
    ...(path.startsWith('/admin') && { key: admin, tenantKey: key }),
    ...(header !== undefined && { headers: { 'idempotency-key': header } }),
  });
const { scope_id: _scope, ...inPath } = document;

describe.each([
  ['/api/ingest', document],
  ['/api/documents', document],
  ['/admin/scopes/s/documents', inPath],
])('%s', (path, body) => {
  it('stores once, and says so the second time', async () => {
    const name = `once ${path}`;
    const first = await send(name, body, path);
    const again = await send(`"${name}"`, body, path);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect(first.body.idempotency_key).toBe(name);
    // In the body it is the same key.
    expect((await send(undefined, { ...body, idempotency_key: name }, path)).body).toEqual(first.body);
    expect((await send(name, { ...body, text: 'another' }, path)).status).toBe(422);
  });

  it('takes both only if they are one key', async () => {
    const name = `both ${path}`;
    expect((await send(name, { ...body, idempotency_key: name }, path)).status).toBeLessThan(300);
    const { status, body: problem } = await send(name, { ...body, idempotency_key: 'other' }, path);
    expect([status, problem.errors]).toEqual([
      400,
      [{ path: 'headers/idempotency-key', message: 'is not the same as body/idempotency_key; send one of the two' }],
    ]);
  });
});

it.each([
  ['a "b" \\c', '"a \\"b\\" \\\\c"'],
  ['k'.repeat(200), 'k'.repeat(200)],
  ['a, b', 'a, b'],
])('reads %s', async (meant, header) => {
  expect((await send(header)).body.idempotency_key).toBe(meant);
});

it.each([['""'], ['"open'], ['"a" "b"'], ['"a\\b"'], ['k'.repeat(201)], ['\u00e9'], ['a\tb']])(
  'refuses %s, and says why',
  async (header) => {
    const { status, body } = await send(header);
    expect([status, body.errors[0].path]).toEqual([400, 'headers/idempotency-key']);
  },
);
