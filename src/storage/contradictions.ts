/** The contradictions table, for who reports, reads and decides. What settling needs of it is in `detected.ts`. */
import type { ContradictionStatus, Severity } from '../contract/contradictions.ts';
import type { Queryable } from './database.ts';
import { bytesOf } from './pages.ts';
import { NEWEST, type ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

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
/** What is shown of one; the ids as JSON, which is parsed natively: an array of Postgres pg reads character by character. */
export const ROW = `contradiction_id as id, ordinal, claim_a, claim_b, source_a, source_b, to_json(document_ids) as document_ids,
  ${evidence('a')}, ${evidence('b')}, subject, attribute, severity, status, origin, reason, resolution, upheld as upholds, outdated,
  resolved_by, resolved_at, created_at`;
/** Of the ids with nothing added: Postgres tells the size of an array as it is stored, which may be a hundredth of what it is. */
export const BYTES = `${bytesOf(['claim_a', 'claim_b', 'source_a', 'source_b', 'subject', 'attribute', 'reason', 'resolution'])}
  + pg_column_size(document_ids || '{}'::text[])`;

export const SHOWN = `status <> 'left_out'`;

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
    `select ${name}::float8 as n from scopes where scope_key = $1 and generation = $2 ${NEWEST}`,
    [scope.scope_key, scope.generation],
  );
  return rows[0]?.n ?? 0;
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

/** Wherever its tenant has it, or in one of some scopes. */
export async function findContradictionOfTenant(
  db: Queryable,
  tenantId: string,
  id: string,
  scopeIds: string[] | null,
): Promise<(ContradictionRow & { scope_id: string }) | null> {
  const { rows } = await db.query<ContradictionRow & { scope_id: string }>(
    `select scope_id, found.* from (select scope_key, generation, ${ROW} from contradictions
                                   where contradiction_id = $2 and ${SHOWN}) found
       join scopes using (scope_key, generation)
      where tenant_id = $1 and ($3::text[] is null or scope_id = any ($3)) and ${ofLiveTenant('scopes')}`,
    [tenantId, id, scopeIds],
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
