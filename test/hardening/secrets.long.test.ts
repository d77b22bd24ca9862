/** After a mix of everything, failures included, no key and no text of a document is in any log. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { sendLines } from '../support/ingest-stream.ts';
import { OBEDIENT } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { newFolder, newFolderWithCluster, startService, stop } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { makeWorld, type Place, readDocument } from './fuzz/setup.ts';
import { CANARY, type World } from './fuzz/world.ts';
import { findLeaks, type Secret, secretsOf } from './leaks.ts';
import { asOwner, killBackend, killPostgres, startWrongExtractor, whileSending } from './secrets/faults.ts';

const text: Secret = { name: 'the text of a document', text: CANARY };
const inScope = (scope_id: string, words: string) => ({ scope_id, name: CANARY, text: words, source: CANARY });
/** The rest of a token says for what and how long it is good, and is no secret. */
const signatureOf = (token: string) => token.slice(-43);
const mix = { requests: 300, seed: 4242 };
/** Postgres describes a row that it refuses by the row. */
const REFUSE = `alter table document_contents add constraint planted check (name <> '${CANARY}') not valid`;

/** Sends it as the tenant of the world. */
async function post({ url }: Place, { tenantId, tenantKey }: World, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-tenant-id': tenantId, 'x-tenant-api-key': tenantKey };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.text();
  return response.status;
}

describe('the service as it is in tests', () => {
  it('logs no secret, whatever is sent to it, and whatever its documents do', async () => {
    const service = await startTestService({
      pipeline: OBEDIENT,
      settings: { ROLE: 'all', DOCUMENT_ATTEMPTS: '1', DOCUMENT_TIMEOUT_MS: '300', DOCUMENT_MEMORY_MB: '64' },
    });
    const { url, admin, internals, db, app, databaseUrl, call } = service;
    const place = { url, admin, internals };
    const world = await makeWorld(place, app.swagger());
    await fuzz({ url, document: app.swagger(), world, ...mix });
    await call('POST', '/admin/runtime/start', { key: admin });
    await call('POST', '/admin/runtime/start', { key: admin, tenantKey: world.tenantKey });
    // A reason may have anything in it.
    const reason = `${CANARY} ${world.tenantKey}`;
    await call('POST', '/admin/runtime/pause', { key: admin, tenantKey: world.tenantKey, body: { reason } });
    const held = await call('GET', `/admin/runtime?tenant_id=${world.tenantId}`, { key: admin });
    expect(held.body.levels[0]).toMatchObject({ level: 'tenant', reason });
    await call('GET', `/admin/runtime?cursor=${world.tenantKey}`, { key: admin });
    await call('POST', '/admin/runtime/start', { key: admin, tenantKey: world.tenantKey });

    const deeds = [`throw ${CANARY}`, `exit 3 ${CANARY}`, `hang ${CANARY}`, `eat ${CANARY}`];
    for (const [n, words] of deeds.entries()) await post(place, world, '/api/ingest', inScope(`deed-${n}`, words));
    const summaries = () =>
      Promise.all(
        deeds.map((_words, n) => call('GET', `/api/scopes/deed-${n}/summary`, { tenantKey: world.tenantKey })),
      );
    await until(summaries, (answers) => answers.every(({ body }) => body.documents.failed === 1));

    // Who puts a key where its beginning belongs has not published it.
    await call('DELETE', `/admin/tenants/${world.tenantId}/keys/${world.tenantKey}`, { key: admin });
    await call('GET', `/api/${world.tenantKey}?key=${admin}`);

    const keys = `/admin/tenants/${world.tenantId}/keys`;
    const narrow = (await call('POST', keys, { key: admin, body: { permissions: ['read'], scope_ids: ['deed-0'] } }))
      .body;
    const rotated = (await call('POST', `${keys}/${narrow.key_prefix}/rotate`, { key: admin, body: { grace_s: 60 } }))
      .body;
    for (const tenantKey of [narrow.api_key, rotated.api_key]) {
      expect((await call('GET', '/api/scopes/deed-1/summary', { tenantKey })).status).toBe(404);
      const refused = await call('DELETE', '/api/documents/d?scope_id=deed-0', { tenantKey });
      expect(refused.status).toBe(403);
    }

    const { body: issued } = await call('POST', '/api/stream-tokens', { tenantKey: world.tenantKey, body: {} });
    const { token } = issued as { token: string };
    // Good, too many, and where it does not belong; in the address of a page, too.
    const referer = `${url}/api/events?token=${token}`;
    for (const path of [
      '/api/events?token=',
      '/api/events?types=nonsense&token=',
      '/api/scopes/nowhere/events?token=',
      '/api/scopes?token=',
      '/api/nowhere?token=',
      '/api/%zz?token=',
      '/api/events?token=x',
    ])
      await call('GET', path + token, { headers: { referer } });
    for (const name of ['x-tenant-api-key', 'authorization', 'x-tenant-id'])
      await call('POST', '/api/contradictions', { headers: { [name]: token }, body: {} });

    // What it shows it does not tell the log, nor what was wrong with what was asked.
    const exported = await call('GET', '/api/scopes/deed-0/export', { tenantKey: world.tenantKey });
    expect(exported.body).toContain(CANARY);
    for (const query of [`cursor=${world.tenantKey}`, `include=${CANARY}`])
      expect((await call('GET', `/api/scopes/deed-0/export?${query}`, { tenantKey: world.tenantKey })).status).toBe(
        400,
      );

    await db.query(REFUSE);
    await db.query(`alter table contradictions add constraint planted check (claim_a <> '${CANARY}') not valid`);
    expect(await post(place, world, '/api/ingest', inScope('refused', CANARY))).toBe(500);
    const [line] = await sendLines(url, { ...world }, inScope('refused', CANARY));
    expect(line).toMatchObject({ line: 1, status: 500, error: { code: 'internal' } });
    const claims = { scope_id: 'refused', claim_a: CANARY, claim_b: `${CANARY} b` };
    expect(await post(place, world, '/api/contradictions', claims)).toBe(500);

    const log = service.logged();
    // It was at its most talkative, and told of the failures.
    expect(log).toContain('"answered"');
    expect(log).toContain('planted');
    expect(log).toContain('a document has failed');
    const { password } = new URL(databaseUrl);
    const secrets = secretsOf({
      ...{ admin, internals, 'tenant key': world.tenantKey, password },
      ...{ 'narrow key': narrow.api_key, 'rotated key': rotated.api_key },
      ...{ token: signatureOf(token), 'token of the fuzz': signatureOf(world.streamToken) },
    });
    expect(findLeaks({ 'the log': log }, [...secrets, text])).toEqual([]);

    // It has names and labels, of which the fuzz makes texts; of keys it has nothing.
    const { body: audit } = await call('GET', '/admin/audit/export', { key: admin });
    expect(audit).toContain(world.tenantKey.slice(0, 11));
    expect(findLeaks({ 'the audit log': audit }, secrets)).toEqual([]);
  });
});

describe('the service as a process, with its own Postgres', () => {
  const ADMIN = 'hush-admin-0123456789abcdefghijklmnop';
  const INTERNALS = 'hush-internals-0123456789abcdefghijkl';
  const EXTRACTOR = 'hush-extractor-0123456789abcdefghijk';

  it('logs no secret, whatever fails, and neither does Postgres', async () => {
    const dataDir = newFolderWithCluster();
    const extractor = await startWrongExtractor();
    const service = startService({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'trace',
      ADMIN_API_KEYS: ADMIN,
      INTERNALS_API_KEYS: INTERNALS,
      EXTRACTOR_URL: extractor.url,
      EXTRACTOR_KEY: EXTRACTOR,
      EXTRACTOR_ATTEMPTS: '1',
    });
    const place = { url: await service.listening, admin: ADMIN, internals: INTERNALS };
    const document = await readDocument(place.url);
    const world = await makeWorld(place, document);
    await fuzz({ url: place.url, document, world, ...mix });

    const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8');
    const send = () => post(place, world, '/api/ingest', inScope('busy', CANARY));
    await asOwner(dataDir, password, async (owner) => {
      await owner.query(REFUSE);
      expect(await send()).toBe(500);
      await owner.query('alter table document_contents drop constraint planted');
    });
    await whileSending(service, send, () => killBackend(dataDir, password));
    await whileSending(service, send, () => killPostgres(dataDir));
    expect(extractor.asked()).toBeGreaterThan(0);
    expect(await stop(service)).toMatchObject({ code: 0 });

    const logs = { 'the log': service.output(), "Postgres's log": readFileSync(join(dataDir, 'postgres/log'), 'utf8') };
    expect(logs['the log']).toContain('"answered"');
    expect(logs["Postgres's log"]).toContain('planted');
    expect(logs["Postgres's log"]).toContain('was terminated by signal 9');
    const keys = secretsOf({ ADMIN, INTERNALS, EXTRACTOR, 'tenant key': world.tenantKey, password });
    expect(findLeaks(logs, [...keys, text])).toEqual([]);
  });

  it('does not say which secret setting it could not start with', async () => {
    const hush = 'hush-0123456789abcdef';
    const settings = [
      { DATABASE_URL: `postgres://someone:${hush}@127.0.0.1:1/docket` },
      { DATABASE_URL: `mysql://someone:${hush}@127.0.0.1:1/docket` },
      { REDIS_URL: `http://someone:${hush}@127.0.0.1:1`, ADMIN_API_KEYS: hush, EXTRACTOR_KEY: `${hush} ä` },
    ];
    for (const { code, stdout, stderr } of await Promise.all(
      settings.map((wrong) => startService({ DATA_DIR: newFolder(), LOG_LEVEL: 'trace', ...wrong }).ended),
    )) {
      expect([code, stderr]).toEqual([1, expect.stringContaining('cannot start')]);
      expect(findLeaks({ output: stdout + stderr }, [{ name: 'a setting', text: hush }])).toEqual([]);
    }
  });
});

describe('the search', () => {
  const KEY = 'dk_12345678_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm';
  const secrets = [...secretsOf({ key: KEY }), text];

  it('sees a key and a text that a route puts into the log', async () => {
    let log = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        log += chunk;
        done();
      },
    });
    const app = createServer(
      { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 9, onUnavailable: () => {} },
      createLog('trace', sink),
    );
    app.post('/leak', async (request) => {
      request.log.info({ headers: request.headers });
      throw new Error(`no room for ${JSON.stringify(request.body)}`);
    });
    later(() => app.close());
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
    await fetch(`${url}/leak`, { method: 'POST', headers, body: JSON.stringify({ text: CANARY }) });
    expect(findLeaks({ log }, secrets)).toEqual([
      expect.stringContaining('key is in log'),
      expect.stringContaining('the text of a document is in log'),
    ]);
  });

  it.each([
    ['the first half of it', KEY.slice(0, 32)],
    ['its end', KEY.slice(-20)],
    ['in base64', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['escaped', [...KEY].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ])('sees a key: %s', (_how, log) => expect(findLeaks({ log }, secrets)).toHaveLength(1));

  it('lets the public beginning of a key pass', () =>
    expect(findLeaks({ log: 'the key dk_12345678 was revoked' }, secrets)).toEqual([]));
});
