/**
 * Lets the statements of a node's workers go to Postgres one at a time, those of tenants in turn, and after those of who
 * accepts.
 */
import type { Database } from '../domain/database.ts';
import { Slots } from '../slots.ts';
import { within } from '../within.ts';

export type WorkerDatabase = Pick<Database, 'query' | 'transaction'>;

/** The database as the turns of a tenant see it; of none in particular when lanes are taken. */
export type DatabaseOf = (tenantId: string) => WorkerDatabase;

/** A caller waits for its document to be accepted; a worker can wait a little, though not for ever. */
const GIVE_WAY_MS = 20;
/** Statements are not called off: each has a time-out of its own. */
const NEVER = new AbortController().signal;

/**
 * Several at once would be done no sooner, since batches wait for each other's events in the end; but Postgres would be
 * on several cores at once, and whoever accepts a document would wait for one of them. A tenant with many turns in work
 * waits for its own, and the others for one statement of it.
 */
export function oneAtATime(db: Database, giveWayTo: () => Promise<unknown> | null): DatabaseOf {
  const turn = new Slots(1, { keepsOne: false });
  return (tenantId) => {
    const inLine = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await turn.take(tenantId, { signal: NEVER });
      try {
        const first = giveWayTo();
        if (first) await within(GIVE_WAY_MS, first, null);
        return await work();
      } finally {
        turn.giveBack(tenantId);
      }
    };
    return {
      query: (sql, values) => inLine(() => db.query<never>(sql, values)),
      transaction: (work) => inLine(() => db.transaction(work)),
    };
  };
}
