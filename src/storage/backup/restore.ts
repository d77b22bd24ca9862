/** Restores a backup into a data folder that has no database yet: looked at as a whole first, made aside, put in place at once. */
import { chownSync, existsSync, lstatSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../errors.ts';
import { type Account, postgresAccount } from '../embedded/account.ts';
import { postgresBinaries } from '../embedded/binaries.ts';
import { makeAside, makeDataDir, parentFor, placeIn, putInPlace } from '../embedded/place.ts';
import { isInUse } from '../embedded/postmaster.ts';
import { quoted } from '../embedded/quoted.ts';
import { PASSWORD_ENTRY } from './backup.ts';
import { explainFile } from './explain.ts';
import { type Manifest, OURS, PLATFORM, readManifest, readWhole } from './manifest.ts';
import type { Progress } from './progress.ts';
import { freeBytes } from './room.ts';
import { readEntries, verifySeal } from './sealed-file.ts';
import { syncFolder } from './sync-folder.ts';
import type { TarEntry } from './tar.ts';

export interface RestoreOptions {
  dataDir: string;
  file: string;
  progress: Progress;
  say: (line: string) => void;
  signal: AbortSignal;
}

export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { dataDir, file, progress, say, signal } = options;
  refuseUsed(dataDir);
  const bytes = await verifySeal(file, progress, signal);
  const account = postgresAccount();
  const entries = readEntries(file);
  let aside: string | null = null;
  try {
    const manifest = await readManifest(entries, 'backup');
    const { version } = postgresBinaries(account, say);
    refuseUnfit(manifest, version);
    makeDataDir(dataDir, account);
    const parent = parentFor(dataDir, account);
    const free = await freeBytes(parent);
    if (free < bytes)
      throw new StartError(
        `${parent} has ${progress.size(free)} free, and ${progress.size(bytes)} are to be restored.`,
      );
    aside = makeAside(parent, account, await readPassword(entries));
    progress.begin('restored', bytes);
    await extract(entries, join(aside, 'data'), account, options);
    await syncFolder(aside);
    // Where it is linked from DATA_DIR, its own name is elsewhere.
    await syncFolder(parent);
    signal.throwIfAborted();
    if (!putInPlace(aside, dataDir, say)) throw used(dataDir);
    aside = null;
    await syncFolder(dataDir);
    return manifest;
  } catch (error) {
    if (aside) rmSync(aside, { recursive: true, force: true });
    throw explainFile(error, aside ?? dataDir);
  } finally {
    await entries.return(undefined);
  }
}

/** Nothing that is there is ever replaced. */
function refuseUsed(dataDir: string): void {
  const place = placeIn(dataDir);
  // Also when only its files are gone, and a server still runs on what has no name any more.
  const home = existsSync(place) ? realpathSync(place) : placeIn(existsSync(dataDir) ? realpathSync(dataDir) : dataDir);
  if (isInUse(join(home, 'data')))
    throw new StartError(`the Postgres of ${dataDir} is running. Stop the service, or set DATA_DIR to another folder.`);
  if (lstatSync(place, { throwIfNoEntry: false })) throw used(dataDir);
}

function used(dataDir: string): StartError {
  const place = quoted(placeIn(dataDir));
  return new StartError(
    `${dataDir} has a database already. Set DATA_DIR to another folder, or stop the service and move it away: mv ${place} ${place}.old`,
  );
}

function refuseUnfit({ postgres, platform, release }: Manifest, version: string): void {
  if (postgres !== Number.parseInt(version, 10))
    throw new StartError(
      `it is of Postgres ${postgres} and this is ${version}: restore it with release ${release}, npm run dump -- FILE there, and load that here.`,
    );
  if (platform !== PLATFORM)
    throw new StartError(
      `it was made on ${platform} and this is ${PLATFORM}: restore it there, npm run dump -- FILE, and load that here.`,
    );
}

async function readPassword(entries: AsyncGenerator<TarEntry>): Promise<string> {
  const { value: entry } = await entries.next();
  if (!entry || entry.name !== PASSWORD_ENTRY) throw new StartError('the password of its database is not in it.');
  return (await readWhole(entry)).toString();
}

/** Names and kinds that Postgres never sends are refused, whatever the seal says. */
async function extract(
  entries: AsyncIterable<TarEntry>,
  data: string,
  account: Account | null,
  { progress, signal }: RestoreOptions,
): Promise<void> {
  const folders = new Set<string>();
  const makeFolder = async (path: string) => {
    if (folders.has(path)) return;
    if (path !== data) await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    folders.add(path);
  };
  await makeFolder(data);
  let done = 0;
  for await (const { name, type, content } of entries) {
    // Postgres writes some names as ./name, and those of folders as name/.
    const parts = name.replace(/^\.\//, '').replace(/\/$/, '').split('/');
    if (type === 'other' || `${parts[0]}/` === OURS || parts.some((part) => /^\.{0,2}$/.test(part)))
      throw new StartError(`the archive has ${JSON.stringify(name)}, which no backup has: nothing was restored.`);
    const path = join(data, ...parts);
    if (type === 'folder') {
      await makeFolder(path);
      continue;
    }
    await makeFolder(dirname(path));
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of content) {
        signal.throwIfAborted();
        await file.appendFile(piece);
        done += piece.length;
        progress.reached(done);
      }
      if (account) await file.chown(account.uid, account.gid);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  for (const folder of folders) await syncFolder(folder);
}
