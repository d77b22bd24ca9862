/** Errors have one shape, whatever path they come from. */
import { connect as openSocket } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog, quietly } from '../../src/log.ts';
import { asSuperuser } from '../support/database.ts';
import { type Answer, startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, admin } = service;

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { type, title, detail, request_id, errors, ...rest } = answer.body;
  expect(rest).toEqual({ status, code });
  expect(type).toBe(`urn:docket:error:${code}`);
  expect([typeof title, typeof detail]).toEqual(['string', 'string']);
  expect(request_id).toBe(answer.headers.get('x-request-id'));
  if (errors) for (const error of errors) expect(Object.keys(error)).toEqual(['path', 'message']);
}

/** Sends bytes as they are, and reads until the server closes the connection. */
function raw(bytes: string | Buffer, url = service.url): Promise<Answer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = openSocket(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (data) => {
      text += data;
    });
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
      if (!body.endsWith('}\n') || Number(headers.get('content-length')) !== Buffer.byteLength(body))
        reject(new Error(`not one line, or not as long as it says: ${text}`));
      resolve({ status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) });
    });
  });
}

describe('what a caller can do wrong', () => {
  it('400: a field', async () =>
    expectProblem(await call('POST', '/admin/tenants', { key: admin, body: {} }), 400, 'validation_failed'));

  it.each(['{', '{"name": "a" "b"}', "{'name': 1}", 'NaN'])('400: the body %s', async (body) =>
    expectProblem(await call('POST', '/admin/tenants', { key: admin, body }), 400, 'malformed_json'),
  );

  it('400: a body that is not UTF-8', async () => {
    const body = Buffer.from('{"name": "\xe9"}', 'latin1');
    const head = `POST /admin/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    expectProblem(await raw(Buffer.concat([Buffer.from(head), body])), 400, 'malformed_json');
  });

  it('400: a deeply nested body, with and without an escape in it', async () => {
    for (const core of ['1', '"\\u0041"']) {
      const body = '['.repeat(30_000) + core + ']'.repeat(30_000);
      expectProblem(await call('POST', '/admin/tenants', { key: admin, body }), 400, 'validation_failed');
    }
  });

  it('400: a malformed address', async () => {
    expectProblem(await call('GET', '/admin/tenants/%zz', { key: admin }), 400, 'bad_request');
    expectProblem(await call('GET', '/admin/tenants/a%00', { key: admin }), 400, 'bad_request');
    expectProblem(await call('GET', '/admin/tenants?cursor=%00', { key: admin }), 400, 'bad_request');
    for (const broken of ['%zz', '%', 'a%f', '%ff', '%ed%a0%80']) {
      const answer = await call('GET', `/admin/tenants?cursor=${broken}`, { key: admin });
      expectProblem(answer, 400, 'bad_request');
      expect(answer.body.detail).toBe('The query has a malformed percent-encoding.');
    }
  });

  it('400: no HTTP at all', async () => expectProblem(await raw('hello\r\n\r\n'), 400, 'bad_request'));

  it('404: an unknown route, whatever is sent to it', async () => {
    expectProblem(await call('GET', '/nothing'), 404, 'not_found');
    expectProblem(await call('POST', '/admin/nothing', { body: '{' }), 404, 'not_found');
    expectProblem(
      await call('POST', '/api/nothing', { body: 'x', headers: { 'content-type': 'text/css' } }),
      404,
      'not_found',
    );
  });

  it('405: a method that the path does not take, and says which it does', async () => {
    const answer = await call('PUT', '/admin/tenants', { key: admin, body: '{' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expectProblem(await call('DELETE', '/api/health'), 405, 'method_not_allowed');
    expectProblem(await call('POST', '/openapi.json'), 405, 'method_not_allowed');
  });

  it('408: a request that drips in, within its time', async () => {
    const hasty = await startTestService({ settings: { REQUEST_TIMEOUT_MS: '400' } });
    expectProblem(await raw('GET /api/health HTTP/1.1\r\nHost: x\r\n', hasty.url), 408, 'request_timeout');
    const head = `POST /admin/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hasty.admin}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    expectProblem(await raw(head, hasty.url), 408, 'request_timeout');
  });

  it('413: a body that is too large, announced or not', async () => {
    const name = 'x'.repeat(70_000);
    expectProblem(await call('POST', '/admin/tenants', { key: admin, body: { name } }), 413, 'payload_too_large');
    const size = 70_000;
    const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;
    const head = `POST /admin/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin}\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectProblem(await raw(head + chunk), 413, 'payload_too_large');
  });

  it('414: a path with a part longer than any identifier', async () =>
    expectProblem(await call('GET', `/admin/tenants/${'x'.repeat(3000)}`, { key: admin }), 414, 'uri_too_long'));

  it('415: another content type', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      const answer = await call('POST', '/admin/tenants', {
        key: admin,
        body: '{"name":"x"}',
        headers: { 'content-type': type },
      });
      expectProblem(answer, 415, 'unsupported_media_type');
    }
  });

  it('431: headers that are too large', async () =>
    expectProblem(
      await raw(`GET /api/health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      431,
      'headers_too_large',
    ));
});

describe('what can go wrong on our side', () => {
  it('500: says nothing of the cause, and logs it under the request id', async () => {
    await service.db.query(`alter table tenants add constraint planted check (name <> 'poison')`);
    const answer = await call('POST', '/admin/tenants', { key: admin, body: { name: 'poison' } });
    await service.db.query('alter table tenants drop constraint planted');
    expectProblem(answer, 500, 'internal');
    expect(JSON.stringify(answer.body)).not.toMatch(/relation|tenants|planted/);
    const line = service
      .logged()
      .split('\n')
      .find((text) => text.includes(answer.body.request_id) && text.includes('"level":50'));
    expect(line).toMatch(/violates check constraint .*planted/);
  });

  it('503: the database is away; with it back, so is the service', async () => {
    const lonely = await startTestService();
    const name = new URL(lonely.databaseUrl).pathname.slice(1);
    await asSuperuser(`alter database ${name} allow_connections false`);
    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    const answer = await lonely.call('GET', '/admin/tenants', { key: lonely.admin });
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
    await expect.poll(async () => (await lonely.call('GET', '/api/health')).status).toBe(503);

    await asSuperuser(`alter database ${name} allow_connections true`);
    await expect.poll(async () => (await lonely.call('GET', '/api/health')).status).toBe(200);
    expect((await lonely.call('GET', '/admin/tenants', { key: lonely.admin })).status).toBe(200);
  });

  it('503: a handler that does not come to an end', async () => {
    const app = createServer(
      { requestTimeoutMs: 1000, handlerTimeoutMs: 50, maxConnections: 10, onUnavailable: () => {} },
      createLog('silent'),
    );
    app.get('/never', () => new Promise(() => {}));
    const response = await app.inject('/never');
    expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    await app.close();
  });

  it('says what is unavailable once of a kind, not for each who asked', async () => {
    const lines: { level: number; err: { code: string }; request_id: string }[] = [];
    const sink = new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(line))) });
    const log = createLog('info', sink);
    const app = createServer(
      { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: quietly(log) },
      log,
    );
    app.get('/away/:code', ({ params }) => {
      throw new AppError('unavailable', 'It is away.', { cause: Object.assign(new Error('it says'), params) });
    });
    for (const code of ['53100', '53100', '57P01', '53100', '57P01'])
      expect((await app.inject(`/away/${code}`)).statusCode).toBe(503);
    expect(lines.map(({ level, err }) => [level, err.code])).toEqual([
      [40, '53100'],
      [40, '57P01'],
    ]);
    expect(lines[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
    await app.close();
  });

  it('keeps its own errors apart from their causes', async () => {
    const app = createServer(
      { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
      createLog('silent'),
    );
    app.get('/cause', () => {
      throw new AppError('conflict', 'public words', { cause: new Error('secret words') });
    });
    const response = await app.inject('/cause');
    expect([response.statusCode, response.json().detail]).toEqual([409, 'public words']);
    expect(response.body).not.toContain('secret');
    await app.close();
  });
});

describe('every answer', () => {
  it('carries a request id: its own, or the caller’s when it is a decent one', async () => {
    const own = (await call('GET', '/api/health')).headers.get('x-request-id');
    expect(own).toMatch(/^[0-9a-f-]{36}$/);
    const given = await call('GET', '/nothing', { headers: { 'x-request-id': 'trace-1.2:3' } });
    expect([given.headers.get('x-request-id'), given.body.request_id]).toEqual(['trace-1.2:3', 'trace-1.2:3']);
    const indecent = await call('GET', '/api/health', { headers: { 'x-request-id': 'x'.repeat(129) } });
    expect(indecent.headers.get('x-request-id')).toHaveLength(36);
  });

  it('ends in a newline when it is JSON, and is as long as it says', async () => {
    const { key, tenantId } = await service.newTenant('Ünïcödé 東京 🙂');
    // Compressed, it would be as long as it says on the wire only.
    const headers = { authorization: `Bearer ${admin}`, 'x-tenant-api-key': key, 'accept-encoding': 'identity' };
    const paths = ['/api/health', `/admin/tenants/${tenantId}`, '/admin/scopes', '/nothing', '/x/%zz', '/openapi.json'];
    for (const path of paths) {
      const response = await fetch(service.url + path, { headers });
      const text = await response.text();
      expect(text, path).toMatch(/^\{.*[^\n]\n$/s);
      expect(response.headers.get('content-length'), path).toBe(`${Buffer.byteLength(text)}`);
      const head = await fetch(service.url + path, { headers, method: 'HEAD' });
      if (response.ok) expect(head.headers.get('content-length'), path).toBe(`${Buffer.byteLength(text)}`);
    }
  });

  it('is empty when there is nothing to say', async () => {
    const { key } = await service.newTenant();
    await call('POST', '/admin/scopes', { key: admin, tenantKey: key, body: { scope_id: 'gone' } });
    const { status, headers, body } = await call('DELETE', '/admin/scopes/gone', { key: admin, tenantKey: key });
    expect([status, headers.get('content-length'), body]).toEqual([204, null, '']);
  });

  it('carries security headers, and is not to be kept', async () => {
    for (const path of ['/api/health', '/admin/health', '/nothing', '/admin/tenants/%zz']) {
      const { headers } = await call('GET', path);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'");
      expect(headers.get('cache-control'), path).toBe('no-store');
    }
  });
});

it('logs no key, at the most talkative level', async () => {
  const { key, tenantId } = await service.newTenant();
  await call('GET', '/admin/scopes', { key: admin, tenantKey: key });
  const issued = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body: {} });
  await call('GET', '/admin/scopes', { key: 'a-wrong-key-of-some-length', tenantKey: issued.body.api_key });
  await expect.poll(() => service.logged()).toContain('answered');
  for (const secret of [admin, key, issued.body.api_key, 'a-wrong-key-of-some-length']) {
    expect(service.logged()).not.toContain(secret.slice(12));
  }
});
