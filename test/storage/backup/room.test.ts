/** What runs beside a service is ended before the disk of that is full. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freeBytes, leastRoom, withRoom } from '../../../src/storage/backup/room.ts';
import { newFolder } from '../../support/process.ts';

const LONG_MS = 60_000;

it('is broken off where less is free than has to stay so', async () => {
  const folder = newFolder();
  const work = (signal: AbortSignal) =>
    sleep(LONG_MS, 'done', { signal }).catch(() => {
      throw signal.reason;
    });
  await expect(withRoom(folder, Number.POSITIVE_INFINITY, work, 1)).rejects.toThrow(`MB are free in ${folder}`);
});

it('is let be where there is room, also on a disk that is nearly full from the beginning', async () => {
  const folder = newFolder();
  const least = await leastRoom(folder);
  expect(least).toBeLessThanOrEqual(1e9);
  expect(least).toBeLessThan(await freeBytes(folder));
  const work = async (signal: AbortSignal) => {
    await sleep(100);
    return signal.aborted;
  };
  expect(await withRoom(folder, least, work, 1)).toBe(false);
});
