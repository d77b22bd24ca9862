/** Waits for something no longer than one may wait for it. */

/** What it comes to, or `late` when time is up: then it goes on unheard. */
export function within<Result, Late>(ms: number, work: Promise<Result>, late: Late): Promise<Result | Late> {
  const { promise: outOfTime, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(resolve, ms, late);
  return Promise.race([work, outOfTime]).finally(() => clearTimeout(timer));
}
