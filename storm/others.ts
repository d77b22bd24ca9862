/** Whether others noticed a fault: their p99 while it lasts, against that of just before. */

export interface Compared {
  before: number;
  during: number;
}

const MAX_RATIO = 2;
/** Below this a ratio of two latencies is noise of the machine. */
const FLOOR_MS = 50;
/** One hiccup of the machine decides the p99 of a few seconds; what the fault does comes back each time. */
const MAX_ROUNDS = 3;

const isCalm = ({ before, during }: Compared) => during <= Math.max(MAX_RATIO * before, FLOOR_MS);

/** Again when others noticed something; the round in which they noticed least counts. */
export async function repeatedly<Round extends Compared>(measure: () => Promise<Round>) {
  let best = await measure();
  let rounds = 1;
  for (; !isCalm(best) && rounds < MAX_ROUNDS; rounds++) {
    const next = await measure();
    if (next.during / next.before < best.during / best.before) best = next;
  }
  return { best, rounds, isCalm: isCalm(best) };
}
