/** Ends what keeps Postgres from cleaning up, before the disk is full that a service writes to. */
import { statfs } from 'node:fs/promises';
import { StartError } from '../../errors.ts';

const LEAST_BYTES = 1e9;
const LOOK_MS = 1000;

/** How many bytes have to stay free: a tenth of a small disk, and half of what was free where that was little from the beginning. */
export async function leastRoom(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return Math.min(LEAST_BYTES, (blocks * bsize) / 10, (bavail * bsize) / 2);
}

/** How many bytes may still be written there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The signal that is given to `work` is aborted as soon as less is free; what was aborted fails for that reason. */
export async function withRoom<Result>(
  folder: string,
  least: number,
  work: (signal: AbortSignal) => Promise<Result>,
  lookMs = LOOK_MS,
): Promise<Result> {
  const full = new AbortController();
  let isDone = false;
  let timer: NodeJS.Timeout | undefined;
  const lookLater = () => {
    timer = setTimeout(look, lookMs);
  };
  const look = async () => {
    // Whoever cannot be asked is asked again.
    const free = await freeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
    if (free < least) full.abort(lacking(folder, free));
    else if (!isDone) lookLater();
  };
  lookLater();
  try {
    return await work(full.signal);
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

const lacking = (folder: string, free: number) =>
  new StartError(
    `only ${Math.floor(free / 1e6)} MB are free in ${folder}, where Postgres keeps what it logs as long as this runs: it was broken off, so that the service can go on. Make room, or have it write faster.`,
  );
