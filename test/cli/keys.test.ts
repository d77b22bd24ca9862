import { describe, expect, inject, it } from 'vitest';
import { newDatabase } from '../support/database.ts';
import {
  call,
  keysIn,
  NODE,
  newFolder,
  newFolderWithCluster,
  postgresRuns,
  start,
  startService,
  stop,
} from '../support/process.ts';

describe('npm run keys', () => {
  const keys = async (env: Record<string, string>, ...args: string[]) =>
    start([NODE, 'src/cli/keys.ts', ...args], env).ended;

  it('issues, lists and revokes beside a running service', async () => {
    const env = { DATA_DIR: newFolderWithCluster() };
    const service = startService(env);
    const url = await service.listening;
    const issued = await keys(env, 'issue', 'admin', '--label', 'night shift', '--days', '30');
    expect(issued.code).toBe(0);
    const key = issued.stdout.trim();
    expect(key).toMatch(/^da_\w+$/);
    expect((await call(url, '/admin/health', key)).status).toBe(200);

    const prefix = key.slice(0, 11);
    expect((await keys(env, 'list')).stdout).toMatch(new RegExp(`${prefix} +admin .*until .*night shift`));
    expect((await keys(env, 'revoke', prefix)).code).toBe(0);
    await expect.poll(async () => (await call(url, '/admin/health', key)).status).toBe(401);
    expect((await keys(env, 'list')).stdout).toMatch(new RegExp(`${prefix} +admin .*revoked`));
    await stop(service);
  });

  it('issues keys that only read, and what it does is in the audit log', async () => {
    const env = { DATA_DIR: newFolderWithCluster() };
    const service = startService(env);
    const url = await service.listening;
    const issued = await keys(env, 'issue', 'admin', '--read-only', '--label', 'dashboard');
    expect([issued.code, issued.stderr]).toEqual([0, expect.stringContaining('An admin key that only reads')]);
    const [key, full] = [issued.stdout.trim(), (await keys(env, 'issue', 'admin')).stdout.trim()];
    const prefix = key.slice(0, 11);
    expect((await keys(env, 'list')).stdout).toMatch(new RegExp(`${prefix} +admin, read-only .*dashboard`));
    const send = (method: string, path: string) =>
      fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } });
    expect((await send('GET', '/admin/tenants')).status).toBe(200);
    expect((await send('POST', '/admin/runtime/pause')).status).toBe(403);
    await keys(env, 'revoke', full.slice(0, 11));

    const { entries } = (await (await send('GET', '/admin/audit?actor=command+line')).json()) as {
      entries: { action: string; subject: string; after: object }[];
    };
    expect(entries).toMatchObject([
      { action: 'key.revoked', subject: full.slice(0, 11) },
      { action: 'key.issued', subject: full.slice(0, 11) },
      { action: 'key.issued', subject: prefix, after: { tier: 'admin', label: 'dashboard', read_only: true } },
    ]);
    const first = (await (await send('GET', '/admin/audit?actor=service')).json()) as { entries: { action: string }[] };
    expect(first.entries.map(({ action }) => action)).toEqual(['key.issued', 'key.issued']);
    await stop(service);
  });

  it('works with no service running, and leaves nothing running', async () => {
    const env = { DATA_DIR: newFolder() };
    const { stdout } = await keys(env, 'issue', 'internals');
    expect(await postgresRuns(env.DATA_DIR)).toBe(false);
    const service = startService(env);
    expect((await call(await service.listening, '/internals/health', stdout.trim())).status).toBe(200);
    expect(keysIn(service.output()).admin).toBeUndefined();
    await stop(service);
  });

  it('works on the Postgres of DATABASE_URL', async () => {
    const env = { DATABASE_URL: await newDatabase('template0') };
    expect((await keys(env, 'issue', 'admin', '--label', 'a\u001b[2J\nforged\u202e')).code).toBe(0);
    const { stdout } = await keys(env, 'list');
    expect(stdout.split('\n')).toHaveLength(3);
    // Whoever labelled a key does not get at the terminal of whoever lists it.
    expect(stdout).toContain('a\\u{1b}[2J\\u{a}forged\\u{202e}');
  });

  it.each([
    [[], 'usage:'],
    [['issue'], 'usage:'],
    [['issue', 'tenant'], 'usage:'],
    [['issue', 'admin', '--days', 'x'], '--days: expected'],
    [['list', '--colour'], 'colour'],
    [['revoke', 'da_nothing1'], 'there is no operator key da_nothing1'],
  ])('%j is explained', async (args, message) => {
    const { code, stderr } = await keys(
      { DATABASE_URL: inject('postgresUrl').replace(/[^/]+$/, 'docket_template') },
      ...args,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).not.toContain('    at ');
  });
});
