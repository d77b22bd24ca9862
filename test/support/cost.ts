/** What a statement reads, as Postgres tells it: so that what must not grow is held to a number, and no clock is asked. */
import type { Copyable, Queryable } from '../../src/storage/database.ts';
import { withLiterals } from '../../src/storage/literals.ts';

type Watched = Queryable & Copyable;

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
  db: Watched,
  ask: (watched: Watched) => Promise<unknown>,
  table?: string,
): Promise<number> {
  let most = 0;
  const watch = async (sql: string, values: unknown[]) => {
    const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${sql}`,
      values,
    );
    most = Math.max(most, mostRows((rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan, table));
  };
  const watched = {
    query: async (sql: string, values: unknown[]) => {
      await watch(sql, values);
      return db.query(sql, values);
    },
    copy: async (selects: string[], values: (string | number)[]) => {
      for (const select of selects) await watch(withLiterals(select, values), []);
      return db.copy(selects, values);
    },
  } as Watched;
  await ask(watched);
  return most;
}

function mostRows(plan: Plan, table?: string): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  const isAsked = table === undefined || plan['Relation Name'] === table;
  const read = isAsked ? (plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops'] : 0;
  return Math.max(read, ...(plan.Plans ?? []).map((part) => mostRows(part, table)));
}
