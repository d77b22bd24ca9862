/** The event log's one way in. To be called as the last statement of the transaction that makes the change. */

export type EventType =
  | 'document.accepted'
  | 'document.queued'
  | 'document.processed'
  | 'document.failed'
  | 'document.superseded'
  | 'document.deleted'
  | 'contradiction.reported'
  | 'contradiction.resolved'
  | 'contradiction.deferred'
  | 'scope.created'
  | 'scope.reset'
  | 'scope.deleted'
  | 'scope.ingest_triggered'
  | `runtime.${'started' | 'paused' | 'resumed' | 'stopped' | 'restarted'}`
  | `worker.${'started' | 'stopped' | 'restarted' | 'crashed'}`
  | 'tenant.created'
  | 'tenant.deleted'
  | 'key.issued'
  | 'key.revoked';

export interface NewEvent {
  type: EventType;
  tenant_id: string | null;
  scope_id: string | null;
  payload: Record<string, unknown>;
}

/** A database, as far as the log needs to know it. */
interface Reader {
  query<Row extends { event_id: string }>(sql: string): Promise<{ rows: Row[] }>;
}

export async function readLastEventId(db: Reader): Promise<string | null> {
  const { rows } = await db.query<{ event_id: string }>('select event_id from events order by event_id desc limit 1');
  return rows[0]?.event_id ?? null;
}

/** A transaction, as far as the log needs to know it. */
interface Writer {
  query<Row extends { xid: string }>(sql: string, values: unknown[]): Promise<{ rows: Row[] }>;
  xid?: string;
}

/** Holds the log's lock from here to the commit: anything slow has to come before. */
export async function appendEvents(tx: Writer, events: NewEvent[]): Promise<void> {
  const { rows } = await tx.query<{ xid: string }>('select append_events($1::json) as xid', [JSON.stringify(events)]);
  const xid = rows[0]?.xid;
  if (xid) tx.xid = xid;
}
