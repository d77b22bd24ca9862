/** The queue's contract, on both backends: bounded nudges, none that is lost while somebody works, none that makes anybody wait. */
import { describe, expect, it } from 'vitest';
import { SLOTS } from '../../src/queue/contract.ts';
import { type LaneQueue, openLaneQueue } from '../../src/queue/lane-queue.ts';
import { newRedisUrl, onBothBackends, onRedis } from '../support/backends.ts';
import { newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';

const settings = { concurrency: 1, lockMs: 5000 };

async function open(redisUrl: string | undefined): Promise<LaneQueue> {
  const queue = await openLaneQueue({ redisUrl, databaseUrl: await newDatabase(), onError: () => {} });
  later(() => queue.close());
  await until(
    () => queue.isUp(),
    (up) => up,
  );
  return queue;
}

onBothBackends('the queue', (backend) => {
  const openOne = () => open(backend.settings().REDIS_URL);
  const waiting = (queue: LaneQueue, n: number) =>
    until(
      () => queue.waiting(),
      (seen) => seen === n,
    );

  it('keeps so many jobs at most, however often it is nudged', async () => {
    const queue = await openOne();
    queue.nudge();
    await waiting(queue, 1);
    queue.nudge(2);
    await waiting(queue, 3);
    queue.nudge(10 * SLOTS);
    await waiting(queue, SLOTS);
    for (let n = 0; n < 5; n++) queue.nudge();
    await waiting(queue, SLOTS);
  });

  it('keeps the nudge that comes while another is being served', async () => {
    const queue = await openOne();
    let turns = 0;
    const { promise: first, resolve: finish } = Promise.withResolvers<boolean>();
    const worker = queue.work(() => (turns++ === 0 ? first : Promise.resolve(false)), settings);
    later(() => worker.close(100));
    queue.nudge();
    await until(
      () => turns,
      (n) => n === 1,
    );
    queue.nudge();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(turns).toBe(1);
    finish(false);
    await until(
      () => turns,
      (n) => n === 2,
    );
    await waiting(queue, 0);
    expect(turns).toBe(2);
  });

  it('goes on while its turns find more, and wakes others who find nothing in the end', async () => {
    const queue = await openOne();
    queue.nudge(3);
    await waiting(queue, 3);
    let turns = 0;
    let most = 0;
    let inHand = 0;
    const worker = queue.work(
      async () => {
        most = Math.max(most, ++inHand);
        await new Promise((resolve) => setTimeout(resolve, 10));
        inHand--;
        return ++turns < 60;
      },
      { ...settings, concurrency: 3 },
    );
    later(() => worker.close(100));
    await until(
      () => turns,
      (n) => n >= 60,
    );
    await waiting(queue, 0);
    // Each that goes on wakes another, and those find nothing in the end.
    expect([most, turns < 80]).toEqual([3, true]);
  });

  it('has workers come though all jobs are held by workers that are no more', async () => {
    const queue = await openOne();
    let turns = 0;
    const hang = () => {
      turns++;
      return new Promise<boolean>(() => {});
    };
    const stuck = queue.work(hang, { concurrency: SLOTS, lockMs: 60_000 });
    queue.nudge(SLOTS);
    await until(
      () => turns,
      (n) => n === SLOTS,
    );
    await stuck.close(0);
    await queue.rouse(2);
    await waiting(queue, 2);
  });

  it('waits for a turn in hand when it closes', async () => {
    const queue = await openOne();
    let turns = 0;
    let finished = false;
    const worker = queue.work(async () => {
      turns++;
      await new Promise((resolve) => setTimeout(resolve, 300));
      finished = true;
      return false;
    }, settings);
    queue.nudge();
    await until(
      () => turns,
      (n) => n === 1,
    );
    await worker.close(5000);
    expect(finished).toBe(true);
  });
});

describe('a worker on Postgres', () => {
  async function openBehindProxy() {
    const url = new URL(await newDatabase());
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
    url.port = `${proxy.port}`;
    const queue = await openLaneQueue({ redisUrl: undefined, databaseUrl: url.href, onError: () => {} });
    later(() => queue.close());
    return { proxy, queue };
  }

  it('that began while Postgres was away comes when it is back', async () => {
    const { proxy, queue } = await openBehindProxy();
    proxy.down();
    let turns = 0;
    const worker = queue.work(async () => ++turns < 0, settings);
    later(() => worker.close(100));
    await new Promise((resolve) => setTimeout(resolve, 200));
    proxy.up();
    await until(
      () => {
        queue.nudge();
        return turns;
      },
      (n) => n > 0,
    );
  });

  it('outlives its connections, whenever they break', async () => {
    const { proxy, queue } = await openBehindProxy();
    for (let ms = 0; ms < 40; ms++) {
      const worker = queue.work(async () => false, settings);
      await new Promise((resolve) => setTimeout(resolve, ms / 2));
      proxy.down();
      proxy.up();
      await worker.close(0);
    }
  });
});

onRedis('without Redis', () => {
  it('a nudge returns at once, nothing piles up, and those behind it are told', async () => {
    const url = new URL(newRedisUrl());
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
    url.port = `${proxy.port}`;
    const queue = await open(url.href);
    proxy.down();
    await until(
      () => queue.isUp(),
      (up) => !up,
    );
    for (let n = 0; n < 50_000; n++) queue.nudge();
    await expect(queue.waiting()).rejects.toThrow('does not answer');
    proxy.up();
    await until(
      () => queue.isUp(),
      (up) => up,
    );
    queue.nudge();
    await until(
      () => queue.waiting(),
      (n) => n === 1,
    );
  });
});
