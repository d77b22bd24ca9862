/** The purges table, and the rows that deleted and reset scopes have left. */
import type { Queryable } from './database.ts';

const TABLES = [
  'documents',
  'document_contents',
  'idempotency_keys',
  'contradictions',
  'readings',
  'claim_keys',
  'claim_groups',
  'claim_values',
];

export interface Purge {
  scope_key: string;
  /** The last of the generations to go. */
  generation: number;
}

/** Takes one scope that left rows behind; nobody else takes it before this transaction ends. */
export async function findPurge(tx: Queryable): Promise<Purge | null> {
  const { rows } = await tx.query<Purge>(
    'select scope_key, generation from purges order by since limit 1 for update skip locked',
  );
  return rows[0] ?? null;
}

/** Deletes up to a number of rows of each kind; true when nothing was left to delete. */
export async function deleteLeftRows(tx: Queryable, { scope_key, generation }: Purge, most: number): Promise<boolean> {
  let deleted = 0;
  for (const table of TABLES) {
    const { rowCount } = await tx.query(
      `delete from ${table}
        where ctid = any (array(select ctid from ${table} where scope_key = $1 and generation <= $2 limit $3))`,
      [scope_key, generation, most],
    );
    deleted += rowCount ?? 0;
  }
  return deleted === 0;
}

export async function deletePurge(tx: Queryable, { scope_key }: Purge): Promise<void> {
  await tx.query('delete from purges where scope_key = $1', [scope_key]);
}

/** For what a reset has left: the generations up to this one. */
export async function insertPurge(tx: Queryable, { scope_key, generation }: Purge): Promise<void> {
  await tx.query(
    `insert into purges (scope_key, generation) values ($1, $2)
     on conflict (scope_key) do update set generation = excluded.generation`,
    [scope_key, generation],
  );
}
