/** The purges table, and the rows that deleted and reset scopes have left. */
import type { Queryable } from './database.ts';

const TABLES = [
  'documents',
  'document_contents',
  'idempotency_keys',
  'contradictions',
  'report_documents',
  'readings',
  'claim_keys',
  'claim_groups',
  'claim_values',
  'claim_evidence',
  'fact_words',
];

export interface Purge {
  scope_key: string;
  /** The last of the generations to go. */
  generation: number;
}

/** Takes scopes that left rows behind, the longest waiting first; nobody else takes them before this transaction ends. */
export async function listPurges(tx: Queryable, most: number): Promise<Purge[]> {
  // Small while it is planned, and large after a tenant was deleted.
  await tx.query('set local enable_seqscan = off');
  const { rows } = await tx.query<Purge>(
    'select scope_key, generation from purges order by since, scope_key limit $1 for update skip locked',
    [most],
  );
  return rows;
}

/** Deletes up to a number of rows of each kind. */
export async function deleteLeftRows(tx: Queryable, purges: Purge[], most: number): Promise<void> {
  for (const table of TABLES) {
    await tx.query(
      `delete from ${table} where ctid = any (array(
         select found.ctid from unnest($1::bigint[], $2::int[]) as left_by (scope_key, generation)
          cross join lateral (
            select t.ctid from ${table} t
             where t.scope_key = left_by.scope_key and t.generation <= left_by.generation limit $3) found
          limit $3))`,
      [purges.map(({ scope_key }) => scope_key), purges.map(({ generation }) => generation), most],
    );
  }
}

/** Those of which nothing is left are done. */
export async function deletePurgesDone(tx: Queryable, purges: Purge[]): Promise<void> {
  const rows = TABLES.map(
    (table) => `select from ${table} t where t.scope_key = purges.scope_key and t.generation <= purges.generation`,
  );
  await tx.query(
    `delete from purges where scope_key = any ($1) and not ${rows.map((left) => `exists (${left})`).join(' and not ')}`,
    [purges.map(({ scope_key }) => scope_key)],
  );
}

/** For what a reset has left: the generations up to this one. */
export async function insertPurge(tx: Queryable, { scope_key, generation }: Purge): Promise<void> {
  await tx.query(
    `insert into purges (scope_key, generation) values ($1, $2)
     on conflict (scope_key) do update set generation = excluded.generation`,
    [scope_key, generation],
  );
}
