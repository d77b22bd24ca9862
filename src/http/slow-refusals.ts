/**
 * Refusals that whoever loops would only ask for again are held back for a moment: then a loop costs us a few answers a second
 * for each connection, and not all that we have.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Buckets } from '../domain/buckets.ts';
import type { ErrorCode } from '../errors.ts';

const HELD_MS = 250;
/** A held answer is small, but it is held. Beyond so many, the others are answered at once. */
const HELD_MOST = 5000;
/** A mistake is answered at once, as long as there are no more of them than people make. */
const MISTAKES = { perSecond: 10, atOnce: 20 };

export class SlowRefusals {
  readonly #mistakes = new Buckets();
  #held = 0;

  /** Null for what is answered at once. */
  hold(code: ErrorCode): Promise<void> | null {
    const isHeld =
      code === 'too_many_requests' || (code === 'unauthorized' && this.#mistakes.take(code, MISTAKES, 1) > 0);
    if (!isHeld || this.#held >= HELD_MOST) return null;
    this.#held++;
    return sleep(HELD_MS).finally(() => this.#held--);
  }
}
