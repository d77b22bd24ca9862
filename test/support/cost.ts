/** What a statement reads, as Postgres tells it: so that what must not grow is held to a number, and no clock is asked. */
import type { Queryable } from '../../src/storage/database.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The most rows that a part of any of the statements has read: of one table, where it is named. */
export async function mostRowsOf(
  db: Queryable,
  ask: (watched: Queryable) => Promise<unknown>,
  table?: string,
): Promise<number> {
  let most = 0;
  const watched = {
    query: async (sql: string, values: unknown[]) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${sql}`,
        values,
      );
      most = Math.max(most, mostRows((rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan, table));
      return db.query(sql, values);
    },
  } as unknown as Queryable;
  await ask(watched);
  return most;
}

function mostRows(plan: Plan, table?: string): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  const isAsked = table === undefined || plan['Relation Name'] === table;
  const read = isAsked ? (plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops'] : 0;
  return Math.max(read, ...(plan.Plans ?? []).map((part) => mostRows(part, table)));
}
