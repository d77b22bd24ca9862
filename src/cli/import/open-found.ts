/** Opens a file that was found, as long as it is one: in a folder of others, something else may have its name by now. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FoundFile } from './walk.ts';

/** Of a link, and of a socket. */
const OF_NO_FILE = new Set(['ELOOP', 'ENXIO']);

export const NO_FILE = 'it is no longer a file';

/** Null of what is no file. */
export async function openFound({ path, isNamed }: Pick<FoundFile, 'path' | 'isNamed'>): Promise<FileHandle | null> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  try {
    // A pipe would be waited for until somebody writes to it.
    const file = await open(path, O_RDONLY | O_NONBLOCK | (isNamed ? 0 : O_NOFOLLOW));
    if (await isFile(file)) return file;
    await file.close();
    return null;
  } catch (error) {
    if (OF_NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function isFile(file: FileHandle): Promise<boolean> {
  try {
    return (await file.stat()).isFile();
  } catch (error) {
    await file.close();
    throw error;
  }
}
