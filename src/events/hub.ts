/** Hands what the tail reads to every stream of this process, and brings those who resume up to it. */
import { type Filter, placeOf, textFor, wantsAll } from './filter.ts';
import type { Frame } from './frames.ts';
import type { Page, Past } from './past.ts';

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
/** Of what operators are sent; what tenants are sent may be kept beside it. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024;
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
  /** By the place where they hear: one look for a frame, however many there are in other places. */
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
    const byPlace = new Map<string, Frame[]>();
    const tell = (place: string | null, frame: Frame) => {
      if (place === null || !this.#subscribers.has(place)) return;
      const others = byPlace.get(place);
      if (others) others.push(frame);
      else byPlace.set(place, [frame]);
    };
    for (const frame of frames) {
      this.#kept.push(frame);
      this.#characters += frame.text.length;
      tell(frame.lane, frame);
      tell(frame.tenantId, frame);
    }
    this.#position = last.id;
    this.#deliver(null, frames);
    for (const [place, its] of byPlace) this.#deliver(place, its);
    this.#forget();
  }

  /** In one piece, which is the same for all who want everything: writing each event to each stream cost most of all. */
  #deliver(place: string | null, frames: Frame[]): void {
    const first = (frames[0] as Frame).id;
    const whole = new Whole(frames);
    for (const { filter, after, recipient } of this.#subscribers.get(place) ?? []) {
      const isWhole = wantsAll(filter) && after < first;
      const text = isWhole ? whole.for(filter) : textOf(filter, after < first ? frames : since(after, frames));
      if (text.length > 0) recipient.send(text);
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
   * From after an id on, which for now is `newest`: nothing is missed and nothing comes twice. Resolves when the recipient is up to
   * date and hears of what is new, or has gone. To end it, call what is returned. Throws when the recipient has gone before
   * its turn to read the log came, or when the log cannot be read.
   */
  async subscribe(filter: Filter, after: number, recipient: Recipient): Promise<() => void> {
    let at = after;
    while (at < this.#position) {
      const isKept = at >= this.#keptAfter;
      const page = isKept ? this.#keptPage(filter, at) : await this.#pastPage(filter, at, recipient.gone);
      for (const text of page.texts) if (!(await recipient.sendPatiently(text))) return () => {};
      at = page.at;
    }
    // In the same breath as the last look at the position: nothing can be published in between.
    return this.#join({ filter, after: at, recipient });
  }

  /** Where one begins now. For the first, the position may be that of a second ago, and what came since is no news. */
  async newest(): Promise<number> {
    if (this.#isFollowed) return this.#position;
    const newest = await this.#past.newest();
    this.skipTo(newest);
    return newest;
  }

  #join(subscriber: Subscriber): () => void {
    const place = placeOf(subscriber.filter);
    const others = this.#subscribers.get(place) ?? new Set();
    this.#subscribers.set(place, others.add(subscriber));
    this.#onHeard();
    return () => {
      others.delete(subscriber);
      this.#leftAt = performance.now();
      if (others.size === 0 && this.#subscribers.get(place) === others) this.#subscribers.delete(place);
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
    const texts = frames.map((frame) => textFor(filter, frame)).filter((text) => text !== null);
    return { texts, at: frames.at(-1)?.id ?? this.#position };
  }
}

/** What all in one place are sent who want everything there, in either form: made for the first of them. */
class Whole {
  readonly #frames: Frame[];
  readonly #made = new Map<boolean, Buffer>();

  constructor(frames: Frame[]) {
    this.#frames = frames;
  }

  for({ isForTenant = false }: Filter): Buffer {
    const made =
      this.#made.get(isForTenant) ?? Buffer.from(textOf({ scope: null, types: null, isForTenant }, this.#frames));
    this.#made.set(isForTenant, made);
    return made;
  }
}

const since = (after: number, frames: Frame[]) => frames.filter(({ id }) => id > after);
const textOf = (filter: Filter, frames: Frame[]) => frames.map((frame) => textFor(filter, frame) ?? '').join('');
