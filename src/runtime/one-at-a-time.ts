/** Lets the statements of a node's workers go to Postgres one after the other, and after those of who accepts. */
import type { Database } from '../domain/database.ts';
import { within } from '../within.ts';

export type WorkerDatabase = Pick<Database, 'query' | 'transaction'>;

/** A caller waits for its document to be accepted; a worker can wait a little, though not for ever. */
const GIVE_WAY_MS = 20;

/**
 * Several at once would be done no sooner, since batches wait for each other's events in the end; but Postgres would be
 * on several cores at once, and whoever accepts a document would wait for one of them.
 */
export function oneAtATime(db: Database, giveWayTo: () => Promise<unknown> | null): WorkerDatabase {
  let last: Promise<unknown> = Promise.resolve();
  const inLine = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last
      .then(async () => {
        const first = giveWayTo();
        if (first) await within(GIVE_WAY_MS, first, null);
      })
      .then(work);
    last = result.catch(() => {});
    return result;
  };
  return {
    query: (sql, values) => inLine(() => db.query<never>(sql, values)),
    transaction: (work) => inLine(() => db.transaction(work)),
  };
}
