/** The event log's one way in from TypeScript. To be called as the last statement of the transaction that makes the change. */
import type { EventType, PayloadOf } from '../contract/events.ts';

/** An event of any type, with the payload of that type. */
export type NewEvent = {
  [T in EventType]: { type: T; tenant_id: string | null; scope_id: string | null; payload: PayloadOf<T> };
}[EventType];

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
