/** Exports over plain sockets: readers that are slow, that go, and that come back; and what ends an export before its end. */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey, revokeKey } from '../../src/domain/keys.ts';
import { addLargeDocuments, askExport, type Line, linesOf, readExport } from '../support/exported.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const settings = { TENANT_EXPORTS: '2', MAX_EXPORTS: '3' };
const service = withVerbs(await startTestService({ settings }));
/** Of 100 KB each: more than the systems of both sides take of them before anybody reads. */
const LARGE = 400;

class Reader {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #received: Buffer[] = [];

  constructor({ url }: TestService, key: string, path: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    later(() => this.socket.destroy());
    this.socket.on('error', () => {}).on('data', (data: Buffer) => this.#received.push(data));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Tenant-API-Key: ${key}\r\n\r\n`);
  }

  get bytes(): number {
    return this.#received.reduce((sum, { length }) => sum + length, 0);
  }

  /** Reads the beginning, and then no more until it is told to. */
  async begin(): Promise<this> {
    await until(
      () => this.bytes,
      (bytes) => bytes > 0,
    );
    this.socket.pause();
    expect(this.#received[0]?.toString('latin1', 0, 20)).toContain('HTTP/1.1 200');
    return this;
  }

  /** All that came, without the chunks around it; `isWhole` if the last of them came. */
  async end(): Promise<{ body: string; lines: Line[]; isWhole: boolean }> {
    this.socket.resume();
    await this.closed;
    const all = Buffer.concat(this.#received);
    const parts: Buffer[] = [];
    let isWhole = false;
    for (let at = all.indexOf('\r\n\r\n') + 4; at < all.length; ) {
      const line = all.indexOf('\r\n', at);
      const size = Number.parseInt(all.toString('latin1', at, line), 16);
      if (size === 0) isWhole = true;
      if (line < 0 || !(size > 0)) break;
      parts.push(all.subarray(line + 2, line + 2 + size));
      at = line + 2 + size + 2;
    }
    const body = Buffer.concat(parts).toString();
    return { body, lines: linesOf(body), isWhole };
  }
}

const open = (tenant: Tenant, scopeId: string, query = '', at: TestService = service) =>
  new Reader(at, tenant.key, `/api/scopes/${scopeId}/export${query}`).begin();

async function newLarge(scopeId: string): Promise<Tenant> {
  const tenant = await service.newTenant();
  await addLargeDocuments(service, tenant, scopeId, LARGE);
  return tenant;
}

describe('a reader that is slow', () => {
  it('gets what is there when it comes to it: no more is read than it takes, and a snapshot is not held', async () => {
    const tenant = await newLarge('slow');
    const reader = await open(tenant, 'slow');
    await service.call('DELETE', `/api/documents/d-${LARGE - 1}?scope_id=slow`, { tenantKey: tenant.key });
    await service.ingest(tenant, 'slow', 'Changed.', { document_id: `d-${LARGE - 2}` });
    await service.ingest(tenant, 'slow', 'New.', { document_id: 'new' });
    const { body, lines, isWhole } = await reader.end();
    const documents = lines.filter(({ kind }) => kind === 'document');
    expect(documents.map(({ document_id }) => document_id)).toEqual(
      Array.from({ length: LARGE - 1 }, (_, nth) => `d-${nth}`),
    );
    expect(documents.at(-1)).toMatchObject({ version: 2, text: 'Changed.' });
    const end = lines.at(-1);
    expect([isWhole, end.kind, end.changed, end.counts.documents]).toEqual([true, 'end', true, LARGE - 1]);
    const before = body.slice(0, body.lastIndexOf('\n', body.length - 2) + 1);
    expect(end.sha256).toBe(createHash('sha256').update(before).digest('hex'));
  });

  it('is told when the scope was deleted meanwhile, and gets no end', async () => {
    const tenant = await newLarge('deleted');
    const reader = await open(tenant, 'deleted');
    await service.call('DELETE', '/admin/scopes/deleted', { key: service.admin, tenantKey: tenant.key });
    const { lines, isWhole } = await reader.end();
    expect(lines.at(-1)).toMatchObject({ kind: 'error', error: { code: 'not_found', status: 404 } });
    expect([isWhole, lines.some(({ kind }) => kind === 'end'), lines.length < LARGE]).toEqual([true, false, true]);
  });

  it('sees nothing of what was deleted while it waited for more that it may read, though that was read already', async () => {
    const tenant = await newLarge('waits');
    const slow = await startTestService({ settings: { DATABASE_URL: service.databaseUrl, TENANT_READS_PER_S: '3' } });
    const reader = new Reader(slow, tenant.key, '/api/scopes/waits/export?include=documents,texts');
    await until(
      () => reader.bytes,
      (bytes) => bytes > 1_000_000,
    );
    await service.call('DELETE', '/admin/scopes/waits', { key: service.admin, tenantKey: tenant.key });
    const { lines } = await reader.end();
    // A page ends with the document that makes it a megabyte.
    expect(lines.map(({ kind }) => kind)).toEqual([...Array(11).fill('document'), 'error']);
  });
});

describe('a reader that was cut off', () => {
  it('goes on from any cursor that it has, with nothing twice and nothing missing', async () => {
    const tenant = await newLarge('resumed');
    const whole = await readExport(service, tenant, 'resumed');
    expect(whole.of('cursor').length).toBeGreaterThan(3);
    for (const { cursor } of [whole.of('cursor')[0], whole.of('cursor').at(-1)] as Line[]) {
      const before = whole.lines.findIndex((line) => line.cursor === cursor);
      const { of, end } = await readExport(service, tenant, 'resumed', `?cursor=${cursor}`);
      const left = whole.lines.slice(before).filter(({ kind }) => kind === 'document');
      expect(of('document')).toEqual(left);
      expect([end.revision, end.changed]).toEqual([whole.end.revision, false]);
    }
  });
});

describe('places', () => {
  it('are so many for each tenant and for all, and are free again when a client has vanished', async () => {
    const [tenant, other] = [await newLarge('places'), await newLarge('places')];
    const readers = [await open(tenant, 'places'), await open(tenant, 'places')];
    const refused = await askExport(service, tenant, 'places');
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
    expect(refused.headers.get('ratelimit-policy')).toBe('"exports";q=2');
    readers.push(await open(other, 'places'));
    const full = await askExport(service, other, 'places');
    expect([full.status, full.body.code, full.headers.get('ratelimit-policy')]).toEqual([503, 'unavailable', null]);
    expect(full.headers.get('retry-after')).toBe('5');
    const { body: metrics } = await service.call('GET', '/internals/metrics', { key: service.internals });
    expect(metrics).toMatch(/^docket_http_refusals_total\{status="503",reason="exports"\} [1-9]/m);
    for (const { socket } of readers) socket.destroy();
    for (const one of [tenant, other])
      await until(
        async () => (await askExport(service, one, 'places', '?include=claims')).status,
        (status) => status === 200,
      );
  });

  it('hold no turn of those who read while their clients do not', async () => {
    const tenant = await newLarge('turns');
    const readers = [await open(tenant, 'turns'), await open(tenant, 'turns')];
    for (let n = 0; n < 20; n++)
      expect((await service.call('GET', '/api/scopes/turns', { tenantKey: tenant.key })).status).toBe(200);
    for (const { socket } of readers) socket.destroy();
  });
});

describe('an export ends before its end', () => {
  it('when its key is revoked', async () => {
    const tenant = await newLarge('revoked');
    const { key, record } = await issueKey(service.db, 'tenant', { tenantId: tenant.tenantId }, BY_COMMAND_LINE);
    const readers = [await open({ ...tenant, key }, 'revoked'), await open({ ...tenant, key }, 'revoked')];
    await revokeKey(service.db, tenant.tenantId, record.key_prefix, BY_COMMAND_LINE);
    await until(
      async () => (await askExport(service, tenant, 'revoked', '?include=claims')).status,
      (status) => status === 200,
    );
    const ended = await Promise.all(readers.map((reader) => reader.end()));
    expect(ended.flatMap(({ lines }) => lines).some(({ kind }) => kind === 'end')).toBe(false);
  });

  it('when its process does, and says from where to go on at another', async () => {
    const tenant = await newLarge('closing');
    // It has read more than it may by the first page, and waits for the next.
    const slow = await startTestService({ settings: { DATABASE_URL: service.databaseUrl, TENANT_READS_PER_S: '1' } });
    const reader = new Reader(slow, tenant.key, '/api/scopes/closing/export?include=documents,texts');
    await until(
      () => reader.bytes,
      (bytes) => bytes > 1_000_000,
    );
    await slow.close();
    const { lines, isWhole } = await reader.end();
    const [cursor, error] = lines.slice(-2);
    expect([cursor.kind, error.kind, error.error.code, isWhole]).toEqual(['cursor', 'error', 'unavailable', true]);
    const rest = await readExport(service, tenant, 'closing', `?cursor=${cursor.cursor}`);
    const documents = [...lines, ...rest.lines].filter(({ kind }) => kind === 'document');
    expect(documents.map(({ seq }) => seq)).toEqual(Array.from({ length: LARGE }, (_, seq) => seq));
    expect(lines.length).toBeLessThan(LARGE / 2);
  });

  it('when its key is revoked while it waits for more that it may read, and is told so', async () => {
    const tenant = await newLarge('told');
    const { key, record } = await issueKey(service.db, 'tenant', { tenantId: tenant.tenantId }, BY_COMMAND_LINE);
    const slow = await startTestService({ settings: { DATABASE_URL: service.databaseUrl, TENANT_READS_PER_S: '1' } });
    const reader = new Reader(slow, key, '/api/scopes/told/export');
    await until(
      () => reader.bytes,
      (bytes) => bytes > 1_000_000,
    );
    await revokeKey(service.db, tenant.tenantId, record.key_prefix, BY_COMMAND_LINE);
    const { lines } = await reader.end();
    expect(lines.at(-1)).toMatchObject({ kind: 'error', error: { code: 'unauthorized' } });
    expect(lines.at(-2).kind).not.toBe('cursor');
  });
});
