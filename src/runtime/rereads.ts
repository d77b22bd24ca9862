/** Finds, when there is nothing new to take, documents that older rules have read: tenant by tenant, one turn of a node at a time. */
import type { Convergence } from '../domain/convergence.ts';
import { finishReread } from '../domain/rereads.ts';
import { RULES } from '../pipeline/claim.ts';
import type { TakenLane } from '../storage/lanes.ts';
import { type RereadOptions, updateRereadTakenAcrossTenants } from '../storage/rereads.ts';
import type { WorkerDatabase } from './one-at-a-time.ts';

/** How long nobody looks after all tenants were asked and none had anything: one cheap statement for each node in that time. */
const REST_MS = 5000;
/** Scopes and tenants of which nothing is left, one after the other; then whoever has new work is asked first. */
const MAX_STEPS = 50;
/** A turn takes a fraction of a lease, and renews it a few times at most. */
const MAX_LEASES = 20;

/** Of a node. */
export interface RereadParts {
  line: { taking: WorkerDatabase };
  beside: WorkerDatabase;
  options: { convergence: Pick<Convergence, 'note'> };
}

export class Rereads {
  /** The tenant that was served last, in this round over all of them. */
  #after = '';
  /** Whether anything was done in this round. */
  #isIdle = true;
  #restUntil = 0;
  #takenUntil = 0;

  /** Whether it is worth waking a worker for. */
  get isDue(): boolean {
    return performance.now() >= Math.max(this.#restUntil, this.#takenUntil);
  }

  /** The lane that was leased, or none. The other workers are left to new work until `done`. */
  async take({ line, beside, options }: RereadParts, taking: Omit<RereadOptions, 'rules'>): Promise<TakenLane[]> {
    if (!this.isDue) return [];
    // A turn that hangs is given up by its worker, and is never done.
    this.#takenUntil = performance.now() + MAX_LEASES * taking.leaseMs;
    let lane: TakenLane | undefined;
    try {
      for (let step = 0; !lane && step < MAX_STEPS; step++) {
        const next = await updateRereadTakenAcrossTenants(line.taking, this.#after, { ...taking, rules: RULES });
        this.#after = next?.tenant_id ?? '';
        if (!next && this.#isIdle) {
          this.#restUntil = performance.now() + REST_MS;
          break;
        }
        lane = next?.lane;
        // One that cannot be finished now is no reason to look again at once.
        const isFinished = next?.finished && (await finishReread(beside, next.finished, options.convergence));
        this.#isIdle = next ? this.#isIdle && !lane && !isFinished : true;
      }
    } finally {
      if (!lane) this.done();
    }
    return lane ? [lane] : [];
  }

  /** Something may be read again now that was not before. */
  wake(): void {
    this.#restUntil = 0;
  }

  done(): void {
    this.#takenUntil = 0;
  }
}
