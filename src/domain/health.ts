/** Whether the service can accept anything: is Postgres there, does it take writes, and does it know what is asked of it. */
import { type AppError, isUnavailable } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import { isWritable } from '../storage/preflight.ts';
import type { SchemaWatch } from '../storage/schema-watch.ts';
import { within } from '../within.ts';

/** Anybody may ask for health, so asking must not cost a query each. */
const REMEMBER_MS = 500;
/** An answer later than this helps no load balancer. */
const PATIENCE_MS = 2000;
const SILENT = 'The database does not answer right now.';
export const STOPPING = 'The service is stopping.';

export class Health {
  readonly #db: Queryable;
  readonly #schema: SchemaWatch;
  #stopping = false;
  #asked = Number.NEGATIVE_INFINITY;
  #answer: Promise<string | null> = Promise.resolve(SILENT);

  constructor(db: Queryable, schema: SchemaWatch) {
    this.#db = db;
    this.#schema = schema;
  }

  /** From now on unavailable: tells load balancers to look elsewhere while the last requests finish. */
  stop(): void {
    this.#stopping = true;
  }

  /** Why nothing can be accepted; null when it can. */
  async whyUnavailable(): Promise<string | null> {
    if (this.#stopping) return STOPPING;
    const now = performance.now();
    if (now - this.#asked > REMEMBER_MS) {
      this.#asked = now;
      this.#answer = this.#probe();
    }
    return this.#answer;
  }

  #probe(): Promise<string | null> {
    const probe = isWritable(this.#db).then(
      (writable) => (writable ? this.#schema.whyUnfit(this.#db) : 'The database takes no writes.'),
      (error) => (isUnavailable(error) ? (error as AppError).message : SILENT),
    );
    return within(PATIENCE_MS, probe, SILENT);
  }
}
