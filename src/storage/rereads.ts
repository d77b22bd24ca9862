/** Which scopes hold what older rules have read, and how far each was read again: columns of the scopes table. */
import type { Queryable } from './database.ts';
import { type ClaimedRow, type Lease, type TakenLane, toClaimed } from './lanes.ts';
import type { ScopeHandle } from './scopes.ts';

export interface RereadOptions {
  holder: string;
  /** Those in force. */
  rules: number;
  leaseMs: number;
  documents: number;
  bytes: number;
}

/** What the next tenant has: a lane that is leased now, a scope of which nothing is left, or nothing that can be done now. */
export interface TakenReread {
  tenant_id: string;
  lane?: TakenLane;
  finished?: ScopeHandle;
}

/** Null when no tenant comes after that one, or none may be worked for. */
export async function updateRereadTakenAcrossTenants(
  db: Queryable,
  afterTenant: string,
  { holder, rules, leaseMs, documents, bytes }: RereadOptions,
): Promise<TakenReread | null> {
  type Row = [...ClaimedRow, claims: number | null, warnings: string[] | null];
  type Lane = Omit<TakenLane, 'holder' | 'documents'> & { documents: Row[] };
  const { rows } = await db.query<{ taken: (Omit<TakenReread, 'lane'> & { lane?: Lane }) | null }>(
    'select take_reread($1, $2, $3, $4, $5, $6) as taken',
    [holder, rules, afterTenant, leaseMs, documents, bytes],
  );
  const taken = rows[0]?.taken ?? null;
  if (!taken?.lane) return taken as Omit<TakenReread, 'lane'> | null;
  const claimed = taken.lane.documents.map((row) => {
    const [claims, warnings] = row.slice(9) as [number | null, string[] | null];
    return { ...toClaimed(row.slice(0, 9) as ClaimedRow), claims, warnings };
  });
  return { tenant_id: taken.tenant_id, lane: { ...taken.lane, holder, documents: claimed, isAgain: true } };
}

/** Ends a lease with nothing done and nobody to blame, as if it had not been taken; false when it had gone to somebody else. */
export async function updateRereadHandedBack(
  db: Pick<Queryable, 'query'>,
  { scope_key, holder, epoch }: Lease,
  patienceMs: number,
): Promise<boolean> {
  const { rows } = await db.query<{ was_ours: boolean }>('select hand_back_reread($1, $2, $3, $4) as was_ours', [
    scope_key,
    holder,
    epoch,
    patienceMs,
  ]);
  return rows[0]?.was_ours ?? false;
}

/**
 * Of a scope that the transaction has locked, that all of it was read by these rules; null when that is not so, or was noted
 * before. Returns whether any of it was read again.
 */
export async function updateScopeReread(
  tx: Queryable,
  { scope_key }: ScopeHandle,
  rules: number,
): Promise<boolean | null> {
  const { rows } = await tx.query<{ reread: boolean }>(
    `update scopes set rules = $2, reread_from = 0, reread_tries = 0, reread_at = '-infinity'
       from (select reread_from > 0 as reread from scopes where scope_key = $1) before
      where scope_key = $1 and rules < $2
        and not exists (select from readings r where r.scope_key = $1 and r.generation = scopes.generation
                           and r.seq >= scopes.reread_from and r.rules < $2)
      returning before.reread`,
    [scope_key, rules],
  );
  return rows[0]?.reread ?? null;
}

export interface RereadProgress {
  /** Whether it goes on, as far as operators have a say in it. */
  is_on: boolean;
  /** Scopes that are to be read again, or being so; no more are counted than so many. */
  scopes: number;
  /** Some of them, and how far they have come. */
  first: { tenant_id: string; scope_id: string; state: string; reread_from: number; next_seq: number }[];
}

const OLDER = 'from scopes join tenants using (tenant_id) where rules < $1 and deleted_at is null';

export async function findRereadProgressAcrossTenants(
  db: Queryable,
  rules: number,
  { most, shown }: { most: number; shown: number },
): Promise<RereadProgress> {
  const { rows } = await db.query<RereadProgress>(
    `select (select rereads from runtime) as is_on,
            (select count(*)::float8 from (select ${OLDER} limit $2) older) as scopes,
            (select coalesce(json_agg(one), '[]') from (
               select tenant_id, scope_id, scopes.state, reread_from, next_seq ${OLDER}
                order by reread_from = 0, scope_key limit $3) one) as first`,
    [rules, most, shown],
  );
  return rows[0] as RereadProgress;
}

export async function updateRereads(db: Queryable, isOn: boolean): Promise<void> {
  await db.query('update runtime set rereads = $1 where rereads <> $1', [isOn]);
}
