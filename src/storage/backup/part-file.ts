/** A file that has its own name only when it is whole: until then it is NAME.part, which only its owner may read. */
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../errors.ts';
import { explainFile } from './explain.ts';
import { syncFolder } from './sync-folder.ts';

const NO_LINKS = /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EINVAL)$/;

const partOf = (path: string) => `${path}.part`;

export async function createPart(path: string, { replaces = false } = {}): Promise<FileHandle> {
  if (!replaces) await refuseExisting(path);
  const part = partOf(path);
  return open(part, 'wx', 0o600).catch((error) => {
    if (error.code === 'ENOENT') throw new StartError(`there is no folder ${dirname(path)}.`);
    if (error.code !== 'EEXIST') throw explainFile(error, path);
    throw new StartError(
      `${part} is there: another command is writing it, or one was killed. Remove it if none is, or name another file.`,
    );
  });
}

/** All of it is on the disk, under its own name, when this returns. */
export async function finishPart(file: FileHandle, path: string, { replaces = false } = {}): Promise<void> {
  await file.sync();
  await file.close();
  if (replaces) await rename(partOf(path), path);
  else await giveName(path);
  await syncFolder(dirname(path));
}

/** Leaves nothing behind. */
export async function discardPart(file: FileHandle, path: string): Promise<void> {
  await file.close().catch(() => {});
  await rm(partOf(path), { force: true });
}

/** A link never takes the place of another file; some disks have none, and there it is looked first. */
async function giveName(path: string): Promise<void> {
  const part = partOf(path);
  try {
    await link(part, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existing(path);
    if (!NO_LINKS.test(code)) throw error;
    await refuseExisting(path);
    await rename(part, path);
    return;
  }
  await rm(part);
}

const existing = (path: string) =>
  new StartError(`${path} is there already. Name another file, or move that one away.`);

async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw explainFile(error, path);
  });
  if (found) throw existing(path);
}
