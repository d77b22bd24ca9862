import { expect, it } from 'vitest';
import { Readiness } from '../../src/domain/readiness.ts';
import { later } from '../support/later.ts';
import { until } from '../support/until.ts';

/** Looks as often as it can. */
function ready(look: () => Promise<string | null>): Readiness {
  const readiness = new Readiness(look, 1);
  later(() => readiness.stop());
  return readiness;
}

it('is not ready before the first look, and after it what that saw', async () => {
  const readiness = ready(async () => null);
  expect(readiness.whyNot).toBe('The service is starting.');
  await readiness.start();
  expect(readiness.whyNot).toBeNull();
});

it('asks nobody when it is asked', async () => {
  let looks = 0;
  const readiness = new Readiness(async () => {
    looks++;
    return null;
  }, 1_000_000);
  later(() => readiness.stop());
  await readiness.start();
  for (let n = 0; n < 1000; n++) expect(readiness.whyNot).toBeNull();
  expect(looks).toBe(1);
});

it('follows what changes, and is not ready when a look fails', async () => {
  let look: () => Promise<string | null> = async () => null;
  const readiness = ready(() => look());
  await readiness.start();
  look = async () => 'The disk is full.';
  await until(
    () => readiness.whyNot,
    (why) => why === 'The disk is full.',
  );
  look = () => Promise.reject(new Error('x'));
  await until(
    () => readiness.whyNot,
    (why) => why?.startsWith('It could not be found out') === true,
  );
  look = async () => null;
  await until(
    () => readiness.whyNot,
    (why) => why === null,
  );
});

it('is not ready from the moment it is stopped, whatever a look that is under way sees', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const readiness = ready(() => promise);
  const started = readiness.start();
  const stopped = readiness.stop();
  expect(readiness.whyNot).toBe('The service is stopping.');
  resolve(null);
  await Promise.all([started, stopped]);
  expect(readiness.whyNot).toBe('The service is stopping.');
});
