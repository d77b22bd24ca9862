/** What a run came to, for people. */
import type { Break, FuzzReport } from './fuzz.ts';

const SHOWN = 20;

export function table({ tally }: FuzzReport): string {
  const lines = [...tally]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([route, statuses]) => {
      const sum = [...statuses.values()].reduce((all, n) => all + n, 0);
      const list = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}×${n}`);
      return `${route.padEnd(62)} ${String(sum).padStart(7)}  ${list.join(' ')}`;
    });
  return lines.join('\n');
}

export function count5xx({ tally }: FuzzReport): number {
  let sum = 0;
  for (const statuses of tally.values()) for (const [status, n] of statuses) if (status >= 500) sum += n;
  return sum;
}

/** Each kind of break once, with how often it came. */
export function describeBreaks({ breaks, seed }: FuzzReport): string {
  const kinds = Map.groupBy(breaks, ({ route, what }) => `${route}: ${what.slice(0, 60)}`);
  return [...kinds.values()]
    .slice(0, SHOWN)
    .map((same) => describe(same[0] as Break, same.length, seed))
    .join('\n\n');
}

const describe = ({ index, route, changes, what, curl }: Break, times: number, seed: number) =>
  [
    `${route} (${times}×): ${what}`,
    `  done to it: ${changes.join('; ') || 'nothing'} (seed ${seed}, request ${index})`,
    `  ${curl}`,
  ].join('\n');
