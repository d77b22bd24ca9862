/** Leases of batches that came to nothing because Postgres was away or slow: they are handed back as soon as it answers. */
import type { Queryable } from '../domain/database.ts';
import { isTroubleOfPostgres } from '../storage/database.ts';
import { type Lease, updateLanesHandedBack } from '../storage/lanes.ts';
import { updateRereadHandedBack } from '../storage/rereads.ts';

/**
 * For one lane, with nothing of it settled in between. It could be the batch that brings Postgres down, or is too much for
 * it: after this its lease is left to run out, as if its worker had vanished, and its documents are tried one at a time.
 */
const MAX_IN_A_ROW = 3;
/** For a scope that somebody else has locked: whoever takes a turn waits for this. */
const PATIENCE_MS = 15;

/** How often it was held against a lane, and how many batches this node had settled, and had seen fail, the last time. */
interface Failures {
  times: number;
  settled: number;
  failed: number;
}

export class Unsettled {
  readonly #leases = new Map<string, Lease>();
  readonly #records = new Map<string, Failures>();
  /** Batches of this node, all lanes together. */
  #settled = 0;
  #failed = 0;
  #handingBack: Promise<void> | null = null;
  #isInTrouble = false;

  /** Postgres was away or slow, and nothing was settled since. */
  get isInTrouble(): boolean {
    return this.#isInTrouble;
  }

  /** It is held against a lane only if Postgres names no trouble of its own and others get through, or there are none. */
  add(lease: Lease, error: unknown): void {
    const last = this.#records.get(lease.scope_key) ?? { times: 0, settled: -1, failed: 0 };
    const isItAlone = this.#settled > last.settled || this.#failed === last.failed;
    const times = isItAlone && !isTroubleOfPostgres(error) ? last.times + 1 : last.times;
    this.#failed++;
    this.#isInTrouble = error !== null;
    if (times <= MAX_IN_A_ROW) {
      this.#records.set(lease.scope_key, { times, settled: this.#settled, failed: this.#failed });
      this.#leases.set(nameOf(lease), lease);
    } else this.#records.delete(lease.scope_key);
  }

  /** The lane has come further. */
  settled({ scope_key }: Lease): void {
    this.#settled++;
    this.#isInTrouble = false;
    this.#records.delete(scope_key);
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
    const leases = [...this.#leases.values()];
    const [rereads, others] = [leases.filter(({ isAgain }) => isAgain), leases.filter(({ isAgain }) => !isAgain)];
    const ours = new Set(await updateLanesHandedBack(db, others));
    for (const lease of rereads) if (await updateRereadHandedBack(db, lease, PATIENCE_MS)) ours.add(lease.scope_key);
    for (const lease of leases) {
      // Somebody else goes on with it, or it was settled after all.
      if (!ours.has(lease.scope_key)) this.#records.delete(lease.scope_key);
      this.#leases.delete(nameOf(lease));
    }
  }
}

const nameOf = ({ epoch, scope_key }: Lease) => `${epoch} ${scope_key}`;
