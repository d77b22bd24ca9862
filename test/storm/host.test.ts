/** What the host takes from the machine, from the kernel's own count. */
import { describe, expect, it } from 'vitest';
import { mayBeLate, mostTaken, shareTaken, ticksOf } from '../../storm/host.ts';
import { markOf } from '../../storm/report.ts';

const stat = (user: number, idle: number, stolen: number) =>
  `cpu  ${user} 10 20 ${idle} 40 0 5 ${stolen} 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\nctxt 99\n`;

describe('what the host took', () => {
  it('is a share of what the machine wanted, whatever it idled', () => {
    expect(shareTaken(ticksOf(stat(100, 7, 50)), ticksOf(stat(400, 7000, 150)))).toBeCloseTo(0.25);
  });

  it('is nothing where nothing was wanted, or where nobody counts', () => {
    expect(shareTaken(ticksOf(stat(100, 7, 50)), ticksOf(stat(100, 9, 50)))).toBe(0);
    expect(shareTaken(ticksOf(''), ticksOf('intr 5'))).toBe(0);
  });
});

describe('the most that the host took', () => {
  /** A look each five seconds, with what it took since the one before, of 100. */
  const looks = (...taken: number[]) => {
    const all = [{ had: 0, stolen: 0 }];
    for (const some of taken) {
      const { had, stolen } = all.at(-1) as (typeof all)[number];
      all.push({ had: had + 100 - some, stolen: stolen + some });
    }
    return all;
  };

  it('is that of its worst half minute', () => {
    expect(mostTaken(looks(...Array(60).fill(0), ...Array(6).fill(60), ...Array(60).fill(0)))).toBeCloseTo(0.6);
    expect(mostTaken(looks(...Array(60).fill(0), 60, ...Array(60).fill(0)))).toBeCloseTo(0.1);
  });

  it('is that of all, where it was less than half a minute', () => {
    expect(mostTaken(looks(10, 50))).toBeCloseTo(0.3);
    expect(mostTaken(looks())).toBe(0);
  });
});

describe('what went wrong', () => {
  it.each([
    'p99 went from 500 to 1501 ms, at best in 3 rounds',
    'it took 12000 ms to end',
    'a tenant could not be made: 503 {}',
    'the bystander was answered 503 2 times',
  ])('may come of a slow machine: %s', (complaint) => {
    expect(mayBeLate(['', complaint])).toBe(true);
  });

  it.each([
    '3 answers that were neither 202 nor 503, the first 500',
    '/api/health of a replica is 500: {}',
    'it ended with 1',
    'the service ended',
    '4 requests had no answer at all',
    '2 changes were answered amiss, the first 404',
    '1 idempotency keys were forgotten',
    'the bystander was answered 502 2 times',
  ])('is wrong on any: %s', (complaint) => {
    expect(mayBeLate(['it took 12000 ms to end', complaint])).toBe(false);
  });
});

describe('an attempt that is made again', () => {
  it.each(['passed', 'failed', 'void'] as const)('is not counted by the gate when it %s', (judgement) => {
    expect(markOf(judgement)).toMatch(/^[✓✗]/);
    expect(markOf(judgement, true)).not.toMatch(/^[✓✗]/);
  });
});
