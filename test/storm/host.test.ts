/** What the host takes from the machine, from the kernel's own count. */
import { describe, expect, it } from 'vitest';
import { shareTaken, ticksOf } from '../../storm/host.ts';

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
