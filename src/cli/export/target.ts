/** Where an export goes: to stdout as it comes, or to a file that has its name only when it is whole. */
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { explainFile } from '../../storage/backup/explain.ts';
import { createPart, discardPart, finishPart } from '../../storage/backup/part-file.ts';

export interface Target {
  /** Waits until there is room for more. */
  write(piece: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Leaves nothing behind, where that is possible. */
  discard(): Promise<void>;
}

/** A dash is stdout, as for other commands. */
export async function openTarget(output: string | undefined, replaces: boolean, signal: AbortSignal): Promise<Target> {
  if (output === undefined || output === '-') return toStdout(signal);
  const path = resolve(output);
  const file = await createPart(path, { replaces });
  return fileTarget(file, path, replaces);
}

function fileTarget(file: FileHandle, path: string, replaces: boolean): Target {
  const explained = async (work: Promise<unknown>) => {
    await work.catch((error) => {
      throw explainFile(error, path);
    });
  };
  return {
    write: (piece) => explained(file.appendFile(piece)),
    finish: () => explained(finishPart(file, path, { replaces })),
    discard: () => discardPart(file, path),
  };
}

/** Whoever reads it may have had enough, such as head, or look at the first page for an hour: the signal ends the waiting. */
function toStdout(signal: AbortSignal): Target {
  let broken: Error | null = null;
  process.stdout.on('error', (error) => {
    broken = error;
  });
  return {
    async write(piece) {
      if (broken) throw broken;
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain', { signal });
    },
    async finish() {},
    async discard() {},
  };
}
