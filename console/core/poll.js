/** Asks again and again for as long as it is wanted and somebody looks, and never twice at once. */

/**
 * Calls `act` now and `everyMs` after each answer, until the signal ends it; not in a tab that is hidden, and at once when it is
 * seen again. What it throws is left to `act` to show: the next time may be better.
 */
export function poll(act, everyMs, signal) {
  let timer;
  let isAsking = false;
  const turn = async () => {
    clearTimeout(timer);
    if (signal.aborted || isAsking) return;
    isAsking = true;
    await Promise.resolve(act()).catch(() => {});
    isAsking = false;
    if (!signal.aborted && !document.hidden) timer = setTimeout(turn, everyMs);
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : turn()), { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  turn();
  return turn;
}
