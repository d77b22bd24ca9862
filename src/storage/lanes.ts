/** The lanes table: which scopes have documents to process, who works on each, and until when. */
import type { Queryable } from './database.ts';

/** A lease. Everything that is written under it is fenced by its holder and epoch. */
export interface Lease {
  scope_key: string;
  tenant_id: string;
  scope_id: string;
  generation: number;
  holder: string;
  epoch: string;
  /** So many documents are to be taken one at a time. */
  suspects: number;
}

export interface ClaimedDocument {
  seq: number;
  document_id: string;
  version: number;
  attempts: number;
  name: string;
  type: string;
  text: string;
}

export interface Result {
  seq: number;
  /** Whether this was an attempt at it. */
  tried: boolean;
  /** Null when it was processed. */
  error: string | null;
  /** When to try again; null for never. */
  retry_ms: number | null;
}

export interface Settled {
  processed: number;
  failed: number;
  retried: number;
  superseded: number;
  /** Whether the tenant has a lane that is ready now. */
  more: boolean;
}

/** Leases the lane whose turn it is; null when there is none to take. */
export async function updateNextLaneTakenAcrossTenants(
  db: Queryable,
  holder: string,
  leaseMs: number,
  mostPerTenant: number,
): Promise<Lease | null> {
  const { rows } = await db.query<Omit<Lease, 'holder'>>('select * from take_lane($1, $2, $3)', [
    holder,
    leaseMs,
    mostPerTenant,
  ]);
  return rows[0] ? { ...rows[0], holder } : null;
}

/** The next documents of a leased lane, in order of seq. None when the lease is lost, or nothing is left. */
export async function updateDocumentsClaimed(
  db: Queryable,
  { scope_key, holder, epoch }: Lease,
  most: number,
  mostBytes: number,
): Promise<ClaimedDocument[]> {
  const { rows } = await db.query<ClaimedDocument>('select * from claim_documents($1, $2, $3, $4, $5)', [
    scope_key,
    holder,
    epoch,
    most,
    mostBytes,
  ]);
  return rows;
}

/** Ends the lease and writes what became of its documents; null, and nothing written, when the lease is lost. */
export async function updateBatchSettled(
  db: Queryable,
  { scope_key, holder, epoch }: Lease,
  results: Result[],
): Promise<Settled | null> {
  const { rows } = await db.query<Settled>('select * from settle_batch($1, $2, $3, $4::json)', [
    scope_key,
    holder,
    epoch,
    JSON.stringify(results),
  ]);
  return rows[0] ?? null;
}

/** False when the lease is lost. */
export async function updateLeaseExtended(
  db: Queryable,
  { scope_key, holder, epoch }: Lease,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update lanes set ready_at = clock_timestamp() + $4 * interval '1 ms'
      where scope_key = $1 and holder = $2 and epoch = $3 and ready_at > clock_timestamp()`,
    [scope_key, holder, epoch, leaseMs],
  );
  return rowCount === 1;
}

/** Makes lanes, ready at once, for locked scopes that have documents to process. */
export async function insertLanes(tx: Queryable, scopeKeys: string[]): Promise<void> {
  await tx.query('select awaken_lanes($1)', [scopeKeys]);
}

/** Fences off whoever works on it. */
export async function deleteLane(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query('delete from lanes where scope_key = $1', [scopeKey]);
}

export interface LaneName {
  tenant_id: string;
  scope_id: string;
}

const RUNNABLE = `lanes join tenants using (tenant_id)
  where not lanes.held and tenants.state = 'running' and (select state from runtime) = 'running'`;

/** Lanes that could be taken now, the one that has waited longest first. */
export async function listReadyLanesAcrossTenants(db: Queryable, most: number): Promise<LaneName[]> {
  const { rows } = await db.query<LaneName>(
    `select tenant_id, scope_id from ${RUNNABLE} and ready_at <= now() order by ready_at limit $1`,
    [most],
  );
  return rows;
}

export interface LaneLoad {
  lanes: number;
  in_work: number;
  backlog: number;
  /** How long the oldest document of a runnable lane has been waiting. */
  oldest_age_ms: number;
  /** How long the lane that could run and has waited longest has done so. */
  longest_wait_ms: number;
}

/** Over the lanes there are, not over their documents. */
export async function findLaneLoadAcrossTenants(db: Queryable): Promise<LaneLoad> {
  const { rows } = await db.query<LaneLoad>(
    `select count(*)::float8 as lanes, coalesce(sum(queued + retrying), 0)::float8 as backlog,
            (count(*) filter (where holder is not null and ready_at > now()))::float8 as in_work,
            coalesce((select extract(epoch from now() - min(d.queued_at)) * 1000
               from (select scope_key, generation from lanes order by ready_at limit 100) l
              cross join lateral (
                select queued_at from documents
                 where documents.scope_key = l.scope_key and documents.generation = l.generation
                   and state between 'queued' and 'queued' order by state, seq limit 1) d), 0)::float8 as oldest_age_ms,
            coalesce((select extract(epoch from now() - min(ready_at)) * 1000
               from ${RUNNABLE} and ready_at <= now()), 0)::float8 as longest_wait_ms
       from lanes join scopes using (scope_key)`,
  );
  return rows[0] as LaneLoad;
}
