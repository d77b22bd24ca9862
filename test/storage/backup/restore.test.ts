/** What a restore refuses, before there is anything in the data folder. */
import { chmodSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PASSWORD_ENTRY } from '../../../src/storage/backup/backup.ts';
import { type Manifest, manifestFile } from '../../../src/storage/backup/manifest.ts';
import { restore } from '../../../src/storage/backup/restore.ts';
import { tarFile } from '../../../src/storage/backup/tar.ts';
import { postgresAccount } from '../../../src/storage/embedded/account.ts';
import { later } from '../../support/later.ts';
import { newFolder, newFolderWithCluster } from '../../support/process.ts';
import { newSealedFile, silent } from '../../support/sealed.ts';

const POSTGRES = 18;
const password = tarFile(PASSWORD_ENTRY, Buffer.from('secret'));
const newBackup = (more: Partial<Manifest>, ...entries: Buffer[]) =>
  newSealedFile([
    manifestFile('backup', POSTGRES, more),
    password,
    tarFile('PG_VERSION', Buffer.from('18')),
    ...entries,
  ]);

const restoreTo = (dataDir: string, file: string, signal = new AbortController().signal) =>
  restore({ dataDir, file, progress: silent, say: () => {}, signal });

/** An entry of another type, with the sum of its header made right again. */
function ofType(type: string, name: string): Buffer {
  const entry = tarFile(name, Buffer.alloc(0));
  const sum = Number.parseInt(entry.toString('latin1', 148, 154), 8) - (entry[156] as number) + type.charCodeAt(0);
  entry.write(type, 156);
  entry.write('/etc/passwd', 157);
  const linked = [...Buffer.from('/etc/passwd')].reduce((all, byte) => all + byte, sum);
  entry.write(linked.toString(8).padStart(6, '0'), 148);
  return entry;
}

describe('a restore', () => {
  it.each([
    ['climbs out', tarFile('../outside', Buffer.from('x'))],
    ['climbs out from within', tarFile('base/../../outside', Buffer.from('x'))],
    ['is absolute', tarFile('/tmp/outside', Buffer.from('x'))],
    ['is a folder itself', tarFile('.', Buffer.from('x'))],
    ['is a link', ofType('2', 'pg_wal')],
    ['is a hard link', ofType('1', 'passwd')],
    ['is a device', ofType('3', 'null')],
    ['is one of ours, and stands elsewhere', tarFile('docket/more', Buffer.from('x'))],
  ])('refuses an archive with an entry that %s, and leaves nothing', async (_what, entry) => {
    const folder = newFolder();
    const dataDir = join(folder, 'data');
    await expect(restoreTo(dataDir, await newBackup({}, entry))).rejects.toThrow('which no backup has');
    expect([readdirSync(folder), readdirSync(dataDir)]).toEqual([['data'], []]);
  });

  it('refuses the same name twice, and a file that is to be a folder', async () => {
    const dataDir = newFolder();
    const twice = tarFile('PG_VERSION', Buffer.from('17'));
    await expect(restoreTo(dataDir, await newBackup({}, twice))).rejects.toThrow('EEXIST');
    const within = tarFile('PG_VERSION/file', Buffer.from('17'));
    await expect(restoreTo(dataDir, await newBackup({}, within))).rejects.toThrow(/EEXIST|ENOTDIR|no folder/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each<[Partial<Manifest> & { kind?: 'dump' }, string]>([
    [{ postgres: 17 }, 'it is of Postgres 17'],
    [{ platform: 'linux-riscv64' }, 'it was made on linux-riscv64'],
    [{ format: 2, release: '9.0.0' }, 'by release 9.0.0 in a format'],
    [{ kind: 'dump' }, 'npm run load takes it'],
  ])('refuses %j', async (more, words) => {
    const dataDir = join(newFolder(), 'data');
    await expect(restoreTo(dataDir, await newBackup(more))).rejects.toThrow(words);
    expect(readdirSync(dirname(dataDir))).toEqual([]);
  });

  it('refuses a folder that has a database, also one that is only linked, and says what to do', async () => {
    const file = await newBackup({});
    const dataDir = newFolderWithCluster();
    await expect(restoreTo(dataDir, file)).rejects.toThrow(/has a database already.*mv .*postgres /);
    const linked = newFolder();
    symlinkSync('/nowhere', join(linked, 'postgres'));
    await expect(restoreTo(linked, file)).rejects.toThrow('has a database already');
  });

  it('puts the data where the account of Postgres may enter: in its place, or by root behind a link', async () => {
    const dataDir = join(newFolder(), 'data');
    chmodSync(dirname(dataDir), 0o700);
    await restoreTo(dataDir, await newBackup({}));
    const account = postgresAccount();
    const place = join(dataDir, 'postgres');
    const home = account ? readlinkSync(place) : place;
    if (account) {
      later(() => rmSync(home, { recursive: true }));
      expect(home).toMatch(/^\/var\/lib\/docket\/cluster-/);
    }
    for (const name of ['', 'password', 'data', 'data/PG_VERSION']) {
      const { uid, mode } = statSync(join(home, name));
      expect([uid, mode & 0o077]).toEqual([account?.uid ?? process.getuid?.(), 0]);
    }
  });

  it('leaves nothing when it is called off', async () => {
    const [stop, dataDir] = [new AbortController(), newFolder()];
    const file = await newBackup({});
    stop.abort();
    await expect(restoreTo(dataDir, file, stop.signal)).rejects.toThrow('aborted');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('takes a file that is no backup for what it is', async () => {
    const file = join(newFolder(), 'notes.txt');
    writeFileSync(file, 'Notes. '.repeat(1000));
    await expect(restoreTo(newFolder(), file)).rejects.toThrow('notes.txt has no seal');
    await expect(restoreTo(newFolder(), await newSealedFile([tarFile('a', Buffer.alloc(1))]))).rejects.toThrow(
      'not one of ours',
    );
  });
});
