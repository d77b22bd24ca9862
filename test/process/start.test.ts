/** The whole service as a process: first start, kill, second start, and every reason not to start. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../support/database.ts';
import {
  call,
  keysIn,
  newFolder,
  newFolderWithCluster,
  postgresRuns,
  postmasterFile,
  postmasterOf,
  type Started,
  startService,
  stop,
} from '../support/process.ts';

/** One service for several tests, each of which leaves it running or ended: begun when there is none. */
const dataDir = newFolder();
let service: Started | null = null;
let url = '';
/** Of its first start. */
let keys = { admin: '', internals: '' };
let printed = '';

async function running(): Promise<Started> {
  if (service) return service;
  const started = startService({ DATA_DIR: dataDir });
  url = await started.listening;
  if (keys.admin === '') {
    await expect.poll(() => started.output()).toContain('-d \'{"name": "Acme"}\'');
    printed = started.output();
    keys = keysIn(printed);
  }
  service = started;
  return started;
}

async function end(signal: NodeJS.Signals) {
  const ended = await stop(await running(), signal);
  service = null;
  return ended;
}

describe('a first start', () => {
  it('prints keys once, with a line to paste that works; SIGTERM ends everything with 0', async () => {
    await running();
    const line = printed.split('\n').find((text) => text.startsWith('curl '));
    expect(await paste(line as string)).toMatchObject({ api_key: expect.stringMatching(/^dk_/) });
    expect((await call(url, '/admin/health', keys.admin)).status).toBe(200);
    expect((await call(url, '/internals/health', keys.internals)).status).toBe(200);
    expect(await end('SIGTERM')).toMatchObject({ code: 0, signal: null });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);

    const second = await running();
    expect((await call(url, '/admin/health', keys.admin)).status).toBe(200);
    expect(second.output()).not.toMatch(/d[ai]_\w{8}_/);
    expect(second.output()).toContain('with the same settings: npm run keys -- issue admin');
  });

  it('makes a UTF-8 database that listens on loopback only', async () => {
    await running();
    const name = 'Ünïcödé 東京 🙂';
    const created = (await call(url, '/admin/tenants', keys.admin, { name })).body;
    expect(await call(url, `/admin/tenants/${created.tenant_id}`, keys.admin)).toMatchObject({ body: { name } });
    const settings = readFileSync(join(dataDir, 'postgres/data/postgresql.conf'), 'utf8');
    expect(settings).toContain("listen_addresses = '127.0.0.1'");
  });
});

/** What curl would do with it: a bare machine need not have curl. The gate pastes the line itself. */
async function paste(line: string) {
  const [, method, url] = /^curl -X (\w+) (\S+) /.exec(line) ?? [];
  const headers = [...line.matchAll(/ -H '(.*?): (.*?)'/g)].map(([, name, value]) => [name, value] as [string, string]);
  const [, body] = / -d '(.*?)'$/.exec(line) ?? [];
  return (await fetch(url as string, { method: method as string, headers, body: body as string })).json();
}

it('in the image is what npm start does, on the Node of the image', () => {
  const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  const [, command] = /^CMD (.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  expect(`exec ${JSON.parse(command as string).join(' ')}`).toBe(start.replace('tools/node/run', 'node'));
});

const allTenants = async () => {
  const { body } = await call(url, '/admin/tenants?limit=200', keys.admin);
  return body.tenants.map(({ tenant_id }: { tenant_id: string }) => tenant_id);
};

describe('after kill -9', () => {
  it('the next start adopts the Postgres that is still running, and nothing is lost', async () => {
    await running();
    for (let i = 0; i < 20; i++) await call(url, '/admin/tenants', keys.admin, { name: `tenant ${i}` });
    const tenants = await allTenants();
    expect(tenants.length).toBeGreaterThanOrEqual(20);
    await end('SIGKILL');
    expect(await postgresRuns(dataDir)).toBe(true);

    const second = await running();
    expect(second.output()).toContain('took over the embedded Postgres');
    expect(await allTenants()).toEqual(tenants);
    expect(await end('SIGINT')).toMatchObject({ code: 0, signal: null });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });

  it('of Postgres too, as after a power cut, the next start recovers it', async () => {
    await running();
    const kept = (await call(url, '/admin/tenants', keys.admin, { name: 'kept' })).body.tenant_id;
    const pidFile = postmasterFile(dataDir);
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    await end('SIGKILL');
    process.kill(Number(lines[0]), 'SIGKILL');
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
    // The process id now belongs to somebody else who lives: to this very test.
    writeFileSync(pidFile, [process.pid, ...lines.slice(1)].join('\n'));

    await running();
    expect(await allTenants()).toContain(kept);
  });

  it('of Postgres alone, the service starts it again by itself', async () => {
    await running();
    process.kill(postmasterOf(dataDir).pid, 'SIGKILL');
    await expect.poll(async () => (await call(url, '/admin/tenants', keys.admin)).status).toBe(503);
    await expect.poll(async () => (await call(url, '/admin/tenants', keys.admin)).status).toBe(200);
    expect(await end('SIGTERM')).toMatchObject({ code: 0 });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });
});

describe('accepted is never lost', () => {
  it('when Postgres is killed under load: 503 with Retry-After, then service again, and every 202 is stored', async () => {
    await running();
    const { admin } = keys;
    const { tenant_id, api_key } = (await call(url, '/admin/tenants', admin, { name: 'Acme' })).body;
    const headers = { 'x-tenant-id': tenant_id, 'content-type': 'application/json' };
    const accepted: number[] = [];
    let refused = 0;
    let stopped = false;
    const client = async () => {
      while (!stopped) {
        const body = JSON.stringify({ scope_id: 's', name: 'n', text: 'x'.repeat(500) });
        const response = await fetch(`${url}/api/ingest`, { method: 'POST', headers, body });
        const answer = (await response.json()) as { seq: number };
        if (response.status === 202) accepted.push(answer.seq);
        else {
          expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
          refused++;
        }
      }
    };
    const clients = Promise.all(Array.from({ length: 10 }, client));
    for (let round = 0; round < 2; round++) {
      const [before, refusedBefore] = [accepted.length, refused];
      await expect.poll(() => accepted.length).toBeGreaterThan(before + 100);
      process.kill(postmasterOf(dataDir).pid, 'SIGKILL');
      await expect.poll(() => refused).toBeGreaterThan(refusedBefore);
    }
    const after = accepted.length;
    await expect.poll(() => accepted.length).toBeGreaterThan(after + 100);
    stopped = true;
    await clients;

    const stored: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/admin/scopes/s/documents?limit=200${cursor && `&cursor=${cursor}`}`;
      const response = await fetch(url + path, {
        headers: { authorization: `Bearer ${admin}`, 'x-tenant-api-key': api_key },
      });
      const page = (await response.json()) as { documents: { seq: number }[]; next_cursor: string | null };
      stored.push(...page.documents.map(({ seq }) => seq));
      cursor = page.next_cursor;
    }
    expect(stored).toEqual(accepted.sort((a, b) => a - b));
  });
});

describe('a second start', () => {
  it('on the same DATA_DIR says who holds it and ends, and the first goes on', async () => {
    const first = await running();
    const second = await startService({ DATA_DIR: dataDir }).ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`${dataDir} is in use by docket service, process ${first.child.pid}`);
    expect(second.stderr).not.toContain('    at ');
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    expect(await end('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('at the very same moment: one of them wins, also on a folder that was empty', async () => {
    const empty = newFolder();
    const services = [startService({ DATA_DIR: empty }), startService({ DATA_DIR: empty })];
    const results = await Promise.allSettled(services.map(({ listening }) => listening));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(services.map((service) => service.output()).join('')).toContain('is in use by docket service');
    for (const service of services) await stop(service);
  });
});

describe('with DATABASE_URL', () => {
  it('uses that Postgres, and says how to get a key', async () => {
    const service = startService({ DATABASE_URL: await newDatabase('template0'), DATA_DIR: newFolder() });
    const url = await service.listening;
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    await expect.poll(() => service.output()).toContain('npm run keys -- issue admin');
    expect(service.output()).toContain('fsync=off');
    expect(await stop(service)).toMatchObject({ code: 0 });
  });

  it('as a worker, does not send anybody to what it does not serve', async () => {
    const worker = startService({ DATABASE_URL: await newDatabase(), ROLE: 'worker' });
    const url = await worker.listening;
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(404);
    expect(worker.output()).toContain(`Docket is at ${url}, a worker`);
    expect(worker.output()).not.toContain('/docs');
    expect(await stop(worker)).toMatchObject({ code: 0 });
  });

  it('takes bootstrap keys from the environment', async () => {
    const key = 'bootstrap-key-of-at-least-32-characters';
    const service = startService({ DATABASE_URL: await newDatabase(), ADMIN_API_KEYS: key });
    const url = await service.listening;
    expect((await call(url, '/admin/health', key)).status).toBe(200);
    expect((await call(url, '/internals/health', key)).status).toBe(403);
    expect(service.output()).not.toContain('npm run keys');
    await stop(service);
  });
});

describe('one clear line and no stack trace', () => {
  it.each([
    ['wrong settings', { PORT: 'x', ROLE: 'y' }, /PORT=x: expected.*\n.*ROLE=y: expected/],
    [
      'no Postgres there',
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      /cannot reach Postgres at 127\.0\.0\.1:1\/c/,
    ],
    ['a DATA_DIR that cannot be', { DATA_DIR: '/dev/null/data' }, /cannot make the folder of DATA_DIR/],
    ['an address that is not ours', { HOST: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this machine/],
  ])('for %s', async (_name, env, message) => {
    const { code, stderr } = await startService({ DATA_DIR: newFolderWithCluster(), ...env }).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).toMatch(/^docket: cannot start: /);
    expect(stderr).not.toContain('    at ');
  });

  it('for a port that is taken, and Postgres is not left running', async () => {
    const folder = newFolderWithCluster();
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    const { code, stderr } = await startService({ DATA_DIR: folder, PORT: String(port) }).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`127.0.0.1:${port} is taken by another process`)]);
    expect(await postgresRuns(folder)).toBe(false);
    holder.close();
  });

  it('for a database newer than the code', async () => {
    const url = await newDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `insert into schema_versions (version, name, sha256, release) values (999999, '999999_future.sql', 'x', 1000)`,
    );
    await client.end();
    const { code, stderr } = await startService({ DATABASE_URL: url }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the database is newer than this code: it has 999999_future.sql'),
    ]);
  });
});
