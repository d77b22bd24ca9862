/** Single calls of the client: what is stored, what is tried again, and what a failure is told as. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as client from '../../client/src/index.ts';
import { newClient, newCutClient, storedIn } from '../support/client.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const { docket, tenant } = await newClient(service);
let scopes = 0;
const newScope = () => `scope-${scopes++}`;
const lease = (scope_id: string, more = {}) => ({
  scope_id,
  name: 'Lease',
  text: 'The lease runs for 3 years.',
  ...more,
});
const report = (scope_id: string) => ({ scope_id, claim_a: 'It is 3.', claim_b: 'It is 4.' });
const decision = { status: 'resolved', resolution: 'The later one holds.', resolved_by: 'm.larsen' } as const;

/** A server that is not Docket. */
async function startStranger(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  later(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('what is sent', () => {
  it('is stored under a key that the client makes, or under the one that it is given', async () => {
    const scope = newScope();
    const first = await docket.ingest(lease(scope));
    const second = await docket.ingest(lease(scope));
    expect(first).toMatchObject({ queued: true, idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(second.idempotency_key).not.toBe(first.idempotency_key);
    const key = { idempotency_key: 'mine' };
    const third = await docket.ingest(lease(scope, key));
    expect(await docket.ingest(lease(scope, key))).toEqual(third);
    expect([third.idempotency_key, await storedIn(service, scope)]).toEqual(['mine', 3]);
  });

  it('is stored once when its answer is lost', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant });
    const scope = newScope();
    for (const [route, send] of [
      ['POST /api/ingest', () => docket.ingest(lease(scope))],
      ['POST /api/ingest/batch', () => docket.ingestBatch([lease(scope), lease(scope)])],
      ['POST /api/documents', () => docket.createDocument(lease(scope))],
    ] as const) {
      proxy.cutAfterSending(`${route} `);
      await send();
    }
    expect([proxy.cuts(), await storedIn(service, scope)]).toEqual([3, 4]);
  });

  it('is stored once when it never arrived, nor while nobody answered', async () => {
    const { docket, proxy, attempts } = await newCutClient(service, { tenant });
    const scope = newScope();
    proxy.cutInsteadOfSending('POST /api/ingest');
    await docket.ingest(lease(scope));
    proxy.down();
    const sent = docket.ingest(lease(scope));
    await expect.poll(() => attempts.length).toBeGreaterThan(3);
    proxy.up();
    await sent;
    expect(await storedIn(service, scope)).toBe(2);
  });

  it('is decided or deleted once when the answer is lost', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant });
    const scope = newScope();
    const { id } = await docket.reportContradiction(report(scope));
    proxy.cutAfterSending('PATCH /api/contradictions');
    expect(await docket.decide(id, decision)).toMatchObject({ id, status: 'resolved', resolved_by: 'm.larsen' });
    await docket.ingest(lease(scope, { document_id: 'lease-12' }));
    proxy.cutAfterSending('DELETE /api/documents');
    await docket.deleteDocument(scope, 'lease-12');
    expect([proxy.cuts(), await storedIn(service, scope)]).toEqual([2, 0]);
    await expect(docket.deleteDocument(scope, 'lease-12')).rejects.toBeInstanceOf(client.NotFoundError);
  });
});

describe('what may pass', () => {
  it('is tried again when the service asks for it, and no sooner', async () => {
    const settings = { TENANT_RATE_PER_S: '1', TENANT_BURST: '1' };
    const slow = await startTestService({ settings });
    const { docket, statuses } = await newClient(slow, { maxRetries: 50 });
    await Promise.all([0, 1, 2].map(() => docket.ingest(lease('s'))));
    expect(statuses.filter((status) => status === 202)).toHaveLength(3);
    expect(statuses).toContain(429);
    // Each that is refused is told a second or more. Without that there would be a hundred of them.
    expect(statuses.length).toBeLessThan(20);

    const { docket: hasty } = await newClient(slow, { maxRetries: 0 });
    const failed = await Promise.allSettled([0, 1, 2].map(() => hasty.ingest(lease('s'))));
    const refusal = failed.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refusal.reason).toBeInstanceOf(client.TooManyRequestsError);
    expect(refusal.reason).toMatchObject({ status: 429, code: 'too_many_requests', attempts: 1 });
    expect(refusal.reason.retryAfterMs).toBeGreaterThanOrEqual(1000);
  });

  it('is given up after so many attempts', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant, maxRetries: 2 });
    proxy.down();
    const error = await docket.scope('s').catch((error) => error);
    expect(error).toBeInstanceOf(client.ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed', status: 0, problem: null, attempts: 3 });
  });

  it('is given up when nothing is heard', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant, maxRetries: 0, timeoutMs: 200 });
    proxy.stall();
    await expect(docket.health()).rejects.toThrow(/nothing was heard for 0.2 s/);
  });

  it('ends with its signal, in the middle of an attempt and between two', async () => {
    const { docket, proxy } = await newCutClient(service, { tenant, retryMs: 100_000 });
    for (const stop of [() => proxy.down(), () => proxy.stall()]) {
      stop();
      const giving = new AbortController();
      const asked = docket.scope('s', { signal: giving.signal });
      setTimeout(() => giving.abort(new Error('enough')), 50);
      await expect(asked).rejects.toThrow('enough');
    }
    await expect(docket.health({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });
});

describe('what is refused', () => {
  it('has the class of its code', async () => {
    const { tenantId } = tenant;
    const permissions = { permissions: ['ingest'] };
    const { body } = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body: permissions });
    const { docket: narrow } = await newClient(service, { tenant: { tenantId, key: body.api_key } });
    const { docket: wrong } = await newClient(service, { tenant: { tenantId, key: 'dk_wrong' } });
    const scope = newScope();
    await docket.ingest(lease(scope, { document_id: 'lease-12', idempotency_key: 'once' }));
    const { id } = await docket.reportContradiction(report(scope));
    await docket.decide(id, decision);
    const other = { ...decision, resolution: 'The first one holds.' };
    const refusals: [
      ask: () => Promise<unknown>,
      kind: new (...args: never[]) => Error,
      code: string,
      status: number,
    ][] = [
      [() => docket.ingest(lease('No Scope')), client.ValidationError, 'validation_failed', 400],
      [() => wrong.scope(scope), client.UnauthorizedError, 'unauthorized', 401],
      [() => narrow.scope(scope), client.ForbiddenError, 'forbidden', 403],
      [() => docket.document(scope, 'lease-13'), client.NotFoundError, 'not_found', 404],
      [() => docket.claims(scope, 'lease-12').toArray(), client.ConflictError, 'conflict', 409],
      [() => docket.decide(id, other), client.ConflictError, 'conflict', 409],
      [
        () => docket.ingest(lease(newScope(), { idempotency_key: 'once' })),
        client.DocketError,
        'idempotency_key_reused',
        422,
      ],
      [() => docket.ingestBatch([lease('No Scope')]), client.DocketError, 'batch_rejected', 400],
    ];
    for (const [ask, kind, code, status] of refusals) {
      const error = (await ask().catch((error) => error)) as Error;
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ code, status, attempts: 1, problem: { code, detail: error.message } });
    }
    const invalid = await docket.ingest(lease('No Scope')).catch((error) => error);
    expect(invalid.errors).toEqual([{ path: 'body/scope_id', message: expect.any(String) }]);
  });

  it('is an id that would lead to another route, before anything is sent', async () => {
    const { docket, attempts } = await newClient(service, { tenant });
    for (const id of ['.', '..']) {
      const asked = [
        docket.document('s', id),
        docket.waitForDocument('s', id),
        docket.deleteDocument('s', id),
        docket.scope(id),
        docket.export(id).next(),
        docket.events({ scopeId: id }).next(),
      ];
      for (const result of await Promise.allSettled(asked)) {
        const error = 'reason' in result && result.reason;
        expect(error).toBeInstanceOf(client.ValidationError);
        expect(error).toMatchObject({
          code: 'validation_failed',
          status: 0,
          message: expect.stringContaining(`'${id}'`),
        });
      }
    }
    expect(attempts).toEqual([]);
    await expect(docket.document('s', '...')).rejects.toBeInstanceOf(client.NotFoundError);
  });

  it('is no answer of Docket, and says whose; a redirect is not followed with a key', async () => {
    let followed = 0;
    const elsewhere = await startStranger((_request, response) => response.end(String(followed++)));
    const answers: RequestListener[] = [
      (_request, response) => response.end('<html>'),
      (_request, response) => response.writeHead(418).end('<html>'),
      (_request, response) => response.writeHead(302, { location: elsewhere }).end(),
    ];
    for (const answer of answers) {
      const { docket } = await newClient(service, { tenant, url: await startStranger(answer) });
      const error = await docket.health().catch((error) => error);
      expect(error).toMatchObject({ code: 'unexpected_answer', attempts: 1, problem: null });
    }
    expect(followed).toBe(0);
  });
});
