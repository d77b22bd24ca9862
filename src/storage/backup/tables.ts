/** The tables of ours that are dumped and loaded, and what is to be known of each. */
import type pg from 'pg';
import { readSchema } from '../schema.ts';

/** What processes say of themselves, and what was applied to a database, is not part of what is kept in it. */
const LEFT_OUT = ['nodes', 'schema_files', 'schema_migrations', 'schema_versions'];

export interface Table {
  name: string;
  columns: string[];
}

/** In the order in which the baseline makes them: what another table points to comes before it. */
export function tablesOf(baseline: string): string[] {
  return [...baseline.matchAll(/^create table (\w+)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => !LEFT_OUT.includes(name));
}

/** Of those of this release that there are in the database, in the same order, with their size on the disk. */
export async function listTables(client: pg.Client): Promise<(Table & { bytes: number })[]> {
  const { rows } = await client.query<Table & { bytes: number }>(
    `select name, pg_table_size(table_id)::float8 as bytes,
            (select array_agg(attname::text order by attnum) from pg_attribute
              where attrelid = table_id and attnum > 0 and not attisdropped) as columns
       from unnest($1::text[]) with ordinality as wanted (name, nth), to_regclass(name) as table_id
      where table_id is not null order by nth`,
    [tablesOf(readSchema().baseline.sql)],
  );
  return rows;
}

export interface Sequence {
  name: string;
  /** The table and the column that it numbers: its name may be another where a database was upgraded. */
  table: string | null;
  column: string | null;
  last_value: string;
  is_called: boolean;
}

/** They know no snapshot: read after the rows were, none is behind them. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select s.relname::text as name, t.relname::text as "table", a.attname::text as "column",
            coalesce(pg_sequence_last_value(s.oid), seqstart)::text as last_value,
            pg_sequence_last_value(s.oid) is not null as is_called
       from pg_class s join pg_sequence on seqrelid = s.oid
       left join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and deptype in ('a', 'i')
        and refobjsubid > 0
       left join pg_class t on t.oid = refobjid
       left join pg_attribute a on a.attrelid = refobjid and attnum = refobjsubid
      where s.relnamespace = current_schema()::regnamespace order by 1`,
  );
  return rows;
}

/** One that is of no table of ours is not there, and is let be. */
export async function setSequence(client: pg.Client, sequence: Sequence): Promise<void> {
  const { name, table, column, last_value, is_called } = sequence;
  await client.query(
    `select setval(coalesce(case when to_regclass($2) is not null then pg_get_serial_sequence($2, $3)::regclass end,
                            to_regclass($1)), $4::bigint, $5)`,
    [quoteName(name), table === null ? null : quoteName(table), column, last_value, is_called],
  );
}

export const listOf = ({ name, columns }: Table) => `${quoteName(name)} (${columns.map(quoteName).join(', ')})`;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
