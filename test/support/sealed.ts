/** Sealed files for tests, of whatever is to be in them. */
import { join } from 'node:path';
import type { Progress } from '../../src/storage/backup/progress.ts';
import { SealedFile } from '../../src/storage/backup/sealed-file.ts';
import { TAR_END } from '../../src/storage/backup/tar.ts';
import { newFolder } from './process.ts';

export const silent: Progress = { begin: () => {}, reached: () => {}, size: String };

export async function newSealedFile(pieces: Buffer[], path = join(newFolder(), 'file')): Promise<string> {
  const file = await SealedFile.create(path);
  for (const piece of [...pieces, TAR_END]) await file.write(piece);
  await file.finish();
  return path;
}
