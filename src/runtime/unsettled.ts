/** Leases of batches that came to nothing because Postgres was away or slow: they are handed back as soon as it answers. */
import type { Queryable } from '../domain/database.ts';
import { type Lease, updateLaneHandedBack } from '../storage/lanes.ts';

/**
 * For one lane, with nothing settled in between. It could be the batch that brings Postgres down, or is too much for it:
 * after this its lease is left to run out, as if its worker had vanished, and its documents are tried one at a time.
 */
const IN_A_ROW_MOST = 3;

export class Unsettled {
  readonly #leases = new Map<string, Lease>();
  readonly #inARow = new Map<string, number>();
  #handingBack: Promise<void> | null = null;

  add(lease: Lease): void {
    const times = (this.#inARow.get(lease.scope_key) ?? 0) + 1;
    this.#inARow.set(lease.scope_key, times);
    if (times <= IN_A_ROW_MOST) this.#leases.set(lease.epoch, lease);
    else this.#inARow.delete(lease.scope_key);
  }

  /** The lane has come further. */
  settled({ scope_key }: Lease): void {
    this.#inARow.delete(scope_key);
  }

  /** All there are. Asked again meanwhile, it is the same one. */
  async handBack(db: Pick<Queryable, 'query'>): Promise<void> {
    if (this.#leases.size === 0) return;
    this.#handingBack ??= this.#handBack(db).finally(() => {
      this.#handingBack = null;
    });
    await this.#handingBack;
  }

  async #handBack(db: Pick<Queryable, 'query'>): Promise<void> {
    for (const [epoch, lease] of this.#leases) {
      // Not ours any more: somebody else goes on with it, or it was settled after all.
      if (!(await updateLaneHandedBack(db, lease))) this.#inARow.delete(lease.scope_key);
      this.#leases.delete(epoch);
    }
  }
}
