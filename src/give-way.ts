/** Lets other requests have their turn while large ones are worked through, however many of these there are. */

/**
 * Of a turn of the event loop, for all large requests together: a hundred at once have a millisecond of work each. To be read, stored
 * and answered, a small one takes four turns or so.
 */
const TURN_MS = 2;

interface Turn {
  began: number;
  over: Promise<void>;
}

/** First come, first served; at most one for each request in hand. */
const waiting: (() => void)[] = [];
let turn: Turn | null = null;
let isGoing = false;

/** To be awaited before each piece of the work. A piece has to be short, and done without waiting for anything. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isGoing) void goOn();
  });
}

async function goOn(): Promise<void> {
  isGoing = true;
  while (waiting.length > 0) {
    turn ??= newTurn();
    if (performance.now() - turn.began >= TURN_MS) {
      await turn.over;
      continue;
    }
    waiting.shift()?.();
    // Whoever was let go on does its piece now.
    await undefined;
  }
  isGoing = false;
}

function newTurn(): Turn {
  const over = new Promise<void>((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return { began: performance.now(), over };
}
