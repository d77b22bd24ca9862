/** What is done again and again: never twice at once, after errors too, and not any more once it is stopped. */
import { expect, it } from 'vitest';
import { Periodic } from '../src/periodic.ts';
import { later } from './support/later.ts';
import { until } from './support/until.ts';

const LONG_MS = 60_000;

function periodic(task: () => Promise<unknown>, pauseMs: number) {
  const errors: unknown[] = [];
  const made = new Periodic({ task, pauseMs, onError: (error) => errors.push(error) });
  later(() => made.stop());
  return { made, errors };
}

it('goes on after an error, and tells of each', async () => {
  const { made, errors } = periodic(() => Promise.reject(new Error('away')), 1);
  made.start();
  await until(
    () => errors.length,
    (told) => told >= 3,
  );
});

it('is not run twice at once, whoever asks', async () => {
  let [inHand, most, runs] = [0, 0, 0];
  const { made } = periodic(async () => {
    most = Math.max(most, ++inHand);
    await new Promise(setImmediate);
    inHand--;
    runs++;
  }, 0);
  made.start();
  made.start();
  while (runs < 20) await Promise.all([made.run(), made.run(), new Promise(setImmediate)]);
  expect(most).toBe(1);
});

it('goes on at once while there is more to do', async () => {
  let left = 5;
  const { made } = periodic(async () => --left > 0, LONG_MS);
  made.start();
  await made.run();
  await until(
    () => left,
    (now) => now === 0,
  );
});

it('is stopped when the run under way is over, and can be started again', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let runs = 0;
  const { made } = periodic(() => {
    runs++;
    return promise;
  }, 1);
  made.start();
  await until(
    () => runs,
    (now) => now === 1,
  );
  let isStopped = false;
  const stopping = made.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  resolve(true);
  await stopping;
  // Another with the same pause has come round meanwhile.
  let others = 0;
  const other = periodic(async () => others++, 1).made;
  other.start();
  await until(
    () => others,
    (now) => now > 2,
  );
  expect(runs).toBe(1);
  made.start();
  await until(
    () => runs,
    (now) => now > 1,
  );
});

it('leaves no timer behind when it is stopped and started again while it runs', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let runs = 0;
  const { made } = periodic(() => {
    runs++;
    return promise;
  }, 20);
  made.start();
  const running = made.run();
  const stopping = made.stop();
  made.start();
  resolve(false);
  await Promise.all([running, stopping]);
  await made.stop();
  // Another one comes round with the same pause.
  let rounds = 0;
  periodic(async () => rounds++, 20).made.start();
  await until(
    () => rounds,
    (now) => now >= 3,
  );
  expect(runs).toBe(1);
});
