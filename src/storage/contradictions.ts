/** The contradictions table. */
import type { Queryable } from './database.ts';
import type { ScopeHandle } from './scopes.ts';

export type ContradictionStatus = 'open' | 'resolved' | 'deferred';

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
  severity: 'low' | 'medium' | 'critical';
  status: ContradictionStatus;
  origin: 'detected' | 'reported';
  reason: string | null;
  resolution: string | null;
  evidence_a: Evidence | null;
  evidence_b: Evidence | null;
  upholds: 'a' | 'b' | null;
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
const ROW = `contradiction_id as id, ordinal, claim_a, claim_b, source_a, source_b, document_ids, ${evidence('a')},
  ${evidence('b')}, subject, attribute, severity, status, origin, reason, resolution, upheld as upholds, resolved_by,
  resolved_at, created_at`;

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

/** In order of their making, from after one on, of one status or of all. */
export async function listContradictions(
  db: Queryable,
  scope: ScopeHandle,
  status: ContradictionStatus | null,
  after: string,
  limit: number,
): Promise<ContradictionRow[]> {
  const { rows } = await db.query<ContradictionRow>(
    `select ${ROW} from contradictions
      where scope_key = $1 and generation = $2 and ordinal > $3 ${status ? 'and status = $5' : ''} order by ordinal limit $4`,
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
    `select ${ROW} from contradictions where scope_key = $1 and generation = $2 and contradiction_id = $3`,
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
  if (rows[0]) await tx.query('select close_dispute($1, $2, $3)', [scope.scope_key, scope.generation, id]);
  return rows[0] ?? null;
}

/** The detected ones between these pairs of documents, by their seqs. */
export async function listDetectedBetween(
  db: Queryable,
  { scope_key, generation }: Pick<ScopeHandle, 'scope_key' | 'generation'>,
  pairs: [number, number][],
): Promise<{ contradiction_id: string; seq_a: number; seq_b: number }[]> {
  const { rows } = await db.query<{ contradiction_id: string; seq_a: number; seq_b: number }>(
    `select contradiction_id, seq_a::float8 as seq_a, seq_b::float8 as seq_b
       from unnest($3::bigint[] || $4::bigint[], $4::bigint[] || $3::bigint[]) as pair (a, b)
      cross join lateral (
        select * from contradictions
         where scope_key = $1 and generation = $2 and origin = 'detected' and seq_a = a and seq_b = b offset 0) found`,
    [scope_key, generation, pairs.map(([one]) => one), pairs.map(([, other]) => other)],
  );
  return rows;
}
