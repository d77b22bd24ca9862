/** Ends what lasts when a key that it was begun with is revoked or has expired: streams, exports, and waits for documents. */
import type { Keyring } from '../domain/keyring.ts';

/** With the time for which the keyring remembers, what a revoked key has begun is ended within 5 s. */
const CHECK_MS = 1500;

export class KeyWatch {
  readonly #keyring: Pick<Keyring, 'isLive'>;
  /** By the prefix of a key, how to end what was begun with it: as many as there are streams, exports and waiters at most. */
  readonly #ends = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(keyring: Pick<Keyring, 'isLive'>) {
    this.#keyring = keyring;
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  /** Calls `end` when one of these keys is no longer good. To watch them no more, call what is returned. */
  watch(prefixes: string[], end: () => void): () => void {
    for (const prefix of prefixes) this.#ends.set(prefix, (this.#ends.get(prefix) ?? new Set()).add(end));
    return () => {
      for (const prefix of prefixes) {
        const ends = this.#ends.get(prefix);
        ends?.delete(end);
        if (ends?.size === 0) this.#ends.delete(prefix);
      }
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** All at once: one after the other, the keys of many tenants would take longer than one may be good after it was revoked. */
  async #check(): Promise<void> {
    await Promise.all([...this.#ends.keys()].map((prefix) => this.#checkOne(prefix)));
  }

  async #checkOne(prefix: string): Promise<void> {
    // Whoever cannot be asked about is left alone.
    const isLive = await this.#keyring.isLive(prefix).catch(() => true);
    if (!isLive) for (const end of [...(this.#ends.get(prefix) ?? [])]) end();
  }
}
