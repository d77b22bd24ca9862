/**
 * Refusals that whoever loops would only ask for again are held back for a moment: then a loop costs us a few answers a second
 * for each connection, and not all that we have.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Buckets } from '../domain/buckets.ts';
import type { ErrorCode } from '../errors.ts';

const HELD_MS = 250;
/** What is refused before it was read has to be read all the same, or the client would not hear of it: at this pace. */
const UNREAD_BYTES_PER_MS = 4000;
const MAX_HELD_MS = 5000;
/** A held answer is small, but it is held. Beyond so many, the others are answered at once. */
const MAX_HELD = 5000;
/** A mistake is answered at once, as long as there are no more of them than people and their tools make. */
const MISTAKES = { perSecond: 100, atOnce: 200 };

export class SlowRefusals {
  readonly #mistakes = new Buckets();
  #held = 0;

  /** Null for what is answered at once. */
  hold(code: ErrorCode, bodyBytes = 0): Promise<void> | null {
    const isHeld =
      code === 'too_many_requests' || (code === 'unauthorized' && this.#mistakes.take(code, MISTAKES, 1) > 0);
    if (!isHeld || this.#held >= MAX_HELD) return null;
    this.#held++;
    return sleep(Math.min(MAX_HELD_MS, HELD_MS + bodyBytes / UNREAD_BYTES_PER_MS)).finally(() => this.#held--);
  }
}
