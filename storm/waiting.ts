/** Waits that have an end. */
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** True when the condition came in time. An error while looking counts as not yet: the store may be away. */
export async function until(look: () => boolean | Promise<boolean>, withinMs: number, everyMs = 50): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await Promise.resolve(look()).catch(() => false)) return true;
    if (performance.now() > deadline) return false;
    await sleep(everyMs);
  }
}

/** How long it took for a condition to come; null when it did not. */
export async function timeUntil(
  look: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 50,
): Promise<number | null> {
  const began = performance.now();
  return (await until(look, withinMs, everyMs)) ? Math.round(performance.now() - began) : null;
}

export async function within<Result>(ms: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const timer = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what} took longer than ${ms} ms`);
  });
  return Promise.race([work, timer]).finally(() => {
    late.abort();
    timer.catch(() => {});
  });
}
