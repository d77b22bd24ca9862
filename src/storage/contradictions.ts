/** The contradictions table. */
import type { ContradictionStatus, Severity } from '../contract/contradictions.ts';
import type { Queryable } from './database.ts';
import { bytesOf, type Listed, withinBytes } from './pages.ts';
import type { Place } from './readings.ts';
import type { ScopeHandle } from './scopes.ts';

export interface ContradictionRow {
  id: string;
  ordinal: string;
  claim_a: string;
  claim_b: string;
  source_a: string | null;
  source_b: string | null;
  document_ids: string[];
  subject: string | null;
  attribute: string | null;
  severity: Severity;
  status: ContradictionStatus;
  origin: 'detected' | 'reported';
  reason: string | null;
  resolution: string | null;
  evidence_a: Evidence | null;
  evidence_b: Evidence | null;
  upholds: 'a' | 'b' | null;
  outdated: boolean;
  resolved_by: string | null;
  resolved_at: string | null;
  created_at: string;
}

/** What a detected one rests on: the claim of a document, and where the document makes it. */
export interface Evidence {
  document_id: string;
  seq: number;
  sentence: string;
  span: { start: number; end: number };
}

export interface NewReport {
  contradiction_id: string;
  pair_sha256: Buffer;
  claim_a: string;
  claim_b: string;
  source_a: string | null;
  source_b: string | null;
  severity: string;
  document_ids: string[];
}

const evidence = (
  side: 'a' | 'b',
) => `case when origin = 'detected' then json_build_object('document_id', document_${side},
  'seq', seq_${side}, 'sentence', claim_${side}, 'span', json_build_object('start', span_${side}[1], 'end', span_${side}[2]))
  end as evidence_${side}`;
// The ids as JSON, which is parsed natively: an array of Postgres pg reads character by character.
const ROW = `contradiction_id as id, ordinal, claim_a, claim_b, source_a, source_b, to_json(document_ids) as document_ids,
  ${evidence('a')}, ${evidence('b')}, subject, attribute, severity, status, origin, reason, resolution, upheld as upholds, outdated,
  resolved_by, resolved_at, created_at`;
// Of the ids with nothing added: Postgres tells the size of an array as it is stored, which may be a hundredth of what it is.
const BYTES = `${bytesOf(['claim_a', 'claim_b', 'source_a', 'source_b', 'subject', 'attribute', 'reason', 'resolution'])}
  + pg_column_size(document_ids || '{}'::text[])`;

const SHOWN = `status <> 'left_out'`;

/** Null when that pair is there already. */
export async function insertReport(
  tx: Queryable,
  scope: ScopeHandle,
  report: NewReport,
): Promise<ContradictionRow | null> {
  const { rows } = await tx.query<ContradictionRow>(
    `insert into contradictions (scope_key, generation, contradiction_id, pair_sha256, claim_a, claim_b, source_a,
                                 source_b, severity, document_ids, origin)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'reported') on conflict do nothing returning ${ROW}`,
    [
      scope.scope_key,
      scope.generation,
      report.contradiction_id,
      report.pair_sha256,
      report.claim_a,
      report.claim_b,
      report.source_a,
      report.source_b,
      report.severity,
      report.document_ids,
    ],
  );
  return rows[0] ?? null;
}

export async function findContradictionByPair(
  db: Queryable,
  scope: ScopeHandle,
  pair: Buffer,
): Promise<ContradictionRow | null> {
  const { rows } = await db.query<ContradictionRow>(
    `select ${ROW} from contradictions where scope_key = $1 and generation = $2 and pair_sha256 = $3`,
    [scope.scope_key, scope.generation, pair],
  );
  return rows[0] ?? null;
}

/** Open ones of the scope, as it counts them. */
export async function countReports(db: Queryable, scope: ScopeHandle): Promise<number> {
  return findCounter(db, scope, 'contradictions_reported');
}

/** How many of the scope are not shown, as it counts them. */
export async function countLeftOut(db: Queryable, scope: ScopeHandle): Promise<number> {
  return findCounter(db, scope, 'contradictions_left_out');
}

async function findCounter(db: Queryable, scope: ScopeHandle, name: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select ${name}::float8 as n from scopes where scope_key = $1 and generation = $2`,
    [scope.scope_key, scope.generation],
  );
  return rows[0]?.n ?? 0;
}

/** In order of their making, from after one on, of one status or of all that are shown; fewer than the limit where they are large. */
export async function listContradictions(
  db: Queryable,
  scope: ScopeHandle,
  status: ContradictionStatus | null,
  after: string,
  limit: number,
): Promise<(ContradictionRow & Listed)[]> {
  const page = `select * from contradictions
    where scope_key = $1 and generation = $2 and ordinal > $3 and ${status ? 'status = $5' : SHOWN} order by ordinal limit $4`;
  const { rows } = await db.query<ContradictionRow & Listed>(
    withinBytes(page, { select: ROW, order: 'ordinal', bytes: BYTES }),
    [scope.scope_key, scope.generation, after, limit, ...(status ? [status] : [])],
  );
  return rows;
}

export async function findContradiction(
  db: Queryable,
  scope: ScopeHandle,
  id: string,
): Promise<ContradictionRow | null> {
  const { rows } = await db.query<ContradictionRow>(
    `select ${ROW} from contradictions where scope_key = $1 and generation = $2 and contradiction_id = $3 and ${SHOWN}`,
    [scope.scope_key, scope.generation, id],
  );
  return rows[0] ?? null;
}

/** Only one that is open. */
export async function updateContradictionDecided(
  tx: Queryable,
  scope: ScopeHandle,
  id: string,
  decision: { status: 'resolved' | 'deferred'; resolution: string; resolved_by: string; upholds?: 'a' | 'b' },
): Promise<ContradictionRow | null> {
  const { rows } = await tx.query<ContradictionRow>(
    `update contradictions set status = $4, resolution = $5, resolved_by = $6, upheld = $7, resolved_at = now()
      where scope_key = $1 and generation = $2 and contradiction_id = $3 and status = 'open' returning ${ROW}`,
    [
      scope.scope_key,
      scope.generation,
      id,
      decision.status,
      decision.resolution,
      decision.resolved_by,
      decision.upholds ?? null,
    ],
  );
  if (rows[0]) await tx.query('select end_dispute($1, $2, $3)', [scope.scope_key, scope.generation, id]);
  return rows[0] ?? null;
}

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
      pairs.map(({ place }) => place.scope_key),
      pairs.map(({ place }) => place.generation),
      pairs.map(({ seqs }) => seqs[0]),
      pairs.map(({ seqs }) => seqs[1]),
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
