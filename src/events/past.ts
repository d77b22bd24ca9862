/** Reads the log back for those who resume: few at once, in turn by tenant, a bounded piece each, and a rest after it. */
import { Slots } from '../slots.ts';
import { type Filter, textFor } from './filter.ts';
import { type Frame, gapFrame } from './frames.ts';

/** The log, as far as those need it who resume. */
export interface Log {
  /** The newest id that was ever given. */
  newest(): Promise<number>;
  /** Looks at no more than `look` ids, from the first after one on, and returns at most `most` of what is wanted there. */
  read(filter: Filter, after: number, piece: { look: number; most: number }): Promise<Piece>;
}

export interface Piece {
  frames: Frame[];
  /** The last id that was looked at, whether there is such an event or not; null when there is nothing after. */
  upTo: number | null;
  /** The newest event that was trimmed away. */
  trimmed: number;
}

/** What comes next for one who resumes, and how far that goes. */
export interface Page {
  texts: string[];
  at: number;
}

/** A few milliseconds for Postgres, whatever is looked for: a rare type over a long log takes many turns, and not a long one. */
const LOOK = 5000;
/** What one who does not read on keeps in memory. */
const MOST = 500;

export class Past {
  readonly #log: Log;
  readonly #slots: Slots;

  constructor(log: Log, atOnce: number) {
    this.#log = log;
    this.#slots = new Slots(atOnce);
  }

  newest(): Promise<number> {
    return this.#log.newest();
  }

  /**
   * `committed`: an id up to which everything is committed. Whoever asks for 0 wants what is kept, whatever went before;
   * all others are told of a gap. Throws the signal's reason when the reader has gone before its turn came.
   */
  async page(filter: Filter, after: number, committed: () => number, gone: AbortSignal): Promise<Page> {
    // Operators share one turn; what they read is not any tenant's.
    const who = filter.scope?.tenantId ?? '';
    await this.#slots.take(who, { signal: gone });
    const began = performance.now();
    try {
      // Before it is read: what is committed later may be missing from the piece.
      const end = committed();
      const { frames, upTo, trimmed } = await this.#log.read(filter, after, { look: LOOK, most: MOST });
      const texts = frames.map((frame) => textFor(filter, frame)).filter((text) => text !== null);
      if (trimmed > after && after > 0) texts.unshift(gapFrame(after, trimmed));
      const last = frames.at(-1)?.id ?? after;
      const at = frames.length === MOST ? last : Math.max(last, Math.min(upTo ?? end, end));
      return { texts, at };
    } finally {
      // As long as the reading took, so that Postgres has half of the time for those who have not been away.
      setTimeout(() => this.#slots.giveBack(who), performance.now() - began).unref();
    }
  }
}
