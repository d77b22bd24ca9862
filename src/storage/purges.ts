/** The purges table, and the rows of scopes that are gone. */
import type { Queryable } from './database.ts';

const TABLES = ['documents', 'document_contents', 'idempotency_keys', 'contradictions'];

/** Takes one scope that left rows behind; nobody else takes it before this transaction ends. */
export async function findPurge(tx: Queryable): Promise<string | null> {
  const { rows } = await tx.query<{ scope_key: string }>(
    'select scope_key from purges order by since limit 1 for update skip locked',
  );
  return rows[0]?.scope_key ?? null;
}

/** Deletes up to a number of rows of each kind; true when nothing was left to delete. */
export async function deleteLeftRows(tx: Queryable, scopeKey: string, most: number): Promise<boolean> {
  let deleted = 0;
  for (const table of TABLES) {
    const { rowCount } = await tx.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where scope_key = $1 limit $2))`,
      [scopeKey, most],
    );
    deleted += rowCount ?? 0;
  }
  return deleted === 0;
}

export async function deletePurge(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query('delete from purges where scope_key = $1', [scopeKey]);
}
