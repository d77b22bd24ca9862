/** Backups that are attacked: much is logged meanwhile, the disk is full, somebody stops one of those that take part. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/storage/embedded/owner.ts';
import { SmallDisk } from '../../storm/faults/small-disk.ts';
import { later } from '../support/later.ts';
import { NODE, newFolder, newFolderWithCluster, type Started, start, startService, stop } from '../support/process.ts';
import { until } from '../support/until.ts';

const begin = (command: string, env: Record<string, string>, ...args: string[]) =>
  start([NODE, `src/cli/${command}.ts`, ...args], env);
/** A new cluster is of some 40 MB: slow enough to meet it in the middle. What is logged meanwhile comes on top. */
const SLOW = ['--max-mb-per-s', '4'];

async function open(dataDir: string, settings: string[] = []) {
  const server = await openEmbedded({ dataDir, holder: 'a test', say: () => {}, settings });
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.end();
    await server.close();
  };
  later(close);
  return { server, client, close };
}

const isInTheMiddle = (file: string) =>
  until(
    () => (existsSync(`${file}.part`) ? statSync(`${file}.part`).size : 0),
    (size) => size > 100_000,
  );

// Each has a cluster of its own, and waits for backups that are slow on purpose: at once.
describe.concurrent('a backup', () => {
  it('is one state though much is logged and checkpointed meanwhile, also with a second one beside it', async () => {
    const dataDir = newFolderWithCluster();
    // Whatever is not held for somebody is gone with the next checkpoint.
    const { client, close } = await open(dataDir, ['max_wal_size=48MB', 'min_wal_size=32MB', 'wal_compression=off']);
    await client.query('create table accounts as select n as id, 100 as amount from generate_series(1, 1000) n');
    await client.query('create table noise (text text)');
    const folder = newFolder();
    const files = ['one', 'two'].map((name) => join(folder, name));
    const backups = files.map((file) => begin('backup', { DATA_DIR: dataDir }, file, ...SLOW));
    const ended = Promise.all(backups.map((backup) => backup.ended));
    await Promise.all(files.map(isInTheMiddle));
    const { rows } = await client.query('select pg_current_wal_lsn() as at');
    for (let n = 0; n < 14; n++) {
      await client.query(`insert into noise select repeat(md5(i::text), 32) from generate_series(1, 10000) i`);
      // What one has the other has not: whenever one looks, there is as much as before.
      await client.query(
        `update accounts set amount = amount + case when id % 2 = 0 then 1 else -1 end where id <= 2 * $1::int`,
        [n + 1],
      );
      await client.query('truncate noise');
      await client.query('checkpoint');
    }
    expect(await ended).toMatchObject([{ code: 0 }, { code: 0 }]);
    const { rows: logged } = await client.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 as bytes', [
      rows[0].at,
    ]);
    expect(logged[0].bytes).toBeGreaterThan(100e6);
    // Nothing is held for them any more.
    expect((await client.query('select from pg_replication_slots')).rowCount).toBe(0);
    await close();

    for (const file of files) {
      const elsewhere = join(newFolder(), 'data');
      expect(await begin('restore', { DATA_DIR: elsewhere }, file).ended).toMatchObject({ code: 0 });
      const copy = await open(elsewhere);
      const { rows } = await copy.client.query('select count(*)::int as n, sum(amount)::int as amount from accounts');
      expect(rows).toEqual([{ n: 1000, amount: 100_000 }]);
      await copy.client.query('create extension if not exists plpgsql');
      await copy.close();
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('that gets %s leaves nothing behind, and holds nothing', async (signal) => {
    const dataDir = newFolderWithCluster();
    const { client, close } = await open(dataDir);
    const folder = newFolder();
    const file = join(folder, 'backup');
    const backup = begin('backup', { DATA_DIR: dataDir }, file, ...SLOW);
    await isInTheMiddle(file);
    const { code, stdout, stderr } = await stop(backup, signal);
    expect([code, stdout, readdirSync(folder)]).toEqual([130, '', []]);
    expect(stderr).toContain('backup: stopped before it was done');
    await until(
      async () => (await client.query('select from pg_replication_slots')).rowCount,
      (slots) => slots === 0,
    );
    await close();
  });

  it('goes on when the service is killed, and fails in plain words when the service stops the database', async () => {
    const dataDir = newFolderWithCluster();
    const folder = newFolder();
    const [whole, half] = ['whole', 'half'].map((name) => join(folder, name)) as [string, string];
    const first = startService({ DATA_DIR: dataDir });
    await first.listening;
    const survivor = begin('backup', { DATA_DIR: dataDir }, whole, ...SLOW);
    await isInTheMiddle(whole);
    await stop(first, 'SIGKILL');
    expect(await survivor.ended).toMatchObject({ code: 0 });

    const second = startService({ DATA_DIR: dataDir });
    await second.listening;
    const broken = begin('backup', { DATA_DIR: dataDir }, half, ...SLOW);
    await isInTheMiddle(half);
    expect(await stop(second)).toMatchObject({ code: 0 });
    const { code, stderr } = await broken.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Postgres ended before the backup was done')]);
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(folder)).toEqual(['whole']);

    const elsewhere = { DATA_DIR: join(newFolder(), 'data') };
    expect(await begin('restore', elsewhere, whole).ended).toMatchObject({ code: 0 });
    const third: Started = startService(elsewhere);
    await third.listening;
    await stop(third);
  });

  it.runIf(process.getuid?.() === 0)('says that the disk is full, and so does a restore before it begins', async () => {
    const dataDir = newFolderWithCluster();
    const disk = new SmallDisk(join(newFolder(), 'small'), 2);
    later(() => execFileSync('umount', ['-l', disk.folder]));
    const file = join(disk.folder, 'backup');
    const full = await begin('backup', { DATA_DIR: dataDir }, file).ended;
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining(`the disk of ${disk.folder} is full`) });
    expect(full.stderr).toContain('it may not fit');
    expect(full.stderr).not.toContain('    at ');
    expect(readdirSync(disk.folder)).toEqual([]);

    const whole = join(newFolder(), 'backup');
    expect(await begin('backup', { DATA_DIR: dataDir }, whole).ended).toMatchObject({ code: 0 });
    const tight = { DATA_DIR: join(disk.folder, 'data') };
    const refused = await begin('restore', tight, whole).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/has .* free, and .* are to be restored/) });
    expect(readdirSync(tight.DATA_DIR)).toEqual([]);
  });

  it('that was damaged or cut off on its way is refused, and nothing is made', async () => {
    const file = join(newFolder(), 'backup');
    expect(await begin('backup', { DATA_DIR: newFolderWithCluster() }, file).ended).toMatchObject({ code: 0 });
    const whole = readFileSync(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] as number) ^ 4;
    for (const [bytes, words] of [
      [flipped, 'is damaged'],
      [whole.subarray(0, -1), 'has no seal'],
      [whole.subarray(0, whole.length >> 1), 'has no seal'],
    ] as const) {
      writeFileSync(file, bytes);
      const folder = newFolder();
      const { code, stderr } = await begin('restore', { DATA_DIR: join(folder, 'data') }, file).ended;
      expect([code, stderr, readdirSync(folder)]).toEqual([1, expect.stringContaining(words), []]);
    }
  });
});
