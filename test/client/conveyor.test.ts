/** The conveyor by itself: order, bounds, and what becomes of it when somebody stops. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Conveyor, type Limits } from '../../client/src/conveyor.ts';

const limits: Limits = { window: 10, batchLines: 4, batchCharacters: 100 };

/** Answers each line with itself, after a turn; notes the batches. */
function newConveyor(source: AsyncIterable<number> | Iterable<number>, options: Partial<Limits> = {}) {
  const batches: string[][] = [];
  const conveyor = new Conveyor<number, string>(source, {
    encode: (n) => String(n),
    async *send(lines) {
      batches.push(lines);
      for (const line of lines) {
        await turn();
        yield line;
      }
    },
    limits: { ...limits, ...options },
  });
  return { conveyor, batches };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Counts on for as long as somebody takes more, and tells when it was ended. */
function endless() {
  let isEnded = false;
  const source = (function* () {
    try {
      for (let n = 1; ; n++) yield n;
    } finally {
      isEnded = true;
    }
  })();
  return { source, wasEnded: () => isEnded };
}

async function taken(answers: AsyncIterable<string>): Promise<number[]> {
  const all: number[] = [];
  for await (const answer of answers) all.push(Number(answer));
  return all;
}

describe('what is on its way', () => {
  it('is answered in order, in batches that are no larger than they may be', async () => {
    const { conveyor, batches } = newConveyor(numbers(1, 100));
    expect(await taken(conveyor.answers(undefined))).toEqual(numbers(1, 100));
    expect(batches.flat()).toHaveLength(100);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(4);
  });

  it('is never more than the window, also when nobody takes the answers', async () => {
    let pulled = 0;
    const { conveyor } = newConveyor(
      (function* () {
        for (;;) yield ++pulled;
      })(),
    );
    const answers = conveyor.answers(undefined);
    for (const n of numbers(1, 50)) {
      expect((await answers.next()).value).toBe(String(n));
      for (let i = 0; i < 20; i++) await turn();
      // The one that was just given counts until the next is asked for.
      expect(pulled).toBe(n - 1 + limits.window);
    }
    await answers.return(undefined);
  });

  it('is no more than so many characters, and one that is longer goes alone', async () => {
    const { conveyor, batches } = newConveyor([1, 22222, 3, 4, 5], { batchCharacters: 3 });
    expect(await taken(conveyor.answers(undefined))).toEqual([1, 22222, 3, 4, 5]);
    for (const batch of batches) expect(batch.length === 1 || batch.join('').length <= 3).toBe(true);
  });

  it('does not wait until a batch is full', async () => {
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { conveyor } = newConveyor(
      (async function* () {
        yield 1;
        await gate;
        yield 2;
      })(),
    );
    const answers = conveyor.answers(undefined);
    expect((await answers.next()).value).toBe('1');
    letGo();
    expect(await taken(answers)).toEqual([2]);
  });
});

describe('when somebody stops', () => {
  it('gives what was answered before an error of the source, and then throws it', async () => {
    const { conveyor } = newConveyor(
      (function* () {
        yield* [1, 2, 3];
        throw new Error('no more');
      })(),
    );
    const seen: string[] = [];
    const reading = (async () => {
      for await (const answer of conveyor.answers(undefined)) seen.push(answer);
    })();
    await expect(reading).rejects.toThrow('no more');
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('gives what was answered before a line that cannot be sent, and ends the source', async () => {
    const { source, wasEnded } = endless();
    const conveyor = new Conveyor<number, string>(source, {
      encode: (n) => {
        if (n === 3) throw new Error('no line');
        return String(n);
      },
      async *send(lines) {
        yield* lines;
      },
      limits,
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const answer of conveyor.answers(undefined)) seen.push(answer);
    })();
    await expect(reading).rejects.toThrow('no line');
    expect([seen, wasEnded()]).toEqual([['1', '2'], true]);
  });

  it('leaves a source alone that has ended by itself', async () => {
    let returns = 0;
    const left = [1, 2];
    const next = (): IteratorResult<number> => {
      const value = left.shift();
      return value === undefined ? { done: true, value } : { done: false, value };
    };
    const iterator = {
      next,
      return: (): IteratorResult<number> => {
        returns++;
        return { done: true, value: undefined };
      },
    };
    const { conveyor } = newConveyor({ [Symbol.iterator]: () => iterator });
    expect(await taken(conveyor.answers(undefined))).toEqual([1, 2]);
    expect(returns).toBe(0);
  });

  it('throws what sending failed with, and ends the source', async () => {
    const { source, wasEnded } = endless();
    const conveyor = new Conveyor<number, string>(source, {
      encode: String,
      // biome-ignore lint/correctness/useYield: it fails before.
      async *send() {
        throw new Error('refused');
      },
      limits,
    });
    await expect(taken(conveyor.answers(undefined))).rejects.toThrow('refused');
    expect(wasEnded()).toBe(true);
  });

  it('ends the source and what is being sent when nobody takes more', async () => {
    let isEnded = false;
    let sending: AbortSignal | undefined;
    const source = (async function* () {
      try {
        for (let n = 1; ; n++) yield n;
      } finally {
        isEnded = true;
      }
    })();
    const conveyor = new Conveyor<number, string>(source, {
      encode: String,
      async *send(lines, signal) {
        sending = signal;
        yield* lines;
      },
      limits,
    });
    for await (const answer of conveyor.answers(undefined)) if (answer === '20') break;
    await expect.poll(() => [isEnded, sending?.aborted]).toEqual([true, true]);
  });

  it('ends with its signal, also while the source waits for something that never comes', async () => {
    const giving = new AbortController();
    const { conveyor } = newConveyor(
      (async function* () {
        yield 1;
        await new Promise(() => {});
      })(),
    );
    const answers = conveyor.answers(giving.signal);
    expect((await answers.next()).value).toBe('1');
    setTimeout(() => giving.abort(new Error('enough')), 10);
    await expect(answers.next()).rejects.toThrow('enough');
    await expect(taken(newConveyor([1]).conveyor.answers(giving.signal))).rejects.toThrow('enough');
  });
});
