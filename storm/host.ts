/** What the host of this machine takes from it: what came too late while it took much says little about the service. */
import { readFileSync } from 'node:fs';
import { say } from './report.ts';
import { sleep } from './waiting.ts';

/** Of what the machine wanted in half a minute. A full one here misses a tenth at ordinary times. */
const MUCH = 0.25;
const LOOK_MS = 5000;
const LOOKS_IN_HALF_A_MINUTE = 6;
const PAUSE_MS = 60_000;
/** For all repetitions of one run together, from its beginning. */
const PATIENCE_MS = 10 * 60_000;

const began = performance.now();

interface Ticks {
  had: number;
  stolen: number;
}

/** Nothing is stolen where nobody counts it. */
export function ticksOf(stat: string): Ticks {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] =
    /^cpu +([\d ]+)/.exec(stat)?.[1]?.split(' ').map(Number) ?? [];
  return { had: user + nice + system + irq + softirq, stolen };
}

export function shareTaken(from: Ticks, to: Ticks): number {
  const stolen = to.stolen - from.stolen;
  return stolen > 0 ? stolen / (to.had - from.had + stolen) : 0;
}

/** In the half minute in which it took most: what it took then made something late, however little it took in the rest of an hour. */
export function mostTaken(looks: Ticks[]): number {
  const shares = looks.map((to, n) => shareTaken(looks[Math.max(0, n - LOOKS_IN_HALF_A_MINUTE)] as Ticks, to));
  return Math.max(0, ...shares.slice(Math.min(LOOKS_IN_HALF_A_MINUTE, looks.length - 1)));
}

function ticks(): Ticks {
  try {
    return ticksOf(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return { had: 0, stolen: 0 };
  }
}

/** What is wrong however slow a machine is: a refusal that is none, a process that ended, something lost. */
const NEVER_LATE =
  /\b(?:is|first|answered) (?:4\d\d|50[0-2])\b|ended (?:with|by)|service ended|no answer at all|amiss|forgotten|crashed|memory/;
export const mayBeLate = (complaints: string[]) => !complaints.some((complaint) => NEVER_LATE.test(complaint));

/**
 * Tries again, after a pause, what came too late while the host took much; neither what came too late by itself, nor what
 * is wrong on any machine. What is tried again is given to `onDiscarded` first.
 */
export async function undisturbed<Result>(
  what: string,
  attempt: () => Promise<Result>,
  wasLate: (result: Result) => boolean,
  onDiscarded: (result: Result) => void,
): Promise<Result> {
  for (;;) {
    const looks = [ticks()];
    const looking = setInterval(() => looks.push(ticks()), LOOK_MS);
    const result = await attempt().finally(() => clearInterval(looking));
    const taken = mostTaken([...looks, ticks()]);
    if (!wasLate(result) || taken < MUCH || performance.now() - began > PATIENCE_MS) return result;
    say(
      `  … ${what} was late, and the host took ${(taken * 100).toFixed(0)} % of the machine for half a minute: again in a minute`,
    );
    onDiscarded(result);
    await sleep(PAUSE_MS);
  }
}
