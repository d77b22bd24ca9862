import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/domain/admission.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/domain/keys.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({
  settings: { TENANT_RATE_PER_S: '1', TENANT_BURST: '20', TENANT_BACKLOG: '1000' },
});
const { call, admin } = service;
const post = (tenantId: string, body: unknown = { scope_id: 's', name: 'n', text: 't' }) =>
  call('POST', '/api/ingest', { tenantId, body });
const burst = async (tenantId: string, times: number) => {
  const answers = await Promise.all(Array.from({ length: times }, () => post(tenantId)));
  return answers.filter(({ status }) => status === 202).length;
};
/** What an answer says of the limit that was overrun. */
const limitOf = ({ headers }: { headers: Headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

/** How many of them were admitted, and how many a rate of one a second has added at most meanwhile. */
const timed = async (times: () => Promise<number>) => {
  const began = performance.now();
  return { admitted: await times(), later: Math.ceil((performance.now() - began) / 1000) };
};

describe('the rate', () => {
  it('lets a burst through, then 429 with Retry-After, and later goes on', async () => {
    const { tenantId } = await service.newTenant();
    const { admitted, later } = await timed(() => burst(tenantId, 40));
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(20 + later);
    const refused = await post(tenantId);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    const after = Number(refused.headers.get('retry-after'));
    expect(after).toBeGreaterThanOrEqual(1);
    expect(limitOf(refused)).toEqual(['"rate_per_s";q=1;w=1', `"rate_per_s";r=0;t=${after}`]);
    await expect.poll(async () => (await post(tenantId)).status).toBe(202);
  });

  it('of one tenant does not touch another', async () => {
    const [loud, quiet] = [await service.newTenant(), await service.newTenant()];
    await burst(loud.tenantId, 40);
    const { status, headers } = await post(quiet.tenantId);
    expect([status, ...limitOf({ headers })]).toEqual([202, null, null]);
  });

  it('is decided before the body is parsed', async () => {
    const { tenantId } = await service.newTenant();
    await burst(tenantId, 40);
    expect((await post(tenantId, '{ not json')).status).toBe(429);
  });

  it('counts every document of a batch', async () => {
    const { tenantId } = await service.newTenant();
    const documents = Array(60).fill({ scope_id: 's', name: 'n', text: 't' });
    expect((await call('POST', '/api/ingest/batch', { tenantId, body: { documents } })).status).toBe(202);
    const refused = await post(tenantId);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  });
});

/** Sends the head of a request, and the body when it is told to. */
function heldBack(path: string, tenantId: string, body: object) {
  const text = JSON.stringify(body);
  const headers = { 'x-tenant-id': tenantId, 'content-type': 'application/json', 'content-length': text.length };
  const call = request(new URL(path, service.url), { method: 'POST', headers });
  call.flushHeaders();
  const status = new Promise<number>((resolve, reject) => {
    call.on('error', reject).on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
  });
  return { status, letGo: () => call.end(text) };
}

it('batches that are held back until all their heads are in do not get past the rate', async () => {
  const { tenantId } = await service.newTenant();
  const documents = Array(100).fill({ scope_id: 's', name: 'n', text: 't' });
  const calls = Array.from({ length: 15 }, () => heldBack('/api/ingest/batch', tenantId, { documents }));
  // A head that came after them has been looked at, and so have they.
  await expect.poll(() => service.call('POST', '/api/ingest', { tenantId, body: {} }).then((a) => a.status)).toBe(429);
  for (const { letGo } of calls) letGo();
  const statuses = await Promise.all(calls.map(({ status }) => status));
  expect(statuses.filter((status) => status === 202)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([202, 429]));
});

describe('other limits', () => {
  const limit = (tenantId: string, limits: object) =>
    call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits } });

  it('count bytes, by what the head says', async () => {
    const { tenantId } = await service.newTenant();
    await limit(tenantId, { rate_per_s: 1000, burst: 1000, bytes_per_s: 1000 });
    const large = { scope_id: 's', name: 'n', text: 't'.repeat(10_000) };
    expect((await post(tenantId, large)).status).toBe(202);
    const refused = await post(tenantId);
    expect(refused).toMatchObject({ status: 429, body: { detail: expect.stringContaining('1000 bytes a second') } });
    const after = Number(refused.headers.get('retry-after'));
    expect(after).toBeGreaterThanOrEqual(5);
    expect(limitOf(refused)).toEqual(['"bytes_per_s";q=1000;w=1;qu="content-bytes"', `"bytes_per_s";r=0;t=${after}`]);
  });

  it.each([
    ['announced', (body: string) => body],
    ['not announced', (body: string) => new Blob([body]).stream()],
  ])('count the bytes of a report, %s', async (_how, toBody) => {
    const { tenantId } = await service.newTenant();
    await limit(tenantId, { bytes_per_s: 1000 });
    const report = (claim_a: string) =>
      fetch(`${service.url}/api/contradictions`, {
        method: 'POST',
        headers: { 'x-tenant-id': tenantId, 'content-type': 'application/json' },
        body: toBody(JSON.stringify({ scope_id: 's', claim_a, claim_b: 'b', document_ids: ['d'.repeat(200)] })),
        duplex: 'half',
      } as RequestInit);
    expect((await report('😀'.repeat(2000))).status).toBe(201);
    await expect.poll(async () => (await report('a')).status).toBe(429);
    expect(await (await report('a')).json()).toMatchObject({ detail: expect.stringContaining('1000 bytes a second') });
  });

  it('count an answer once for each 64 KB', async () => {
    const { tenantId, key } = await service.newTenant();
    await limit(tenantId, { rate_per_s: 1000, burst: 1000, reads_per_s: 1 });
    await post(tenantId, { scope_id: 's', document_id: 'd', name: 'n', text: '😀'.repeat(100_000) });
    const read = (path: string) => call('GET', path, { tenantKey: key });
    expect((await read('/api/documents/d/text?scope_id=s')).status).toBe(200);
    // 400 KB are seven reads, and two may be made at once.
    const refused = await read('/api/documents/d?scope_id=s');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
  });

  it('count a page of an export as a read, though there is nothing in it', async () => {
    const { tenantId } = await service.newTenant();
    const many = 1_000_000;
    const admission = new Admission(service.db, {
      ...{ rate_per_s: many, burst: many, backlog: many, bytes_per_s: many, reports_per_s: many, scopes: many },
      reads_per_s: 1,
    });
    const waits = [];
    for (let page = 0; page < 5; page++) waits.push(await admission.chargePage(tenantId, 0));
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(1);
  });

  it('count what is read and what is reported, each by itself, and not what operators do', async () => {
    const { tenantId, key } = await service.newTenant();
    await limit(tenantId, { reads_per_s: 1, reports_per_s: 1 });
    await post(tenantId);
    const read = () => call('GET', '/api/scopes/s/summary', { tenantKey: key });
    const body = { scope_id: 's', claim_a: 'It is.', claim_b: 'It is not.' };
    const report = () => call('POST', '/api/contradictions', { tenantId, body });
    for (const [ask, name] of [
      [read, 'reads_per_s'],
      [report, 'reports_per_s'],
    ] as const) {
      const refused: Awaited<ReturnType<typeof ask>>[] = [];
      const { admitted, later } = await timed(async () => {
        const answers = await Promise.all(Array.from({ length: 12 }, ask));
        refused.push(...answers.filter(({ status }) => status === 429));
        return answers.length - refused.length;
      });
      expect(admitted).toBeGreaterThanOrEqual(2);
      expect(admitted).toBeLessThanOrEqual(2 + 2 * later);
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      expect(refused[0] && limitOf(refused[0])).toEqual([`"${name}";q=1;w=1`, `"${name}";r=0;t=1`]);
    }
    expect((await call('GET', '/admin/scopes/s/summary', { key: admin, tenantKey: key })).status).toBe(200);
    expect((await post(tenantId)).status).toBe(202);
  });
});

describe('a limit of its own', () => {
  it('holds for that tenant at once, and null gives the configured one back', async () => {
    const { tenantId } = await service.newTenant();
    const change = (limits: object) => call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits } });
    expect((await change({ burst: 5, rate_per_s: 1 })).body.limits).toEqual({ burst: 5, rate_per_s: 1 });
    const { admitted, later } = await timed(() => burst(tenantId, 20));
    expect(admitted).toBeGreaterThanOrEqual(5);
    expect(admitted).toBeLessThanOrEqual(5 + later);
    expect((await change({ burst: null, backlog: 3 })).body.limits).toEqual({ rate_per_s: 1, backlog: 3 });
    expect((await change({ rate_per_s: 0 })).status).toBe(400);
    expect((await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: {} })).status).toBe(400);
  });

  it('on the backlog refuses what would wait too long', async () => {
    const { tenantId } = await service.newTenant();
    await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits: { backlog: 3 } } });
    expect(await burst(tenantId, 10)).toBe(3);
    const refused = await post(tenantId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(limitOf(refused)).toEqual(['"backlog";q=3', '"backlog";r=0;t=5']);
    expect(refused.body.detail).toContain('wait to be processed');
  });
});

it('that a tenant has a key for less is known with its limits, and costs no query of its own', async () => {
  const { tenantId } = await service.newTenant();
  await issueKey(service.db, 'tenant', { tenantId, permissions: ['ingest'] }, BY_COMMAND_LINE);
  let queries = 0;
  const counted: Queryable = {
    query(sql, values) {
      queries++;
      return service.db.query(sql, values);
    },
  };
  const many = 1_000_000;
  const admission = new Admission(counted, {
    ...{ rate_per_s: many, burst: many, backlog: many, bytes_per_s: many, reads_per_s: many, reports_per_s: many },
    scopes: many,
  });
  for (let n = 0; n < 20; n++) await admission.admitDocument(tenantId, 1, true);
  for (let n = 0; n < 20; n++)
    await expect(async () => admission.admitDocument(tenantId, 1, false)).rejects.toThrow('X-Tenant-ID alone');
  await expect(admission.admitReport(tenantId, 1, false)).rejects.toThrow('X-Tenant-ID alone');
  await admission.admitReport(tenantId, 1, true);
  // What is remembered for two seconds may have been asked for again on a busy machine, and not for each request.
  expect(queries).toBeLessThan(20);
});

it('REQUIRE_TENANT_KEY makes the key compulsory', async () => {
  const strict = await startTestService({ settings: { REQUIRE_TENANT_KEY: 'true' } });
  const { tenantId, key } = await strict.newTenant();
  const body = { scope_id: 's', name: 'n', text: 't' };
  expect((await strict.call('POST', '/api/ingest', { tenantId, body })).status).toBe(400);
  expect((await strict.call('POST', '/api/ingest', { tenantId, tenantKey: key, body })).status).toBe(202);
});
