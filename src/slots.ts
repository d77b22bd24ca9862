/** So many at once, shared fairly among tenants: who has least is next, and nobody takes the last one beside others. */

interface Waiting {
  enter(): void;
  moved(): void;
}

/** What a tenant has, and who waits in its name, in order. */
interface Share {
  inHand: number;
  line: Waiting[];
}

export interface Wait {
  signal: AbortSignal;
  /** Before the others of the same tenant: it had a slot already, and comes again. */
  isBack?: boolean;
  /** Called whenever somebody else has given a slot back: the line moves. */
  onMoved?: () => void;
}

/** So long after another tenant has asked for the last time, a tenant is alone and may have all of them. */
const ALONE_MS = 60_000;

export interface SlotsOptions {
  /** Whether the last one is left for who has none. Where a slot is held for a moment only, it need not be. */
  keepsOne?: boolean;
}

export class Slots {
  #free: number;
  readonly #keepsOne: boolean;
  /** Tenants that have some or wait; whoever got one or gave one back last is at the end. */
  readonly #shares = new Map<string, Share>();
  /** When the last two tenants asked that did: one of them is another, whoever asks. */
  readonly #asked = new Map<string, number>();

  constructor(atOnce: number, { keepsOne = true }: SlotsOptions = {}) {
    this.#free = atOnce;
    this.#keepsOne = keepsOne;
  }

  get waiting(): number {
    let waiting = 0;
    for (const { line } of this.#shares.values()) waiting += line.length;
    return waiting;
  }

  /** Whoever has taken one gives it back. */
  async take(tenant: string, { signal, isBack = false, onMoved: moved = () => {} }: Wait): Promise<void> {
    signal.throwIfAborted();
    this.#noteAsked(tenant);
    const share = this.#shares.get(tenant) ?? { inHand: 0, line: [] };
    this.#shares.set(tenant, share);
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>();
    const me = { enter, moved };
    if (isBack) share.line.unshift(me);
    else share.line.push(me);
    const leave = () => {
      const place = share.line.indexOf(me);
      if (place < 0) return;
      share.line.splice(place, 1);
      this.#forgetIfIdle(tenant, share);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#fill();
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  giveBack(tenant: string): void {
    const share = this.#shares.get(tenant);
    if (!share) return;
    share.inHand--;
    this.#free++;
    this.#putLast(tenant, share);
    this.#fill();
    this.#forgetIfIdle(tenant, share);
    for (const { line } of this.#shares.values()) for (const { moved } of line) moved();
  }

  #fill(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      const [tenant, share] = next;
      this.#free--;
      share.inHand++;
      this.#putLast(tenant, share);
      share.line.shift()?.enter();
    }
  }

  #putLast(tenant: string, share: Share): void {
    this.#shares.delete(tenant);
    this.#shares.set(tenant, share);
  }

  /** Of those who wait, the one that has least; of several, the one that was served longest ago. */
  #next(): [string, Share] | null {
    let next: [string, Share] | null = null;
    for (const [tenant, share] of this.#shares) {
      if (share.line.length === 0 || (next && next[1].inHand <= share.inHand)) continue;
      // The last one is for somebody who has none: else who comes next would wait for what is slow already.
      const isForAll = !this.#keepsOne || this.#free > 1;
      if (isForAll || share.inHand === 0 || this.#isAlone(tenant)) next = [tenant, share];
    }
    return next;
  }

  #noteAsked(tenant: string): void {
    this.#asked.delete(tenant);
    this.#asked.set(tenant, performance.now());
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > 2 && oldest !== undefined) this.#asked.delete(oldest);
  }

  #isAlone(tenant: string): boolean {
    const since = performance.now() - ALONE_MS;
    for (const [other, at] of this.#asked) if (other !== tenant && at > since) return false;
    return true;
  }

  #forgetIfIdle(tenant: string, { inHand, line }: Share): void {
    if (inHand === 0 && line.length === 0) this.#shares.delete(tenant);
  }
}
