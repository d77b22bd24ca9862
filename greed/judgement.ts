/** What is asked of a service under attack, and whether a row of the table says so. Pure. */
import type { Backend } from '../storm/deployment.ts';
import type { Bites } from './attack.ts';
import type { Figures, Phase } from './figures.ts';
import type { Seen } from './watch.ts';

export interface Row {
  title: string;
  backend: Backend;
  before: Phase;
  during: Phase;
  seen: Seen;
  /** Of the service after full ordinary load. */
  ordinaryMb: number;
  bites: Bites;
  complaints: string[];
}

/** During the attack against before. */
const RATIOS: Figures = { p50: 3, p99: 5, processedP95: 5 };
export const MEMORY_RATIO = 2;
const HEALTH_MS = 1000;

/**
 * In the short form there are a few hundred posts, once, on a machine that may be doing something else, and the p99 is one
 * of the two slowest: what stays below these, in ms, is nobody's attack. The ratios are held against the long form alone.
 */
const SHORT_FLOORS: Figures = { p50: 40, p99: 300, processedP95: 2000 };
const NO_FLOORS: Figures = { p50: 0, p99: 0, processedP95: 0 };
export const floorsOf = (long: boolean) => (long ? NO_FLOORS : SHORT_FLOORS);

const WORDS: Record<keyof Figures, string> = {
  p50: 'p50 of accepting',
  p99: 'p99 of accepting',
  processedP95: 'p95 of time to processed',
};

export const ratioOf = ({ before, during }: Row, name: keyof Figures) => during[name] / before[name];
export const refusalsOf = ({ during }: Row) => Object.values(during.refused).reduce((sum, times) => sum + times, 0);
export const memoryRatioOf = ({ seen, ordinaryMb }: Row) => seen.memoryMb / ordinaryMb;

/** All that is wrong with it, in words. */
export function objections(row: Row, floors: Figures): string[] {
  const { before, during, seen, complaints } = row;
  const wrong = [...complaints];
  for (const name of Object.keys(RATIOS) as (keyof Figures)[])
    if (!(during[name] <= Math.max(RATIOS[name] * before[name], floors[name])))
      wrong.push(`${WORDS[name]} is ${ratioOf(row, name).toFixed(1)} times what it was, of ${RATIOS[name]}`);
  for (const [status, times] of Object.entries(during.refused))
    wrong.push(`the bystander was ${status === '0' ? 'not answered' : `answered ${status}`} ${times} times`);
  if (seen.ended) wrong.push(seen.ended);
  if (memoryRatioOf(row) > MEMORY_RATIO)
    wrong.push(`memory was ${memoryRatioOf(row).toFixed(1)} times that of full ordinary load, of ${MEMORY_RATIO}`);
  if (seen.healthMs > HEALTH_MS) wrong.push(`health answered after ${(seen.healthMs / 1000).toFixed(1)} s`);
  if (seen.unhealthy > 0) wrong.push(`health was not 200 for ${seen.unhealthy} times`);
  return wrong;
}

export type Verdict = 'passed' | 'failed' | 'void';

/** Void when something that was to happen never did: that counts as failed. */
export function judge(row: Row, floors: Figures): Verdict {
  if (objections(row, floors).length > 0) return 'failed';
  const bites = Object.values(row.bites);
  return bites.length > 0 && bites.every((times) => times > 0) ? 'passed' : 'void';
}
