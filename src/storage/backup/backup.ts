/** Backs the embedded database up into one sealed file, beside whoever uses it. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { placeIn } from '../embedded/place.ts';
import { takeBaseBackup } from './base-backup.ts';
import { explainFile } from './explain.ts';
import { manifestFile, OURS } from './manifest.ts';
import type { Progress } from './progress.ts';
import { freeBytes, leastRoom, withRoom } from './room.ts';
import { SealedFile, type Written } from './sealed-file.ts';
import { refuseMissing, withServer } from './server.ts';
import { TAR_END, tarFile } from './tar.ts';

export const PASSWORD_ENTRY = `${OURS}password`;

export interface BackupOptions {
  dataDir: string;
  file: string;
  maxBytesPerSecond: number | null;
  progress: Progress;
  say: (line: string) => void;
  signal: AbortSignal;
}

export async function backUp(options: BackupOptions): Promise<Written> {
  const { dataDir, say, signal } = options;
  refuseMissing(dataDir);
  const version = join(placeIn(dataDir), 'data', 'PG_VERSION');
  const postgres = await readFile(version, 'utf8').catch((error) => {
    throw explainFile(error, version);
  });
  const file = await SealedFile.create(options.file);
  try {
    await withServer({ databaseUrl: undefined, dataDir, holder: 'docket backup', say }, (url) =>
      writeBackup(file, url, Number(postgres), options),
    );
    signal.throwIfAborted();
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function writeBackup(file: SealedFile, url: string, postgres: number, options: BackupOptions): Promise<void> {
  const { maxBytesPerSecond, progress, say, signal } = options;
  await file.write(manifestFile('backup', postgres, {}));
  // It is that of the roles in the backup, without which nobody could connect to what is restored.
  await file.write(tarFile(PASSWORD_ENTRY, Buffer.from(new URL(url).password)));
  const free = await freeBytes(dirname(options.file));
  const onEstimate = (bytes: number) => {
    progress.begin('written', bytes);
    if (free < bytes)
      say(`it may not fit: ${progress.size(free)} are free for about ${progress.size(bytes)}, compressed`);
  };
  let done = 0;
  progress.begin('waiting for a checkpoint', null);
  const write = async (piece: Buffer) => {
    await file.write(piece);
    done += piece.length;
    progress.reached(done);
  };
  const data = join(placeIn(options.dataDir), 'data');
  await withRoom(data, await leastRoom(data), (full) =>
    takeBaseBackup({ url, maxBytesPerSecond, signal: AbortSignal.any([signal, full]), onEstimate }, write),
  );
  // Postgres ends its archives; a reader stops at the first end, and is not troubled by a second one.
  await file.write(TAR_END);
}
