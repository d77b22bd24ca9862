/** How fast documents are read: a core's share, how it grows with their length and with threads, and what a thread holds. */
import { ask, endChild, startChild } from '../parts/child.ts';
import { median, medianRatio, row, say } from '../parts/report.ts';
import { ROUNDS, SLICE_MS } from './sizes.ts';

interface Done {
  megabytesPerSecond: number;
  claims: number;
  rss: number;
}

const ORDINARY = 5000;
const LONG = 100_000;

const sides = {
  'one thread': [1, ORDINARY],
  'two threads': [2, ORDINARY],
  'one thread, documents of 100,000 characters': [1, LONG],
} as const;

export async function measureReading() {
  const rates: Record<string, number[]> = {};
  const rss: Record<string, number> = {};
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, [threads, characters]] of Object.entries(sides)) {
      const { child } = await startChild(new URL('reader.ts', import.meta.url), {
        args: [`${threads}`, `${characters}`],
      });
      // The first slices compile, on the other core: a service runs for days.
      await ask<Done>(child, 3 * SLICE_MS);
      const done = await ask<Done>(child, SLICE_MS);
      await endChild(child);
      rates[name] = [...(rates[name] ?? []), done.megabytesPerSecond];
      rss[name] = done.rss / 1e6;
      say(
        `round ${round}: ${name.padEnd(45)} ${done.megabytesPerSecond.toFixed(2)} MB/s, ${(done.rss / 1e6).toFixed(0)} MB resident`,
      );
    }
  }
  const [one, two, long] = Object.keys(sides).map((name) => rates[name] as number[]) as [number[], number[], number[]];
  const [rssOne = 0, rssTwo = 0] = Object.keys(sides).map((name) => rss[name] as number);
  const rows = [
    row('MB of text a second on one core, all stages', median(one), '≥', 1),
    row('two threads / one', medianRatio(two, one), '≥', 1.7),
    row('time per character, documents of 100,000 / of 5,000', 1 / medianRatio(long, one), '≤', 1.3),
    row('MB resident that another thread takes', rssTwo - rssOne, '≤', 200),
  ];
  return { rows, megabytesPerSecond: rates, residentMb: rss };
}
