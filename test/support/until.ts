/** Waits for a condition, and says what it saw last when it does not come. */
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 20;
/** Met only when it does not come at all: on a busy machine what takes a second may take twenty. */
const HANGS_MS = 180_000;

export async function until<Seen>(
  look: () => Seen | Promise<Seen>,
  isThere: (seen: Seen) => boolean,
  withinMs = HANGS_MS,
  everyMs = EVERY_MS,
): Promise<Seen> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    if (performance.now() > deadline) throw new Error(`it did not come: ${JSON.stringify(seen)}`);
    await sleep(everyMs);
  }
}
