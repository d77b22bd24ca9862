import { readFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const document = (await service.call('GET', '/openapi.json')).body;
// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;
const operations: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

it('serves what is committed', () => {
  expect(document).toEqual(parse(readFileSync('openapi.yaml', 'utf8')));
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.0']);
});

describe.each(['/openapi.json', '/docs/', '/docs/js/scalar.js'])('%s is made once', (path) => {
  /** As the bytes are on the wire: fetch would decompress them. */
  const ask = (headers: Record<string, string>) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      get(service.url + path, { headers }, async (response) => {
        const bytes = Buffer.concat(await response.toArray());
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
      }).on('error', reject);
    });

  it.each([
    [undefined, undefined],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0.5, identity', undefined],
    ['deflate', undefined],
    ['br;q=nonsense', undefined],
  ])('in the form that is accepted: %s is answered with %s', async (accepted, coding) => {
    const plain = await ask({});
    const answer = await ask(accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).toEqual([
      200,
      coding,
      'Accept-Encoding',
    ]);
    expect(answer.headers['content-length']).toBe(`${answer.bytes.length}`);
    const open = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(open(answer.bytes).equals(plain.bytes)).toBe(true);
  });

  it('with a tag for each form, and 304 for who has it', async () => {
    const forms = ['identity', 'gzip', 'br'];
    const tags: string[] = [];
    for (const form of forms) tags.push(String((await ask({ 'accept-encoding': form })).headers.etag));
    expect(new Set(tags).size).toBe(3);
    for (const [i, form] of forms.entries()) {
      for (const known of [tags[i], `"x", W/${tags[i]}`, '*'].map(String)) {
        const answer = await ask({ 'accept-encoding': form, 'if-none-match': known });
        expect([answer.status, answer.headers.etag, answer.bytes.length]).toEqual([304, tags[i], 0]);
        expect(answer.headers['cache-control']).toBe('public, max-age=300');
      }
      const other = String(tags[(i + 1) % 3]);
      expect((await ask({ 'accept-encoding': form, 'if-none-match': other })).status).toBe(200);
    }
  });
});

it('lists every route there is, and nothing else', () => {
  const routes = service.app.routes
    .filter(({ method, schema }) => method !== 'HEAD' && !(schema as { hide?: boolean })?.hide)
    .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(operations.map(([name]) => name).sort()).toEqual(routes.sort());
});

it.each(operations)('%s has its tag, security, id and errors', (name, operation) => {
  expect(operation.tags).toHaveLength(1);
  expect(document.tags.map((tag: Json) => tag.name)).toContain(operation.tags[0]);
  expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
  for (const way of operation.security) expect('BearerAuth' in way).toBe(!name.includes(' /api/'));
  if (/ \/(admin|internals)\//.test(name)) expect(operation.security).not.toEqual([]);
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['408', '500', '503']));
  if (operation.requestBody) expect(Object.values<Json>(operation.requestBody.content)[0].example).toBeDefined();
});

describe('what repeats is said once', () => {
  it('each error by a reference to an answer that has an example of each of its codes', () => {
    const errors = operations.flatMap(([, { responses }]) => Object.entries<Json>(responses));
    for (const [status, answer] of errors) {
      if (status < '400' || answer.content) continue;
      const { content } = document.components.responses[answer.$ref.replace('#/components/responses/', '')];
      const examples = Object.entries<Json>(content['application/json'].examples);
      expect(examples.map(([, { value }]) => [value.code, `${value.status}`])).toEqual(
        examples.map(([code]) => [code, status]),
      );
    }
  });

  it('so that the document can be read by people', () => {
    expect(readFileSync('openapi.yaml', 'utf8').split('\n').length).toBeLessThan(5000);
  });
});

describe('every example fits what it is an example of', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const found: [place: string, schema: Json, example: unknown][] = [];
  const collect = (place: string, node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    const { schema = node, example, examples } = node;
    if (example !== undefined && node.schema) found.push([place, schema, example]);
    if (Array.isArray(examples)) for (const one of examples) found.push([place, schema, one]);
    else if (examples && node.schema)
      for (const { value } of Object.values<Json>(examples)) found.push([place, schema, value]);
    for (const [name, child] of Object.entries(node)) if (!/^examples?$/.test(name)) collect(`${place}/${name}`, child);
  };
  collect('', document);

  it('in schemas, parameters, requests and answers', () => {
    expect(found.length).toBeGreaterThan(300);
    for (const [place, schema, example] of found) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      expect(ajv.validate(absolute, example), `${place}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});

it('says what may be left out', () => {
  const list = document.paths['/admin/tenants'].get.parameters;
  expect(list).toEqual(['cursor', 'limit'].map((name) => ({ $ref: `#/components/parameters/query.${name}` })));
  const { parameters } = document.components;
  expect([parameters['query.cursor'].required, parameters['query.limit'].required]).toEqual([false, false]);
});

it.each(operations.filter(([, { requestBody }]) => requestBody))(
  '%s says whether it needs a body',
  async (name, { requestBody }) => {
    const { tenantId, key } = await service.newTenant();
    const [method = '', path = ''] = name.split(' ');
    const options = { key: service.internals, tenantId, tenantKey: key };
    const { status, body } = await service.call(method, path.replaceAll(/\{\w+\}/g, 'none'), options);
    expect([status, requestBody.required]).toEqual([expect.any(Number), status === 400]);
    if (status === 400) expect(body.detail).toMatch(/^body /);
  },
);

it('asks for the tenant key as a security scheme, and still as the header that it is', () => {
  const { BearerAuth, TenantKey } = document.components.securitySchemes;
  expect([BearerAuth.scheme, TenantKey.in, TenantKey.name]).toEqual(['bearer', 'header', 'X-Tenant-API-Key']);
  const of = (method: string, path: string) => document.paths[path][method].security;
  expect(of('get', '/api/health')).toEqual([]);
  expect(of('get', '/readyz')).toEqual([]);
  expect(of('post', '/api/ingest')).toEqual([{ TenantKey: [] }, {}]);
  expect(of('get', '/api/scopes')).toEqual([{ TenantKey: [] }]);
  expect(of('get', '/admin/tenants')).toEqual([{ BearerAuth: [] }]);
  expect(of('get', '/admin/scopes')).toEqual([{ BearerAuth: [], TenantKey: [] }]);
  expect(of('post', '/admin/runtime/start')).toEqual([{ BearerAuth: [], TenantKey: [] }, { BearerAuth: [] }]);
  const header = document.components.parameters['header.X-Tenant-API-Key'];
  expect([header.in, header.name, header.required]).toEqual(['header', 'X-Tenant-API-Key', true]);
  for (const [name, { security, parameters = [] }] of operations) {
    const asked = security.some((way: Json) => way.TenantKey);
    expect([name, JSON.stringify(parameters).includes('X-Tenant-API-Key')]).toEqual([name, asked]);
  }
});

it('shows a page whose every address is ours', async () => {
  const page = await service.call('GET', '/docs/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) expect(source).not.toMatch(/^(https?:)?\/\//);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*/);
  const script = await fetch(new URL(sources[0] as string, `${service.url}/docs/`));
  expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
  await script.body?.cancel();
});

it('is where / leads, for those who only know the address', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(`${service.url}/`, { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  }
  const page = await fetch(service.url);
  expect([page.status, page.url]).toEqual([200, `${service.url}/docs/`]);
  await page.body?.cancel();

  const other = await service.call('POST', '/');
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await service.call('GET', '/nothing')).body.detail).toBe(
    'There is no GET /nothing; /docs lists what there is.',
  );
});

it('is not on a worker, which does not send anybody there', async () => {
  const worker = await startTestService({ settings: { ROLE: 'worker' } });
  for (const path of ['/', '/docs', '/nothing']) {
    const answer = await worker.call('GET', path);
    expect([answer.status, answer.body.detail]).toEqual([404, `There is no GET ${path} here.`]);
  }
});
