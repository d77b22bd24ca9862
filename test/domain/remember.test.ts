import { describe, expect, it } from 'vitest';
import { Remember } from '../../src/domain/remember.ts';

/** What it asks is noted, and answered when the test says so: names that begin with k exist. */
function watched(forMs: number, most = 100) {
  const questions: { names: string[]; answer: () => void; fail: () => void }[] = [];
  const load = (names: string[]) =>
    new Promise<Map<string, string>>((resolve, reject) => {
      const found = names.filter((name) => name.startsWith('k')).map((name) => [name, `the ${name}`] as const);
      questions.push({ names, answer: () => resolve(new Map(found)), fail: () => reject(new Error('away')) });
    });
  return { remember: new Remember(load, forMs, most), questions, names: () => questions.map(({ names }) => names) };
}

describe('guesses', () => {
  it('are asked for together, a question at a time, and nobody who was known waits for them', async () => {
    // Whatever it knows is too old at once.
    const { remember, questions, names } = watched(0);
    const first = remember.find('known');
    questions[0]?.answer();
    expect(await first).toBe('the known');

    const guesses = ['g1', 'g2', 'g3', 'g3'].map((name) => remember.find(name));
    const known = remember.find('known');
    expect(names()).toEqual([['known'], ['g1'], ['known']]);
    questions[2]?.answer();
    expect(await known).toBe('the known');
    questions[1]?.answer();
    await expect.poll(names).toEqual([['known'], ['g1'], ['known'], ['g2', 'g3']]);
    questions[3]?.answer();
    expect(await Promise.all(guesses)).toEqual([null, null, null, null]);
  });

  it('are a thousand in a question at most, and take no place from what was found', async () => {
    const { remember, questions, names } = watched(60_000, 3);
    for (const name of ['k1', 'k2', 'k3']) {
      const found = remember.find(name);
      questions.at(-1)?.answer();
      await found;
    }
    const guesses = Array.from({ length: 2500 }, (_item, n) => remember.find(`g${n}`));
    for (let question = 3; question < 7; question++) {
      await expect.poll(() => questions.length).toBe(question + 1);
      questions[question]?.answer();
    }
    await Promise.all(guesses);
    expect(names().map(({ length }) => length)).toEqual([1, 1, 1, 1, 1000, 1000, 499]);
    expect(['k1', 'k2', 'k3'].map((name) => remember.find(name))).toEqual(['the k1', 'the k2', 'the k3']);
  });
});

it('keeps fewer of what is larger, and lets go of the oldest first', async () => {
  const sizes: Record<string, number> = { k1: 1, k2: 1, large: 9, k3: 1 };
  const asked: string[] = [];
  const load = async (names: string[]) => {
    asked.push(...names);
    return new Map(names.map((name) => [name, name]));
  };
  const remember = new Remember(load, 60_000, 10, (name) => sizes[name] as number);
  for (const name of ['k1', 'k2', 'large']) await remember.find(name);
  for (const name of ['k2', 'large', 'k1']) await remember.find(name);
  expect(asked).toEqual(['k1', 'k2', 'large', 'k1']);
  remember.forget('large');
  for (const name of ['large', 'k3']) await remember.find(name);
  expect(await Promise.all(['large', 'k3'].map((name) => remember.find(name)))).toEqual(['large', 'k3']);
  expect(asked).toEqual(['k1', 'k2', 'large', 'k1', 'large', 'k3']);
});

describe('a failure', () => {
  it('is told to all who wait, and the next is asked again', async () => {
    const { remember, questions, names } = watched(60_000);
    const asked = ['k1', 'k2'].map((name) => remember.find(name));
    questions[0]?.fail();
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = remember.find('k2');
    questions[1]?.answer();
    expect(await again).toBe('the k2');
    expect(names()).toEqual([['k1'], ['k2']]);
  });
});

describe('forgetting', () => {
  it('holds for an answer that is on its way', async () => {
    const { remember, questions, names } = watched(60_000);
    const before = remember.find('k1');
    remember.forget('k1');
    const after = remember.find('k1');
    questions[0]?.answer();
    expect(await before).toBe('the k1');
    await expect.poll(names).toEqual([['k1'], ['k1']]);
    questions[1]?.answer();
    expect(await after).toBe('the k1');
    expect(remember.find('k1')).toBe('the k1');
  });
});
