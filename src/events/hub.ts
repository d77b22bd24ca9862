/** Hands what the tail reads to every stream of this process, and brings those who resume up to it. */
import { type Frame, laneOf } from './frames.ts';
import { type Filter, matches, type Page, type Past } from './past.ts';

/** Whoever is sent to. */
export interface Recipient {
  /** Does not wait: one that is too slow is the recipient's own affair. */
  send(text: string | Buffer): void;
  /** Waits until there is room; false when nobody is there any more. */
  sendPatiently(text: string): Promise<boolean>;
  /** Aborted as soon as nobody is there any more. */
  gone: AbortSignal;
}

/** What was sent last is kept for a while, so that those who reconnect cost the database nothing. */
const MAX_KEPT = 10_000;
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
const PAGE = 500;
/** Whoever was cut off is back in less: what it has missed is kept for it so long, though nobody hears of it now. */
const AWAY_MS = 60_000;

interface Subscriber {
  filter: Filter;
  /** What it has seen already, elsewhere: another node may be ahead of this one. */
  after: number;
  recipient: Recipient;
}

export interface HubOptions {
  /** Told whenever somebody has come. */
  onHeard?: () => void;
  awayMs?: number;
  /** Whether others want to hear of what the tail reads, though they have no stream. */
  isAwaited?: () => boolean;
}

export class Hub {
  readonly #past: Past;
  readonly #onHeard: () => void;
  readonly #awayMs: number;
  readonly #isAwaited: () => boolean;
  #leftAt = Number.NEGATIVE_INFINITY;
  #kept: Frame[] = [];
  #characters = 0;
  /** Everything after this is in hand. */
  #keptAfter: number;
  #position: number;
  /** By lane; those who want everything by null. */
  readonly #subscribers = new Map<string | null, Set<Subscriber>>();

  constructor(position: number, past: Past, options: HubOptions = {}) {
    const { onHeard = () => {}, awayMs = AWAY_MS, isAwaited = () => false } = options;
    this.#position = position;
    this.#keptAfter = position;
    this.#past = past;
    this.#onHeard = onHeard;
    this.#awayMs = awayMs;
    this.#isAwaited = isAwaited;
  }

  /** Whether somebody hears of what is published, or did until a moment ago. */
  get isHeard(): boolean {
    return this.#isFollowed || this.#isAwaited();
  }

  /** Whether a stream is open, or was until a moment ago: then the position is that of the tail. */
  get #isFollowed(): boolean {
    return this.#subscribers.size > 0 || performance.now() - this.#leftAt < this.#awayMs;
  }

  /** Goes on to the newest event without having what lies between published, unless somebody has come meanwhile. */
  skipTo(newest: number): void {
    if (this.isHeard || newest <= this.#position) return;
    this.#position = newest;
    this.#keptAfter = newest;
    this.#kept = [];
    this.#characters = 0;
  }

  /** The newest event that was published: whoever is up to date has seen all up to here that it wants. */
  get position(): number {
    return this.#position;
  }

  publish(published: Frame[]): void {
    // What was read while this skipped to the newest is no news.
    const frames = published.filter(({ id }) => id > this.#position);
    const last = frames.at(-1);
    if (!last) return;
    const byLane = new Map<string, Frame[]>();
    for (const frame of frames) {
      this.#kept.push(frame);
      this.#characters += frame.text.length;
      if (frame.lane === null || !this.#subscribers.has(frame.lane)) continue;
      const others = byLane.get(frame.lane);
      if (others) others.push(frame);
      else byLane.set(frame.lane, [frame]);
    }
    this.#position = last.id;
    this.#deliver(null, frames);
    for (const [lane, its] of byLane) this.#deliver(lane, its);
    this.#forget();
  }

  /** In one piece, which is the same for all who want everything: writing each event to each stream cost most of all. */
  #deliver(lane: string | null, frames: Frame[]): void {
    const first = (frames[0] as Frame).id;
    let all: Buffer | null = null;
    for (const { filter, after, recipient } of this.#subscribers.get(lane) ?? []) {
      if (!filter.types && after < first) {
        all ??= Buffer.from(frames.map(({ text }) => text).join(''));
        recipient.send(all);
        continue;
      }
      const wanted = frames.filter(({ id, type }) => id > after && (!filter.types || filter.types.has(type)));
      if (wanted.length > 0) recipient.send(wanted.map(({ text }) => text).join(''));
    }
  }

  #forget(): void {
    let gone = 0;
    while (this.#kept.length - gone > MAX_KEPT || this.#characters > MAX_KEPT_CHARACTERS) {
      const frame = this.#kept[gone++] as Frame;
      this.#characters -= frame.text.length;
      this.#keptAfter = frame.id;
    }
    if (gone > 0) this.#kept = this.#kept.slice(gone);
  }

  /** Whether an id was given by this log at all; one from the future was not. */
  async knows(id: number): Promise<boolean> {
    return id <= this.#position || id <= (await this.#past.newest());
  }

  /**
   * From now on, or from after an id on: nothing is missed and nothing comes twice. Resolves when the recipient is up to
   * date and hears of what is new, or has gone. To end it, call what is returned. Throws when the recipient has gone before
   * its turn to read the log came, or when the log cannot be read.
   */
  async subscribe(filter: Filter, after: number | null, recipient: Recipient): Promise<() => void> {
    let at = after ?? (this.#isFollowed ? this.#position : await this.#newest());
    while (at < this.#position) {
      const isKept = at >= this.#keptAfter;
      const page = isKept ? this.#keptPage(filter, at) : await this.#pastPage(filter, at, recipient.gone);
      for (const text of page.texts) if (!(await recipient.sendPatiently(text))) return () => {};
      at = page.at;
    }
    // In the same breath as the last look at the position: nothing can be published in between.
    return this.#join({ filter, after: at, recipient });
  }

  /** For one who begins now and is the first: the position may be that of a second ago, and what came since is no news. */
  async #newest(): Promise<number> {
    const newest = await this.#past.newest();
    this.skipTo(newest);
    return newest;
  }

  #join(subscriber: Subscriber): () => void {
    const { scope } = subscriber.filter;
    const lane = scope && laneOf(scope.tenantId, scope.scopeId);
    const others = this.#subscribers.get(lane) ?? new Set();
    this.#subscribers.set(lane, others.add(subscriber));
    this.#onHeard();
    return () => {
      others.delete(subscriber);
      this.#leftAt = performance.now();
      if (others.size === 0 && this.#subscribers.get(lane) === others) this.#subscribers.delete(lane);
    };
  }

  /** From the log. One that found nothing says how far it got: cut off, its reader goes on from there. */
  async #pastPage(filter: Filter, after: number, gone: AbortSignal): Promise<Page> {
    const { texts, at } = await this.#past.page(filter, after, () => this.#keptAfter, gone);
    return { texts: texts.length > 0 ? texts : [`id: ${at}\n: nothing up to here\n\n`], at };
  }

  /** From what is in hand. */
  #keptPage(filter: Filter, after: number): Page {
    const from = this.#kept.findIndex(({ id }) => id > after);
    const frames = this.#kept.slice(from, from + PAGE);
    const texts = frames.filter((frame) => matches(filter, frame)).map(({ text }) => text);
    return { texts, at: frames.at(-1)?.id ?? this.#position };
  }
}
