/** A batch of which nothing was accepted is an error, and says so with its status. */
import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, db } = service;
const { tenantId } = await service.newTenant();
const document = { scope_id: 's', name: 'n', text: 't' };
const batch = (documents: unknown[], headers: Record<string, string> = {}) =>
  call('POST', '/api/ingest/batch', { tenantId, body: { documents }, headers });
const statuses = (results: { status: number }[]) => results.map(({ status }) => status);

it('is 400 when each document is wrong, whatever is wrong with it, and there is nothing to wait for', async () => {
  await call('POST', '/api/ingest', { tenantId, body: { ...document, idempotency_key: 'used' } });
  const { status, headers, body } = await batch([
    { ...document, text: '' },
    'nonsense',
    { ...document, text: 'another', idempotency_key: 'used' },
  ]);
  expect([status, headers.get('retry-after')]).toEqual([400, null]);
  expect(body).toMatchObject({
    type: 'urn:docket:error:batch_rejected',
    code: 'batch_rejected',
    status: 400,
    request_id: headers.get('x-request-id'),
    accepted: 0,
    rejected: 3,
  });
  expect(statuses(body.results)).toEqual([400, 400, 422]);
  expect(body.results[0].error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body/text' }] });
});

it('is 202 as soon as one was accepted', async () => {
  const { status, body } = await batch([{ ...document, text: '' }, document]);
  expect([status, body.accepted, body.rejected, body.code]).toEqual([202, 1, 1, undefined]);
});

it('is 503 with Retry-After when one of them could not be stored, beside others that are wrong', async () => {
  await db.query(
    `alter table document_contents drop constraint if exists planted, add constraint planted check (name <> 'refused') not valid`,
  );
  const refused = await batch([
    { ...document, name: 'refused' },
    { ...document, text: '' },
  ]);
  expect([refused.status, statuses(refused.body.results)]).toEqual([500, [500, 400]]);

  const away = await startTestService({ settings: { DATABASE_URL: service.databaseUrl, DB_TIMEOUT_MS: '200' } });
  await db.transaction(async (tx) => {
    // It cannot be stored while this is held.
    await tx.query('lock table documents in access exclusive mode');
    const body = {
      documents: [
        { ...document, text: 'x' },
        { ...document, text: '' },
      ],
    };
    const answer = await away.call('POST', '/api/ingest/batch', { tenantId, body });
    expect([answer.status, answer.body.code, statuses(answer.body.results)]).toEqual([
      503,
      'batch_rejected',
      [503, 400],
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('is refused as a whole when it has a key for all', async () => {
  const { status, body } = await batch([document], { 'idempotency-key': 'k' });
  expect([status, body.errors]).toEqual([
    400,
    [
      {
        path: 'headers/idempotency-key',
        message: 'is not taken with a batch; give each document an idempotency_key of its own',
      },
    ],
  ]);
});
