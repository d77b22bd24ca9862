/** Asks again and again for as long as it is wanted, also in a tab that is hidden, and never twice at once. */

/**
 * Calls `act` now and `everyMs` after each answer, until the signal ends it. What it throws is left to `act` to show: the next
 * time may be better.
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
    if (!signal.aborted) timer = setTimeout(turn, everyMs);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  turn();
  return turn;
}
