/** Detected contradictions, as they are planned and settled: found by document, pair, fact and place. Those who read them use `contradictions.ts`. */
import type { ContradictionStatus, Severity } from '../contract/contradictions.ts';
import { wholeArray } from './array-params.ts';
import type { Queryable } from './database.ts';
import type { Place } from './readings.ts';

/** Two documents of a scope, by their seqs. */
export interface DocumentPair {
  place: Place;
  seqs: [number, number];
}

/** The detected ones between these pairs of documents. */
export async function listDetectedBetween(
  db: Queryable,
  pairs: DocumentPair[],
): Promise<(DocumentPair & { contradiction_id: string })[]> {
  if (pairs.length === 0) return [];
  const { rows } = await db.query<{ nth: number; contradiction_id: string }>(
    `select nth::int as nth, contradiction_id
       from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[]) with ordinality as pair (scope, generation, a, b, nth)
      cross join lateral (
        (select contradiction_id from contradictions
          where scope_key = scope and contradictions.generation = pair.generation and origin = 'detected'
            and seq_a between a and a and seq_b = b order by seq_a, precedence offset 0)
        union all
        (select contradiction_id from contradictions
          where scope_key = scope and contradictions.generation = pair.generation and origin = 'detected'
            and seq_a between b and b and seq_b = a order by seq_a, precedence offset 0)) found`,
    [
      wholeArray(pairs, ({ place }) => place.scope_key),
      wholeArray(pairs, ({ place }) => place.generation),
      wholeArray(pairs, ({ seqs }) => seqs[0]),
      wholeArray(pairs, ({ seqs }) => seqs[1]),
    ],
  );
  return rows.map(({ nth, contradiction_id }) => ({ ...(pairs[nth - 1] as DocumentPair), contradiction_id }));
}

/** A contradiction between two readings. */
export interface NewConflict {
  contradiction_id: string;
  /** In base64; the same for the same claims of the same documents. */
  pair: string;
  claim_a: string;
  claim_b: string;
  subject: string;
  attribute: string;
  severity: Severity;
  reason: string;
  document_a: string;
  document_b: string;
  seq_a: number;
  seq_b: number;
  span_a: [number, number];
  span_b: [number, number];
  group_a: number;
  group_b: number;
  value_a: number;
  value_b: number;
}

/** Left out is one that is kept, but not shown, since others come first. */
export type StoredStatus = ContradictionStatus | 'left_out';

/** A new one, with what was planned for it. */
export interface AddedConflict extends NewConflict {
  precedence: number;
  places: number;
  status: StoredStatus;
}

/** A detected contradiction among the others of its documents and facts. */
export interface PlacedContradiction {
  id: string;
  status: StoredStatus;
  severity: Severity;
  documents: string[];
  /** Of its two sides: the versions of their documents, and their facts. */
  seqs: [number, number];
  groups: [number, number];
  /** In the order of choice, the lowest first. */
  precedence: number;
  /** Of whose first it is one, in bits: of the documents of a and b, of the facts of a and b. */
  places: number;
}

/** By place, a and b. */
export interface DetectedSides {
  claims: string[];
  attribute: string;
  /** The rules that the readings of these versions were made by, as they are stored; null for one that has none. */
  rules: (number | null)[];
}

/** A detected contradiction that is stored, and why it was looked up. */
export interface DetectedContradiction extends PlacedContradiction {
  /** It is found again, a document of it goes, it is no longer looked for, or it may be opened again. */
  why: 'pair' | 'side' | 'id' | 'upheld';
  pair: string;
  /** It was decided, and newer rules find it no more. */
  outdated: boolean;
  /** Where a document of it goes, or is read again. */
  sides?: DetectedSides | null;
  /** What its resolution upholds. */
  upheld: { group: number; value: number }[];
}

export interface WantedDetected {
  place: Place;
  pairs: string[];
  /** Documents that go. */
  seqs: number[];
  ids: string[];
  /** What new ones speak against. */
  upheld: { group: number; value: number }[];
}

/** By scope, in order of their making. One that is wanted for several reasons comes with each of them. */
export async function listDetected(
  db: Queryable,
  wanted: WantedDetected[],
): Promise<Map<Place, DetectedContradiction[]>> {
  if (wanted.length === 0) return new Map();
  const given = wanted.map(({ place, pairs, seqs, ids, upheld }) => ({
    ...{ scope: place.scope_key, generation: place.generation, pairs, seqs, ids },
    groups: upheld.map(({ group }) => group),
    values: upheld.map(({ value }) => value),
  }));
  type Found = Omit<DetectedContradiction, 'upheld'> & { scope_key: string; upheld: (Upheld | null)[] };
  type Upheld = DetectedContradiction['upheld'][number];
  const { rows } = await db.query<{ found: Found[] }>('select list_detected($1::json) as found', [
    JSON.stringify(given),
  ]);
  const byScope = Map.groupBy(rows[0]?.found ?? [], ({ scope_key }) => scope_key);
  return new Map(
    wanted.map(({ place }) => [
      place,
      (byScope.get(place.scope_key) ?? []).map(({ upheld, ...one }) => ({
        ...one,
        upheld: upheld.filter((side): side is Upheld => side !== null),
      })),
    ]),
  );
}

/** Documents by their seqs, and facts by their groups, each with how many of its first contradictions are wanted. */
export interface WantedFirst {
  place: Place;
  documents: Map<number, number>;
  facts: Map<number, number>;
}

/** By scope, in no order. Of facts, those that are among the first of both documents. */
export async function listFirst(db: Queryable, wanted: WantedFirst[]): Promise<Map<Place, PlacedContradiction[]>> {
  const given = wanted
    .filter(({ documents, facts }) => documents.size + facts.size > 0)
    .map(({ place, documents, facts }) => ({
      ...{ scope: place.scope_key, generation: place.generation },
      ...{ seqs: [...documents.keys()], of_seqs: [...documents.values()] },
      ...{ groups: [...facts.keys()], of_groups: [...facts.values()] },
    }));
  if (given.length === 0) return new Map();
  const { rows } = await db.query<{ found: (PlacedContradiction & { scope_key: string })[] }>(
    'select list_first($1::json) as found',
    [JSON.stringify(given)],
  );
  const byScope = Map.groupBy(rows[0]?.found ?? [], ({ scope_key }) => scope_key);
  return new Map(wanted.map(({ place }) => [place, byScope.get(place.scope_key) ?? []]));
}
