/** Lets other requests have their turn while a large one is worked through. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough that changing turns costs nothing to speak of, and short beside what an ordinary request takes. */
const TURN_MS = 5;

export class Turns {
  #began = performance.now();

  /** To be awaited between two pieces of the work, each of which has to be short by itself. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#began < TURN_MS) return;
    await nextTurn();
    this.#began = performance.now();
  }
}
