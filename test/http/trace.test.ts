/** A caller's trace leads through the service: into its log, the events of what was posted, and an operator's extractor. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';

/** What each document was asked with, by its id. */
const asked = new Map<string, string | undefined>();
const extractor = createServer(async (request, response) => {
  const { document } = JSON.parse(await readText(request));
  asked.set(document.document_id, request.headers.traceparent as string | undefined);
  response.end('{"claims":[]}');
});
await new Promise<void>((resolve) => extractor.listen(0, '127.0.0.1', resolve));
later(() => {
  extractor.closeAllConnections();
  extractor.close();
});
const EXTRACTOR_URL = `http://127.0.0.1:${(extractor.address() as AddressInfo).port}/`;
const service = withVerbs(await startTestService({ settings: { ROLE: 'all', EXTRACTOR_URL } }));
const { call, db } = service;

let count = 0;
function newTrace() {
  const traceId = (++count).toString(16).padStart(32, 'a');
  const parentId = count.toString(16).padStart(16, 'b');
  return { traceId, parentId, traceparent: `00-${traceId}-${parentId}-01` };
}

const post = (
  { tenantId }: Tenant,
  document: Record<string, string>,
  traceparent?: string,
  path = '/api/ingest',
): ReturnType<typeof call> =>
  call('POST', path, {
    tenantId,
    body: { scope_id: 's', name: 'n', text: 't', ...document },
    ...(traceparent !== undefined && { headers: { traceparent } }),
  });

/** The trace of each event of a document: its type, and the id if there is one. */
async function tracesOf({ tenantId }: Tenant, documentId: string): Promise<[string, string | null][]> {
  const { rows } = await db.query<{ type: string; trace: string | null }>(
    `select type, payload ->> 'trace_id' as trace from events
      where tenant_id = $1 and payload ->> 'document_id' = $2 order by event_id`,
    [tenantId, documentId],
  );
  return rows.map(({ type, trace }) => [type, trace]);
}

describe('a document that comes with a trace', () => {
  it('has it in its events, of the first version and of the next, and the extractor gets it', async () => {
    const tenant = await service.newTenant();
    // The first makes the scope, and so goes another way than the second.
    const [first, second, third] = [newTrace(), newTrace(), newTrace()];
    expect((await post(tenant, { document_id: 'a' }, first.traceparent)).status).toBe(202);
    await service.processed(tenant, 's', 1);
    expect((await post(tenant, { document_id: 'b' }, second.traceparent)).status).toBe(202);
    await service.processed(tenant, 's', 2);
    for (const [id, { traceId, traceparent }] of [
      ['a', first],
      ['b', second],
    ] as const) {
      expect(await tracesOf(tenant, id)).toEqual([
        ['document.queued', traceId],
        ['document.processed', traceId],
      ]);
      expect(asked.get(id)).toBe(traceparent);
    }
    await post(tenant, { document_id: 'b', text: 'other' }, third.traceparent);
    await expect.poll(() => asked.get('b')).toBe(third.traceparent);
    await expect.poll(() => tracesOf(tenant, 'b')).toContainEqual(['document.processed', third.traceId]);
  });

  it('has it when it is stored, and when it is queued the trace of that request', async () => {
    const tenant = await service.newTenant();
    const [stored, queued] = [newTrace(), newTrace()];
    await post(tenant, { document_id: 'a' }, stored.traceparent, '/api/documents');
    await post(tenant, { document_id: 'a' }, queued.traceparent);
    await service.processed(tenant, 's', 1);
    expect(await tracesOf(tenant, 'a')).toEqual([
      ['document.accepted', stored.traceId],
      ['document.queued', queued.traceId],
      ['document.processed', stored.traceId],
    ]);
  });

  it('has it in a batch, beside documents of others that have none', async () => {
    const [tenant, other] = [await service.newTenant(), await service.newTenant()];
    const { traceparent, traceId } = newTrace();
    const documents = ['a', 'b'].map((document_id) => ({ scope_id: 's', name: 'n', text: 't', document_id }));
    const { tenantId } = tenant;
    await Promise.all([
      call('POST', '/api/ingest/batch', { tenantId, body: { documents }, headers: { traceparent } }),
      post(other, { document_id: 'a' }),
    ]);
    await service.processed(tenant, 's', 2);
    await service.processed(other, 's', 1);
    for (const id of ['a', 'b'])
      expect((await tracesOf(tenant, id)).map(([, trace]) => trace)).toEqual([traceId, traceId]);
    expect((await tracesOf(other, 'a')).map(([, trace]) => trace)).toEqual([null, null]);
  });

  it('is the same document, and the same request, as without it', async () => {
    const tenant = await service.newTenant();
    const document = { document_id: 'a', idempotency_key: 'k' };
    await post(tenant, document, newTrace().traceparent);
    const again = await post(tenant, document, newTrace().traceparent);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    const other = await post(tenant, { document_id: 'a' });
    expect([other.status, other.body.seq]).toEqual([202, again.body.seq]);
  });
});

describe('what is no trace', () => {
  it.each([
    ['words', 'nonsense'],
    ['zeros', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['capital letters', newTrace().traceparent.toUpperCase()],
    ['8,000 characters', `00-${'x'.repeat(8000)}`],
  ])('counts as none: %s', async (_what, traceparent) => {
    const tenant = await service.newTenant();
    expect((await post(tenant, { document_id: 'n' }, traceparent)).status).toBe(202);
    await service.processed(tenant, 's', 1);
    expect((await tracesOf(tenant, 'n')).map(([, trace]) => trace)).toEqual([null, null]);
    expect(asked.get('n')).toBeUndefined();
    expect(service.logged()).not.toContain(traceparent);
  });
});

it('is in the lines that the request writes, whatever it asks for, and in nobody else’s', async () => {
  const { traceId, parentId, traceparent } = newTrace();
  await call('GET', '/admin/tenants', { key: service.admin, headers: { traceparent, 'x-request-id': 'traced' } });
  await call('GET', '/admin/tenants', { key: service.admin, headers: { 'x-request-id': 'not-traced' } });
  const lines = () => {
    const all = service.logged().trim().split('\n');
    return all.map((line) => JSON.parse(line)).filter(({ request_id }) => /^(not-)?traced$/.test(request_id));
  };
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()[0]).toMatchObject({ request_id: 'traced', trace_id: traceId, parent_id: parentId, msg: 'answered' });
  expect(lines()[1]).toMatchObject({ request_id: 'not-traced', msg: 'answered' });
  expect(lines()[1]).not.toHaveProperty('trace_id');
});
