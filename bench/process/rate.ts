/** Documents a second, seen from outside. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
/** Before a tenth is done it has just begun, and after the last twentieth it runs out of lanes. */
const FROM = 0.1;
const TO = 0.95;
/** Nothing takes that long to begin. */
const BEGIN_MS = 20_000;

export interface Counted {
  /** How many are done by now. */
  done: () => Promise<number>;
  total: number;
  longestS: number;
}

/** Between two looks: the first at a tenth or after a second, the last near the end or when time is up. */
export async function perSecond({ done, total, longestS }: Counted): Promise<number> {
  const look = async () => ({ at: performance.now(), n: await done() });
  const began = performance.now();
  let first = await look();
  while (first.n === 0 || (first.n < FROM * total && first.at - began < 1000)) {
    if (performance.now() - began > BEGIN_MS) throw new Error(`nothing was done in ${BEGIN_MS} ms`);
    await sleep(LOOK_EVERY_MS);
    first = await look();
  }
  let last = first;
  while (last.n < TO * total && last.at - first.at < longestS * 1000) {
    await sleep(LOOK_EVERY_MS);
    last = await look();
  }
  return (last.n - first.n) / ((last.at - first.at) / 1000);
}
