/** Bodies that cost more than they are worth: refused before they are parsed. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call } = service;
const { tenantId } = await service.newTenant();
const document = { scope_id: 'scope', name: 'A name', text: 'Some text.' };

describe('a body of many values', () => {
  it.each([
    ['empty objects', `{"a":[${'{},'.repeat(600_000)}0]}`],
    ['arrays in arrays', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['names', `{${'"a":1,'.repeat(300_000)}"b":1}`],
    ['numbers', `[${'1,'.repeat(1_000_000)}1]`],
  ])('is 400: %s', async (_name, body) => {
    const answer = await call('POST', '/api/ingest', { tenantId, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path: 'body' }] } });
    expect(answer.body.detail).toContain('more than 64 values');
  });

  it('is 400 for its document only, in a batch, and for the batch when there is no end of them', async () => {
    const batch = (documents: unknown[]) => call('POST', '/api/ingest/batch', { tenantId, body: { documents } });
    const large = { ...document, more: Array(64).fill({}) };
    const { status, body } = await batch([document, large, document]);
    expect([status, body.results.map((result: { status: number }) => result.status)]).toEqual([202, [202, 400, 202]]);
    expect(body.results[1].error.detail).toContain('more than 64 values');
    const endless = await batch([document, { a: ['\u0041', ...Array(2_000_000).fill({})] }]);
    expect(endless).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('may have a hundred document_ids where those are asked for', async () => {
    const document_ids = Array.from({ length: 100 }, (_item, i) => `document ${i}`);
    const body = { scope_id: 'scope', claim_a: 'a', claim_b: 'b', document_ids };
    expect((await call('POST', '/api/contradictions', { tenantId, body })).status).toBe(201);
  });

  it('is answered briefly, however long its names are', async () => {
    const answer = await call('POST', '/api/ingest', { tenantId, body: { ...document, ['🙂'.repeat(400_000)]: 1 } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2000);
    expect(answer.body.detail).toContain('🙂🙂');
    expect(answer.body.detail.isWellFormed()).toBe(true);
  });
});

it('a body in pieces of a byte each is read like any other', async () => {
  const text = JSON.stringify({ ...document, text: 'é🙂\\" {[,'.repeat(200) });
  const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
  const answer = await fetch(`${service.url}/api/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant-id': tenantId },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(202);
});
