/** Lets the statements of a node's workers go to Postgres one after the other. */
import type { Queryable } from '../domain/database.ts';

/**
 * Several at once would be done no sooner, since batches wait for each other's events in the end; but Postgres would be
 * on several cores at once, and whoever accepts a document would wait for one of them.
 */
export function oneAtATime(db: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(sql, values) {
      const result = last.then(() => db.query<never>(sql, values));
      last = result.catch(() => {});
      return result;
    },
  };
}
