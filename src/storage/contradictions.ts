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
  resolved_by: string | null;
  resolved_at: string | null;
  created_at: string;
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

const ROW = `contradiction_id as id, ordinal, claim_a, claim_b, source_a, source_b, document_ids, subject, attribute,
  severity, status, origin, reason, resolution, resolved_by, resolved_at, created_at`;

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
  decision: { status: 'resolved' | 'deferred'; resolution: string; resolved_by: string },
): Promise<ContradictionRow | null> {
  const { rows } = await tx.query<ContradictionRow>(
    `update contradictions set status = $4, resolution = $5, resolved_by = $6, resolved_at = now()
      where scope_key = $1 and generation = $2 and contradiction_id = $3 and status = 'open' returning ${ROW}`,
    [scope.scope_key, scope.generation, id, decision.status, decision.resolution, decision.resolved_by],
  );
  return rows[0] ?? null;
}
