/** Lets other requests have their turn while large ones are worked through, however many of these there are. */

/** Of a turn of the event loop, for all large requests: nothing beside a hundred at once of a millisecond each. */
const TURN_MS = 5;

/** Those that go on in the next turn, first come, first served; at most one for each request in hand. */
const waiting: (() => void)[] = [];
let began: number | null = null;

/** To be awaited between two pieces of the work, each of which has to be short by itself. */
export function giveWay(): Promise<void> | undefined {
  if (began === null) {
    began = performance.now();
    setImmediate(goOn);
  } else if (waiting.length > 0 || performance.now() - began >= TURN_MS) {
    return new Promise((resolve) => waiting.push(resolve));
  }
  return undefined;
}

async function goOn(): Promise<void> {
  began = performance.now();
  while (waiting.length > 0 && performance.now() - began < TURN_MS) {
    waiting.shift()?.();
    // Whoever was let go on does its piece now.
    await undefined;
  }
  if (waiting.length > 0) setImmediate(goOn);
  else began = null;
}
