/** What became of a commit whose answer never came. */
import type pg from 'pg';

/** What tells whether a transaction was committed: its id, and an event that it wrote. */
export interface Witness {
  xid: string;
  event_id: string;
  ts: string;
}

type Ask = <Row extends pg.QueryResultRow>(sql: string, values: unknown[]) => Promise<pg.QueryResult<Row>>;

/** Undefined as long as nobody can tell; a standby cannot, since it may not have heard of it yet. */
export async function wasCommitted(ask: Ask, { xid, event_id, ts }: Witness): Promise<boolean | undefined> {
  const status = await statusOf(ask, xid);
  if (status === 'in progress') return undefined;
  if (status === 'aborted') return false;
  // After a crash, this id may be another's: ids that never reached the disk are given again. Asked only now, since an event
  // is seen by statements that begin after its commit.
  const { rows } = await ask<{ seen: boolean; untold: boolean }>(
    `select exists (select from events where event_id = $1 and ts = $2::timestamptz) as seen,
            trimmed_up_to >= $1 or pg_is_in_recovery() as untold
       from event_log`,
    [event_id, ts],
  );
  if (rows[0]?.seen) return true;
  return rows[0]?.untold ? undefined : false;
}

/** Null for one that is so old that its end is no longer kept. */
async function statusOf(ask: Ask, xid: string): Promise<string | null> {
  try {
    const { rows } = await ask<{ status: string | null }>(
      `select case when pg_is_in_recovery() then 'in progress' else pg_xact_status($1::xid8) end as status`,
      [xid],
    );
    return rows[0]?.status ?? null;
  } catch (error) {
    // The server crashed, and has forgotten that it ever gave this id.
    if ((error as { code?: string }).code === IN_THE_FUTURE) return 'aborted';
    throw error;
  }
}

const IN_THE_FUTURE = '22023';
