/** The readings table, what each document says, and claim_keys, the index by which filed ones with common claims are found. */
import { wholeArray } from './array-params.ts';
import type { ConvergenceCounts } from './convergence.ts';
import type { Queryable } from './database.ts';
import { NEWEST, type ScopeHandle } from './scopes.ts';

/** Where the rows of a scope are. */
export type Place = Pick<ScopeHandle, 'scope_key' | 'generation'>;

/** As the pipeline wrote it: only the pipeline reads it. */
type Sketch = readonly number[];

/** What a document says, as far as others are found by it and counted with it. */
export interface Reading {
  seq: number;
  document_id: string;
  document_hash: number;
  keys: number[];
  /** By place, what is claimed in which group. */
  groups: number[];
  values: number[];
  /** What it is about, by which most others are told from it; null where nothing is told, as of what release 10 has read. */
  sketch: Sketch | null;
  /** The version of the rules that made it. */
  rules: number;
}

/** A reading as it is stored. */
export interface NewReading extends Reading {
  claims: string;
  /** What is shown of long ones: texts one after the other, and by place of the group where in them its own ends, in bytes. */
  pieces: { text: string; ends: number[] } | null;
  count: number;
  /** By place, what each group is about: subject and attribute, as the text has them. */
  labels: string[];
  warnings: string[];
}

/** What a turn has to know of a scope. */
export interface ScopeHead extends Place {
  /** It moves on with whatever is settled, deleted or decided. */
  revision: number;
  /** Readings up to this seq are filed: counted in claim_values, and found by claim_evidence. */
  filed_up_to: number;
  /** Readings up to this seq are found by claim_keys. It is never above the other. */
  keys_filed_up_to: number;
  counts: ConvergenceCounts;
}

/** What is known of a scope: up to which revision, -1 for none, and after which seq it goes on. */
export interface KnownScope {
  scope_key: string;
  known: number;
  after: number;
}

export interface ReadingsSince {
  head: ScopeHead;
  /** Nothing was known of it: these are all there are. */
  restart: boolean;
  readings: Reading[];
  goes_on: boolean;
  /** The seqs of all that are there, if any were removed since. */
  left: number[] | null;
}

type ReadingRow = [
  seq: number,
  document_id: string,
  document_hash: number,
  keys: number[],
  groups: number[],
  values: number[],
  rules: number,
  sketch: Sketch | null,
];

/** The readings whose keys are not filed, newer than what is known of each scope, in order of seq, as many as have so many keys. */
export async function listReadingsSince(
  db: Queryable,
  scopes: KnownScope[],
  mostKeys: number,
): Promise<ReadingsSince[]> {
  if (scopes.length === 0) return [];
  const { rows } = await db.query<{ found: (Omit<ReadingsSince, 'readings'> & { readings: ReadingRow[] })[] }>(
    'select list_readings_since($1, $2, $3, $4) as found',
    [
      scopes.map(({ scope_key }) => scope_key),
      scopes.map(({ known }) => known),
      scopes.map(({ after }) => after),
      mostKeys,
    ],
  );
  return (rows[0]?.found ?? []).map((one) => ({ ...one, readings: one.readings.map(toReading) }));
}

function toReading([seq, document_id, document_hash, keys, groups, values, rules, sketch]: ReadingRow): Reading {
  return { seq, document_id, document_hash, keys, groups, values, rules, sketch };
}

export async function findScopeHead(tx: Queryable, { scope_key }: Place): Promise<ScopeHead> {
  const { rows } = await tx.query<{ head: ScopeHead }>(
    `select scope_head(s) as head from scopes s where scope_key = $1 ${NEWEST}`,
    [scope_key],
  );
  return (rows[0] as { head: ScopeHead }).head;
}

/** A document that has a key. */
export interface Posting {
  document_hash: number;
  seq: number;
}

/** A key of a scope, the lowest hash that is to be added to it, and how many of its documents are wanted. */
export interface WantedKey {
  place: Place;
  key: number;
  least: number;
  most: number;
}

export interface Postings {
  /** By key, first by hash. */
  lists: Map<number, Posting[]>;
  /** Keys of which so many documents come before the lowest hash that they are not listed. */
  full: Set<number>;
}

/** The first documents of each key, by scope, of those whose keys are filed. */
export async function listPostings(db: Queryable, wanted: WantedKey[], cap: number): Promise<Map<Place, Postings>> {
  const lists = new Map<Place, Postings>();
  if (wanted.length === 0) return lists;
  const { rows } = await db.query<{ found: [nth: number, hashes?: number[], seqs?: number[]][] }>(
    'select list_first_postings($1, $2, $3, $4, $5, $6) as found',
    [
      wholeArray(wanted, ({ place }) => place.scope_key),
      wholeArray(wanted, ({ place }) => place.generation),
      wholeArray(wanted, ({ key }) => key),
      wholeArray(wanted, ({ least }) => least),
      cap,
      wholeArray(wanted, ({ most }) => most),
    ],
  );
  for (const [nth, hashes, seqs] of rows[0]?.found ?? []) {
    const { place, key } = wanted[nth - 1] as WantedKey;
    const found = lists.get(place) ?? { lists: new Map(), full: new Set() };
    lists.set(place, found);
    if (!hashes || !seqs) found.full.add(key);
    else
      found.lists.set(
        key,
        hashes.map((document_hash, at) => ({ document_hash, seq: seqs[at] as number })),
      );
  }
  return lists;
}

const COLUMNS = `seq::float8 as seq, document_id, document_hash::float8 as document_hash, to_json(keys) as keys,
  to_json(groups) as groups, to_json(group_values) as values, rules,
  to_json(sketch) as sketch`;

export async function listReadings(
  db: Queryable,
  { scope_key, generation }: Place,
  seqs: number[],
): Promise<Reading[]> {
  if (seqs.length === 0) return [];
  const { rows } = await db.query<Reading>(
    `select ${COLUMNS} from readings where scope_key = $1 and generation = $2 and seq = any ($3)`,
    [scope_key, generation, seqs],
  );
  return rows;
}

/** Those that are not filed, and claim something in one of these groups. */
export async function listUnfiledInGroups(
  db: Queryable,
  { scope_key, generation }: Place,
  groups: number[],
): Promise<Reading[]> {
  const { rows } = await db.query<Reading>(
    `select ${COLUMNS} from readings
      where scope_key = $1 and generation = $2 and groups && $3
        and seq > (select filed_up_to from scopes where scope_key = $1 ${NEWEST})`,
    [scope_key, generation, groups],
  );
  return rows;
}

/** In order; null for those that are not there, were made by other rules, or tell nothing. */
export async function listSketches(
  db: Queryable,
  wanted: { place: Place; seq: number }[],
  rules: number,
): Promise<(Sketch | null)[]> {
  const { rows } = await db.query<{ found: (Sketch | null)[] }>('select list_sketches($1, $2, $3, $4) as found', [
    wholeArray(wanted, ({ place }) => place.scope_key),
    wholeArray(wanted, ({ place }) => place.generation),
    wholeArray(wanted, ({ seq }) => seq),
    rules,
  ]);
  return rows[0]?.found ?? [];
}

export interface StoredClaims {
  seq: number;
  document_id: string;
  /** As the pipeline wrote it; null for what would have been too much at once. */
  claims: string | null;
}

/**
 * Of those that are there and were made by these rules, in this order, and as many as fit into so many bytes of storage, but so
 * many in any case.
 */
export async function listClaims(
  db: Queryable,
  { scope_key, generation }: Place,
  seqs: number[],
  rules: number,
  mostBytes: number,
  least: number,
): Promise<StoredClaims[]> {
  const { rows } = await db.query<StoredClaims>(
    `select seq::float8 as seq, document_id,
            case when sum(pg_column_size(claims)) over (order by nth) <= $4 or nth <= $5 then claims end as claims
       from unnest($3::bigint[]) with ordinality as wanted (seq, nth)
       join (select * from readings where scope_key = $1 and generation = $2 and seq = any ($3)) found using (seq)
      where rules = $6`,
    [scope_key, generation, seqs, mostBytes, least, rules],
  );
  return rows;
}
