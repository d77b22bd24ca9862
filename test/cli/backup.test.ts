/** The commands as an operator uses them: a backup beside a running service, restored elsewhere; a dump to another Postgres and back. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../support/database.ts';
import {
  call,
  NODE,
  newFolder,
  newFolderWithCluster,
  postgresRuns,
  type Started,
  start,
  startService,
  stop,
} from '../support/process.ts';
import { until } from '../support/until.ts';

const admin = 'an-admin-key-of-32-characters-or-more';
const run = (command: string, env: Record<string, string>, ...args: string[]) =>
  start([NODE, `src/cli/${command}.ts`, ...args], env).ended;

interface Tenant {
  tenant_id: string;
  api_key: string;
}

async function serve(env: Record<string, string>) {
  const service = startService({ ...env, ADMIN_API_KEYS: admin });
  return { service, url: await service.listening };
}

async function post(url: string, { tenant_id }: Tenant, document_id: string, text: string): Promise<number> {
  const headers = { 'x-tenant-id': tenant_id, 'content-type': 'application/json' };
  const body = JSON.stringify({ scope_id: 's', name: 'n', document_id, text });
  return (await fetch(`${url}/api/ingest`, { method: 'POST', headers, body })).status;
}

async function summaryOf(url: string, { api_key }: Tenant) {
  const response = await fetch(`${url}/api/scopes/s/summary`, { headers: { 'x-tenant-api-key': api_key } });
  return (await response.json()) as { documents?: Record<string, number> };
}

/** With two documents that contradict each other. */
async function serveFirst(env: Record<string, string>): Promise<{ service: Started; url: string; tenant: Tenant }> {
  const { service, url } = await serve(env);
  const tenant: Tenant = (await call(url, '/admin/tenants', admin, { name: 'Acme' })).body;
  expect(await post(url, tenant, 'one', 'Acme Robotics has 1,900 employees.')).toBe(202);
  expect(await post(url, tenant, 'two', 'Acme Robotics has 2,310 employees.')).toBe(202);
  await expectAll(url, tenant, 2);
  return { service, url, tenant };
}

/** What was posted is there and processed, with the contradiction, and so is what comes now. */
async function expectAll(url: string, tenant: Tenant, documents: number): Promise<void> {
  const summary = await until(
    () => summaryOf(url, tenant),
    (seen) => seen.documents?.processed === documents,
  );
  expect(summary).toMatchObject({ documents: { total: documents }, contradictions: { open: 1 } });
}

describe('npm run backup', () => {
  it('beside a service, and npm run restore elsewhere: npm start serves all of it, with the same keys', async () => {
    const [env, folder] = [{ DATA_DIR: newFolderWithCluster() }, newFolder()];
    const { service, url, tenant } = await serveFirst(env);
    const file = join(folder, 'backup.tgz');
    const made = await run('backup', env, file);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^[0-9a-f]{64} {2}${file}\n$`)) });
    expect(made.stderr).toMatch(/backup: done in [\d.]+ s: [\d.]+ MB, compressed to [\d.]+ MB, in /);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['backup.tgz']);
    expect(await post(url, tenant, 'too late', 'Acme Robotics has offices in Oslo.')).toBe(202);

    // Nothing is written over, and nothing is restored into what is in use.
    expect(await run('backup', env, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('there already') });
    expect(await run('restore', env, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('is running') });
    await stop(service);
    expect(await run('restore', env, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('mv ') });

    // Who has taken the wrong command finds the folder as it was.
    const elsewhere = { DATA_DIR: join(newFolder(), 'data') };
    expect(await run('load', elsewhere, file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run restore'),
    });
    const restored = await run('restore', elsewhere, file);
    expect(restored).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('npm start serves it') });
    const second = await serve(elsewhere);
    await expectAll(second.url, tenant, 2);
    expect(await post(second.url, tenant, 'three', 'Acme Robotics has offices in Rome.')).toBe(202);
    await expectAll(second.url, tenant, 3);
    await stop(second.service);

    const password = readFileSync(join(env.DATA_DIR, 'postgres/password'), 'utf8');
    for (const { stdout, stderr } of [made, restored]) expect(stdout + stderr).not.toContain(password);
  });

  it('without a service starts the database and stops it again', async () => {
    const env = { DATA_DIR: newFolderWithCluster() };
    const file = join(newFolder(), 'backup.tgz');
    expect(await run('backup', env, file)).toMatchObject({ code: 0 });
    expect(await postgresRuns(env.DATA_DIR)).toBe(false);
  });

  it.each([
    ['backup', { DATA_DIR: '/tmp/docket-nothing-there' }, ['/tmp/never'], 'there is no database in'],
    ['dump', { DATA_DIR: '/tmp/docket-nothing-there' }, ['/tmp/never'], 'there is no database in'],
    ['backup', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }, ['/tmp/never'], 'npm run dump'],
    ['restore', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }, ['/tmp/never'], 'npm run load'],
    [
      'dump',
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      ['/tmp/never'],
      'cannot reach Postgres at 127.0.0.1:1/c',
    ],
    ['restore', {}, ['/tmp/never'], 'there is no /tmp/never'],
    ['load', {}, ['/tmp/never'], 'there is no /tmp/never'],
    ['backup', {}, ['--max-mb-per-s', '0', '/tmp/never'], '--max-mb-per-s: expected'],
    ['backup', {}, ['--quick', '/tmp/never'], "'--quick'"],
    ['restore', {}, [], 'usage: npm run restore'],
    ['load', {}, ['one', 'two'], 'usage: npm run load'],
  ])('%s with %j %j is explained', async (command, env, args, words) => {
    const { code, stderr } = await run(command, { DATA_DIR: '/tmp/docket-nothing-there', ...env }, ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(stderr).not.toContain('    at ');
  });
});

describe('npm run dump', () => {
  it('and npm run load carry all of it to a Postgres of one’s own, and back into an embedded one', async () => {
    const env = { DATA_DIR: newFolderWithCluster() };
    const { service, tenant } = await serveFirst(env);
    const file = join(newFolder(), 'dump.tgz');
    const made = await run('dump', env, file);
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/2 documents: .*\n.*snapshot was held for \d+ s/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('load', env, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
    await stop(service);

    const own = { DATABASE_URL: await newDatabase('template0') };
    expect(await run('load', own, file)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('2 documents are loaded'),
    });
    const second = await serve(own);
    await expectAll(second.url, tenant, 2);
    expect(await post(second.url, tenant, 'three', 'Acme Robotics has offices in Rome.')).toBe(202);
    await expectAll(second.url, tenant, 3);

    const back = join(newFolder(), 'back.tgz');
    expect(await run('dump', own, back)).toMatchObject({ code: 0 });
    await stop(second.service);
    const elsewhere = { DATA_DIR: newFolderWithCluster() };
    expect(await run('load', elsewhere, back)).toMatchObject({ code: 0 });
    expect(await postgresRuns(elsewhere.DATA_DIR)).toBe(false);
    const third = await serve(elsewhere);
    await expectAll(third.url, tenant, 3);
    await stop(third.service);
  });
});
