/** Whether the service can accept anything: is Postgres there, and does it take writes. */
import type { Queryable } from '../storage/database.ts';
import { isWritable } from '../storage/preflight.ts';

/** Anybody may ask for health, so asking must not cost a query each. */
const REMEMBER_MS = 500;
/** An answer later than this helps no load balancer. */
const PATIENCE_MS = 2000;

export class Health {
  readonly #db: Queryable;
  #stopping = false;
  #asked = Number.NEGATIVE_INFINITY;
  #answer: Promise<boolean> = Promise.resolve(false);

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** From now on unavailable: tells load balancers to look elsewhere while the last requests finish. */
  stop(): void {
    this.#stopping = true;
  }

  async isAvailable(): Promise<boolean> {
    if (this.#stopping) return false;
    const now = performance.now();
    if (now - this.#asked > REMEMBER_MS) {
      this.#asked = now;
      this.#answer = this.#probe();
    }
    return this.#answer;
  }

  #probe(): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, PATIENCE_MS, false);
    const probe = isWritable(this.#db).catch(() => false);
    return Promise.race([probe, late]).finally(() => clearTimeout(timer));
  }
}
