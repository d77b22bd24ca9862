/** The readings table, what each document says, and claim_keys, the index by which documents with common claims are found. */
import type { Queryable } from './database.ts';
import type { Lease } from './lanes.ts';

/** Where the rows of a scope are. */
export type Place = Pick<Lease, 'scope_key' | 'generation'>;

/** A document that has a key. */
export interface Posting {
  key: number;
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
  postings: Posting[];
  /** Keys of which so many documents come before the lowest hash that they are not listed. */
  full: Set<number>;
}

/** The first documents of each key, by scope. */
export async function listPostings(db: Queryable, wanted: WantedKey[], cap: number): Promise<Map<Place, Postings>> {
  const lists = new Map<Place, Postings>();
  if (wanted.length === 0) return lists;
  const { rows } = await db.query<{ found: [nth: number, hashes?: number[], seqs?: number[]][] }>(
    'select list_postings_of_lanes($1, $2, $3, $4, $5, $6) as found',
    [
      wanted.map(({ place }) => place.scope_key),
      wanted.map(({ place }) => place.generation),
      wanted.map(({ key }) => key),
      wanted.map(({ least }) => least),
      cap,
      wanted.map(({ most }) => most),
    ],
  );
  for (const [nth, hashes, seqs] of rows[0]?.found ?? []) {
    const { place, key } = wanted[nth - 1] as WantedKey;
    const list = lists.get(place) ?? { postings: [], full: new Set() };
    lists.set(place, list);
    if (!hashes || !seqs) list.full.add(key);
    else
      hashes.forEach((document_hash, at) => void list.postings.push({ key, document_hash, seq: seqs[at] as number }));
  }
  return lists;
}

export interface ReadingKeys {
  seq: number;
  document_id: string;
  document_hash: number;
  keys: number[];
}

const KEYS = 'seq::float8 as seq, document_id, document_hash::float8 as document_hash, to_json(keys) as keys';

/** Of versions that new ones are about to replace. */
export async function listReadingKeysByDocument(
  db: Queryable,
  { scope_key, generation }: Place,
  documentIds: string[],
): Promise<ReadingKeys[]> {
  const { rows } = await db.query<ReadingKeys>(
    `select ${KEYS} from readings
      where scope_key = $1 and generation = $2 and seq = any (array(
        select seq from documents where scope_key = $1 and generation = $2 and document_id = any ($3)))`,
    [scope_key, generation, documentIds],
  );
  return rows;
}

export async function listReadingKeys(
  db: Queryable,
  { scope_key, generation }: Place,
  seqs: number[],
): Promise<ReadingKeys[]> {
  const { rows } = await db.query<ReadingKeys>(
    `select ${KEYS} from readings where scope_key = $1 and generation = $2 and seq = any ($3)`,
    [scope_key, generation, seqs],
  );
  return rows;
}

export interface StoredClaims {
  seq: number;
  document_id: string;
  /** As the pipeline wrote it; null for what would have been too much at once. */
  claims: string | null;
}

/** Of those that are there, in this order, and as many as fit into so many bytes of storage, but so many in any case. */
export async function listClaims(
  db: Queryable,
  { scope_key, generation }: Place,
  seqs: number[],
  mostBytes: number,
  least: number,
): Promise<StoredClaims[]> {
  const { rows } = await db.query<StoredClaims>(
    `select seq::float8 as seq, document_id,
            case when sum(pg_column_size(claims)) over (order by nth) <= $4 or nth <= $5 then claims end as claims
       from unnest($3::bigint[]) with ordinality as wanted (seq, nth)
       join (select * from readings where scope_key = $1 and generation = $2 and seq = any ($3)) found using (seq)`,
    [scope_key, generation, seqs, mostBytes, least],
  );
  return rows;
}

/** Erases what these versions of documents say, with the contradictions that came from it. Returns those. */
export async function deleteReadings(
  tx: Queryable,
  { scope_key, generation }: Place,
  seqs: number[],
): Promise<{ contradiction_id: string; severity: string; document_ids: string[] }[]> {
  const { rows } = await tx.query<{
    retracted: { contradiction_id: string; severity: string; document_ids: string[] }[];
  }>(
    `select forget_readings($1, $2, array(
              select seq from readings where scope_key = $1 and generation = $2 and seq = any ($3)), '{}') as retracted`,
    [scope_key, generation, seqs],
  );
  return rows[0]?.retracted ?? [];
}
