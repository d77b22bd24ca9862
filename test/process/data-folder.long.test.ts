/** A data folder that is removed under the running service is named as that, and nothing more is promised. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchFolder } from '../../src/storage/embedded/folder-watch.ts';
import { call, newFolder, newFolderWithCluster, postmasterOf, startService, stop } from '../support/process.ts';

const admin = 'an-admin-key-of-32-characters-or-more';
const REMOVED = expect.stringContaining('data folder was removed or moved');

async function startIn(dataDir: string) {
  const service = startService({ DATA_DIR: dataDir, ADMIN_API_KEYS: admin });
  const url = await service.listening;
  const { tenant_id } = (await call(url, '/admin/tenants', admin, { name: 'Acme' })).body;
  const health = async () => {
    const response = await fetch(`${url}/api/health`);
    return { status: response.status, body: await response.json() };
  };
  const ingest = async () => {
    const headers = { 'x-tenant-id': tenant_id, 'content-type': 'application/json' };
    const body = JSON.stringify({ scope_id: 's', name: 'n', text: 'text' });
    const response = await fetch(`${url}/api/ingest`, { method: 'POST', headers, body });
    return { status: response.status, body: await response.json() };
  };
  return { service, url, health, ingest };
}

const complaints = (output: string) => output.split('\n').filter((line) => /^\{"level":50.*the data folder/.test(line));
/** One that has ended and was not yet buried by its parent has no program any more. */
const runs = (pid: number) => existsSync(`/proc/${pid}/exe`);

describe('a data folder', () => {
  it('that is removed is named in the log and to all who ask; nothing is accepted, and all of it can be ended', async () => {
    const dataDir = join(newFolder(), 'data');
    const { service, url, health, ingest } = await startIn(dataDir);
    const { pid } = postmasterOf(dataDir);
    expect((await ingest()).status).toBe(202);
    // Postgres may just be making a file.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });

    // Postgres may end before that, which is another reason for a moment.
    const told = { status: 503, body: { status: 'unavailable', detail: REMOVED } };
    await expect.poll(health).toMatchObject(told);
    expect(await ingest()).toMatchObject({ status: 503, body: { code: 'unavailable', detail: REMOVED } });
    const { checks } = (await call(url, '/admin/control-plane/health', admin)).body;
    expect(checks.postgres).toEqual({ status: 'down', detail: REMOVED });
    expect(complaints(service.output())).toEqual([expect.stringContaining(`the data folder ${dataDir} was removed`)]);
    expect(complaints(service.output())[0]).toContain('what it held is gone');
    // To those who may not know where it is kept, nothing is said of that.
    expect(JSON.stringify([await health(), await ingest()])).not.toContain(dataDir);

    expect(await stop(service, 'SIGINT')).toMatchObject({ code: 0 });
    expect(runs(pid)).toBe(false);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('whose Postgres has noticed it, too, is not made anew, and is said to be removed', async () => {
    const dataDir = join(newFolder(), 'data');
    const { service, health } = await startIn(dataDir);
    const { pid } = postmasterOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    // Every minute it looks for its folder, and may be gone already.
    if (runs(pid)) process.kill(pid, 'SIGQUIT');
    await expect.poll(() => complaints(service.output()).length).toBeGreaterThan(0);
    await expect.poll(async () => (await health()).body).toMatchObject({ detail: REMOVED });
    expect(await stop(service)).toMatchObject({ code: 0 });
    expect(service.output()).not.toContain('pg_ctl');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('that is removed and made anew by a second service is not stopped with the first', async () => {
    const dataDir = join(newFolder(), 'data');
    const first = await startIn(dataDir);
    const { pid } = postmasterOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    const second = await startIn(dataDir);
    const { pid: newPid } = postmasterOf(dataDir);
    expect(newPid).not.toBe(pid);

    expect(await stop(first.service)).toMatchObject({ code: 0 });
    expect(runs(pid)).toBe(false);
    // One that had been stopped would be brought back by its own service.
    expect(postmasterOf(dataDir).pid).toBe(newPid);
    expect((await second.health()).status).toBe(200);
    expect((await second.ingest()).status).toBe(202);
    expect(second.service.output()).not.toContain('had ended');
    expect(await stop(second.service)).toMatchObject({ code: 0 });
    expect(runs(newPid)).toBe(false);
  });

  it('that only linked to the data is made again by the command that the log has', async () => {
    const folder = newFolderWithCluster();
    const home = join(folder, 'another disk');
    renameSync(join(folder, 'postgres'), home);
    const dataDir = join(folder, "it's data");
    mkdirSync(dataDir);
    symlinkSync(home, join(dataDir, 'postgres'));
    const { service, health, ingest } = await startIn(dataDir);
    const { pid } = postmasterOf(dataDir);
    rmSync(dataDir, { recursive: true });
    await expect.poll(() => complaints(service.output()).length).toBe(1);
    const { msg } = JSON.parse(complaints(service.output())[0] as string);
    const [, command] = /: (mkdir .*)$/.exec(msg) ?? [];
    expect(spawnSync('sh', ['-c', command as string], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(async () => (await health()).status).toBe(200);
    expect((await ingest()).status).toBe(202);
    expect(await stop(service)).toMatchObject({ code: 0 });
    expect(runs(pid)).toBe(false);
  });

  it('that is moved away and back is as good as before', async () => {
    const dataDir = join(newFolder(), 'data');
    const { service, health, ingest } = await startIn(dataDir);
    renameSync(dataDir, `${dataDir}-away`);
    await expect.poll(async () => (await health()).status).toBe(503);
    renameSync(`${dataDir}-away`, dataDir);
    await expect.poll(async () => (await health()).status).toBe(200);
    expect((await ingest()).status).toBe(202);
    expect(service.output()).toContain(`the data folder ${dataDir} is there again`);
    expect(await stop(service)).toMatchObject({ code: 0 });
  });
});

describe('the watch', () => {
  it('tells a folder that is gone from one that is another, and from one that cannot be looked at', async () => {
    const place = join(newFolder(), 'postgres');
    const watch = watchFolder(place, 'secret', () => {});
    const make = (password: string) => {
      mkdirSync(join(place, 'data'), { recursive: true });
      writeFileSync(join(place, 'data/PG_VERSION'), '18\n');
      writeFileSync(join(place, 'password'), password);
    };
    make('secret');
    expect(await watch.isThere()).toBe(true);
    make('of another cluster');
    expect(await watch.isThere()).toBe(false);
    make('secret');
    rmSync(join(place, 'data'), { recursive: true });
    expect(await watch.isThere()).toBe(false);
    rmSync(place, { recursive: true });
    expect(await watch.isThere()).toBe(false);
    // Stands for whatever else may be in the way: root may read everything.
    symlinkSync(place, place);
    expect(await watch.isThere()).toBe(null);
    watch.close();
  });
});
