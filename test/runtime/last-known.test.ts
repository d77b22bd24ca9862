import { expect, it } from 'vitest';
import { LastKnown } from '../../src/runtime/last-known.ts';

/** Longer than a test takes: who waits for its end hangs. */
const LONG_MS = 600_000;

/** What it asks is answered when the test says so. */
function watched() {
  const questions: { begin: () => void; answer: (value: string) => void; fail: () => void }[] = [];
  const known = new LastKnown<string>(
    (onAnswered) =>
      new Promise((resolve, reject) => {
        questions.push({ begin: onAnswered, answer: resolve, fail: () => reject(new Error('away')) });
      }),
  );
  return { known, questions };
}

it('asks once for all who want to know at the same time', async () => {
  const { known, questions } = watched();
  const looks = Array.from({ length: 100 }, () => known.look(LONG_MS));
  expect(questions).toHaveLength(1);
  questions[0]?.answer('one');
  for (const look of await Promise.all(looks))
    expect(look).toMatchObject({ value: 'one', isFresh: true, isAnswered: true, error: null });
  void known.look(0);
  expect(questions).toHaveLength(2);
});

it('says what it knew, and since when, when time is up', async () => {
  const { known, questions } = watched();
  expect(await known.look(0)).toEqual({ value: null, asOf: null, isFresh: false, isAnswered: false, error: null });
  const first = known.look(LONG_MS);
  questions[0]?.answer('one');
  const { asOf } = await first;
  expect(await known.look(0)).toEqual({ value: 'one', asOf, isFresh: false, isAnswered: false, error: null });
});

it('tells silence from an answer that takes its time, and from one that breaks off', async () => {
  const { known, questions } = watched();
  const late = known.look(1);
  questions[0]?.begin();
  expect(await late).toMatchObject({ isFresh: false, isAnswered: true });
  const broken = known.look(LONG_MS);
  questions[0]?.fail();
  expect(await broken).toMatchObject({ isFresh: false, isAnswered: false, error: new Error('away') });
});

it('has two questions under way at most, asks anew when one is old, and keeps what was asked last', async () => {
  const { known, questions } = watched();
  /** For longer than a question may be old. */
  const lookOn = async () => {
    for (const until = performance.now() + 2500; performance.now() < until; ) await known.look(20);
  };
  await lookOn();
  expect(questions).toHaveLength(2);
  await lookOn();
  expect(questions).toHaveLength(2);
  const look = known.look(LONG_MS);
  questions[1]?.answer('two');
  expect((await look).value).toBe('two');
  questions[0]?.answer('one');
  await new Promise((resolve) => setImmediate(resolve));
  expect((await known.look(0)).value).toBe('two');
});
