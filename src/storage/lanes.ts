/** The lanes table: which scopes have documents to process, who works on each, and until when. Ending a turn is `batches.ts`, and counting them `lane-load.ts`. */
import type { Queryable } from './database.ts';
import type { StoredState } from './documents.ts';
import type { Place, ScopeHead } from './readings.ts';

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
  /** Its documents are processed, and read again by newer rules. */
  isAgain?: boolean;
}

export interface ClaimedDocument {
  seq: number;
  document_id: string;
  version: number;
  attempts: number;
  name: string;
  type: string;
  text: string;
  state: StoredState;
  /** From when it was queued until it was claimed. */
  waited_ms: number;
  /** Of the request that brought it; not where it is read again, long after that. */
  traceparent?: string | null;
  /** How many claims its reading has, where it is read again. */
  claims?: number | null;
  /** Of that reading. */
  warnings?: string[] | null;
}

/** A lane of a turn, with the documents that were claimed for it in order of seq: none when nothing was due. */
export interface TakenLane extends Lease {
  head: ScopeHead;
  documents: ClaimedDocument[];
  /** Whether one was due in the lanes of this turn for which it had not bytes enough left; not told where nothing is new. */
  is_cut?: boolean;
}

export interface TakeOptions {
  holder: string;
  leaseMs: number;
  /** In which a tenant may take part at once. */
  turnsPerTenant: number;
  lanes: number;
  /** Over all lanes. */
  documents: number;
  bytes: number;
}

/** Leases the lanes whose turn it is, as many as fill a batch, under one epoch. None when there is nothing to take. */
export async function updateLanesTakenAcrossTenants(db: Queryable, options: TakeOptions): Promise<TakenLane[]> {
  const { holder, leaseMs, turnsPerTenant, lanes, documents, bytes } = options;
  const { rows } = await db.query<{
    turn: (Omit<TakenLane, 'holder' | 'documents'> & { documents: TakenRow[] })[] | null;
  }>('select take_lanes($1, $2, $3, $4, $5, $6) as turn', [holder, leaseMs, turnsPerTenant, lanes, documents, bytes]);
  return (rows[0]?.turn ?? []).map((lane) => ({ ...lane, holder, documents: lane.documents.map(toTaken) }));
}

export type ClaimedRow = [
  seq: number,
  document_id: string,
  version: number,
  attempts: number,
  name: string,
  type: string,
  text: string,
  state: StoredState,
  waited_ms: number,
];

type TakenRow = [...ClaimedRow, traceparent: string | null];

function toTaken(row: TakenRow): ClaimedDocument {
  return { ...toClaimed(row), traceparent: row[9] };
}

export function toClaimed(row: [...ClaimedRow, ...unknown[]]): ClaimedDocument {
  const [seq, document_id, version, attempts, name, type, text, state, waited_ms] = row;
  return { seq, document_id, version, attempts, name, type, text, state, waited_ms };
}

/** By scope, which of these documents are still as they were claimed: some may have been deleted. */
export async function listStillClaimed(
  db: Queryable,
  lanes: Pick<TakenLane, 'scope_key' | 'generation' | 'documents'>[],
): Promise<Map<string, Set<number>>> {
  const claimed = lanes.flatMap(({ documents, ...lane }) =>
    documents.map(({ seq, state }) => ({ ...lane, seq, state })),
  );
  const { rows } = await db.query<{ scope_key: string; seq: number }>(
    `select d.scope_key, d.seq::float8 as seq
       from unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) as claimed (scope_key, generation, seq, state)
      cross join lateral (
        select * from documents d
         where d.scope_key = claimed.scope_key and d.generation = claimed.generation
           and d.seq between claimed.seq and claimed.seq order by d.seq limit 1) d
      where d.state in ('queued', 'retrying') and claimed.state <> 'processed' or d.state = claimed.state`,
    [
      claimed.map(({ scope_key }) => scope_key),
      claimed.map(({ generation }) => generation),
      claimed.map(({ seq }) => seq),
      claimed.map(({ state }) => state),
    ],
  );
  const still = new Map(lanes.map(({ scope_key }) => [scope_key, new Set<number>()]));
  for (const { scope_key, seq } of rows) still.get(scope_key)?.add(seq);
  return still;
}

/** Locks the scope of a lane, unless somebody else has it for so long. */
export async function lockScopeOfLane(tx: Queryable, { scope_key }: Place, patienceMs: number): Promise<boolean> {
  const { rows } = await tx.query<{ locked: string[] }>('select lock_scopes($1, $2) as locked', [
    [scope_key],
    patienceMs,
  ]);
  return rows[0]?.locked.length === 1;
}

/** All leases of a turn; false when all of them are lost. */
export async function updateLeasesExtended(
  db: Queryable,
  { holder, epoch }: Pick<Lease, 'holder' | 'epoch'>,
  scopeKeys: string[],
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update lanes set ready_at = clock_timestamp() + $4 * interval '1 ms'
      where scope_key = any ($1) and holder = $2 and epoch = $3 and ready_at > clock_timestamp()`,
    [scopeKeys, holder, epoch, leaseMs],
  );
  return rowCount !== 0;
}

export interface HandBack {
  /** So many documents are to be taken one at a time. */
  suspects?: number;
  /** When they may be taken again. */
  afterMs?: number;
}

/** Ends leases, run out or not, with nothing done and nobody to blame. Returns the scope keys of those that had not gone to somebody else. */
export async function updateLanesHandedBack(
  db: Queryable,
  leases: Lease[],
  { suspects = 0, afterMs = 0 }: HandBack = {},
): Promise<string[]> {
  const { rows } = await db.query<{ scope_key: string }>(
    `update lanes set holder = null, claimed = '{}', claimed_at = null,
                      ready_at = clock_timestamp() + $5 * interval '1 ms', suspects = greatest(suspects, $4)
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as its (scope_key, holder, epoch)
      where lanes.scope_key = any ($1) and lanes.scope_key = its.scope_key and lanes.holder = its.holder
        and lanes.epoch = its.epoch
      returning lanes.scope_key`,
    [
      leases.map(({ scope_key }) => scope_key),
      leases.map(({ holder }) => holder),
      leases.map(({ epoch }) => epoch),
      suspects,
      afterMs,
    ],
  );
  return rows.map(({ scope_key }) => scope_key);
}

/** Makes lanes, ready at once, for locked scopes that have documents to process. */
export async function insertLanes(tx: Queryable, scopeKeys: string[]): Promise<void> {
  await tx.query('select awaken_lanes($1)', [scopeKeys]);
}

/** Fences off whoever works on it. */
export async function deleteLane(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query('delete from lanes where scope_key = $1', [scopeKey]);
}

/** Of a scope of which nothing waits any more. Whoever reads it again goes on: that lane claims nothing, and goes with its lease. */
export async function deleteIdleLane(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query(`delete from lanes where scope_key = $1 and (holder is null or claimed <> '{}')`, [scopeKey]);
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

/** The longest wait for another attempt, and some more. */
const LONGEST_WAIT = `interval '6 minutes'`;

/**
 * When the clock has gone back, what was ready, leased or to be tried again would wait until it has caught up: nothing is
 * ever to be ready later than its lease or its wait allows.
 */
export async function updateLanesMadeReady(db: Queryable, leaseMs: number): Promise<void> {
  await db.query(
    `with late as (
       select lanes.scope_key, lanes.generation, lanes.holder, lanes.ready_at > now() + ${LONGEST_WAIT} as waits
         from lanes join scopes using (scope_key)
        where not held and ready_at > now() + interval '1 second'
          and (holder is null and queued > 0 or holder is not null and ready_at > now() + 2 * $1 * interval '1 ms'
               or ready_at > now() + ${LONGEST_WAIT})
          for update of lanes skip locked
     ), again as (
       update documents d set not_before = now() from late
        where late.waits and d.scope_key = late.scope_key and d.generation = late.generation and d.state = 'retrying'
          and d.not_before > now() + ${LONGEST_WAIT}
     ), turns as (
       update tenant_turns set served_at = now() where busy and served_at > now() + interval '1 second'
     )
     update lanes set ready_at = now() + case when late.holder is null then 0 else $1 end * interval '1 ms'
       from late where late.scope_key = lanes.scope_key`,
    [leaseMs],
  );
}
