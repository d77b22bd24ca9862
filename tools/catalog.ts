/** Reads the schema of a database from its catalog. */

/** Whatever answers SQL. */
export interface Asked {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

export interface Catalog {
  tables: Table[];
  sequences: Sequence[];
  functions: Signature[];
}

export async function readCatalog(db: Asked): Promise<Catalog> {
  const read = async (sql: string) => (await db.query(sql)).rows;
  return {
    tables: (await read(TABLES)) as Table[],
    sequences: (await read(SEQUENCES)) as Sequence[],
    functions: (await read(FUNCTIONS)) as Signature[],
  };
}

export interface Table {
  name: string;
  comment: string | null;
  settings: string | null;
  columns: Column[];
  constraints: Definition[];
  indexes: Definition[];
  triggers: Definition[];
}

export interface Definition {
  name: string;
  comment: string | null;
  definition: string;
}

export interface Column {
  name: string;
  comment: string | null;
  type: string;
  fallback: string | null;
  identity: boolean;
  required: boolean;
  /** Only where it is not what the type has by itself. */
  storage: string | null;
}

export interface Sequence {
  name: string;
  comment: string | null;
}

export interface Signature {
  name: string;
  parameters: string;
  result: string;
  kind: string;
  settings: string | null;
}

const OURS = 'current_schema()::regnamespace';

const TABLES = `
  select relname as name, obj_description(c.oid, 'pg_class') as comment,
         array_to_string(c.reloptions, ', ') as settings,
         (select json_agg(json_build_object(
                   'name', attname, 'comment', col_description(c.oid, attnum), 'type', format_type(atttypid, atttypmod),
                   'fallback', pg_get_expr(adbin, adrelid), 'identity', attidentity <> '', 'required', attnotnull,
                   'storage', case attstorage when typstorage then null when 'e' then 'external' when 'm' then 'main'
                                              when 'x' then 'extended' else 'plain' end) order by attnum)
            from pg_attribute a join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
           where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
         -- Not those that say "not null", which the column says.
         (select coalesce(json_agg(json_build_object(
                   'name', conname, 'comment', obj_description(k.oid, 'pg_constraint'),
                   'definition', pg_get_constraintdef(k.oid, true)) order by contype <> 'p', contype, conname), '[]')
            from pg_constraint k where conrelid = c.oid and contype in ('p', 'u', 'f', 'c', 'x')) as constraints,
         (select coalesce(json_agg(json_build_object(
                   'name', relname, 'comment', obj_description(indexrelid, 'pg_class'),
                   'definition', pg_get_indexdef(indexrelid)) order by relname), '[]')
            from pg_index i join pg_class ic on ic.oid = indexrelid
           where indrelid = c.oid
             and not exists (select from pg_constraint where conindid = indexrelid and conrelid = c.oid)) as indexes,
         (select coalesce(json_agg(json_build_object(
                   'name', tgname, 'comment', obj_description(t.oid, 'pg_trigger'),
                   'definition', pg_get_triggerdef(t.oid)) order by tgname), '[]')
            from pg_trigger t where tgrelid = c.oid and not tgisinternal) as triggers
    from pg_class c where relnamespace = ${OURS} and relkind in ('r', 'p') order by relname`;

/** Not those that belong to a column, which the column says. */
const SEQUENCES = `
  select relname as name, obj_description(oid, 'pg_class') as comment
    from pg_class c
   where relnamespace = ${OURS} and relkind = 'S'
     and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'a'))
   order by relname`;

const FUNCTIONS = `
  select proname as name, pg_get_function_arguments(p.oid) as parameters, pg_get_function_result(p.oid) as result,
         lanname || case provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end as kind,
         array_to_string(proconfig, ' set ') as settings
    from pg_proc p join pg_language l on l.oid = prolang
   where pronamespace = ${OURS} order by proname, 2`;
