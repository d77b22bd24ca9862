/** The event log's one way in from TypeScript. To be called as the last statement of the transaction that makes the change. */
import type { EventType, PayloadOf } from '../contract/events.ts';

/** An event of any type, with the payload of that type. */
export type NewEvent = {
  [T in EventType]: { type: T; tenant_id: string | null; scope_id: string | null; payload: PayloadOf<T> };
}[EventType];

/** A transaction, as far as the log needs to know it. */
interface Writer<Witness extends object> {
  query<Row extends Witness>(sql: string, values: unknown[]): Promise<{ rows: Row[] }>;
  /** What settles a commit whose connection broke. */
  witness?: Witness;
}

/** Holds the log's lock from here to the commit: anything slow has to come before. */
export async function appendEvents<Witness extends object>(tx: Writer<Witness>, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await tx.query<Witness>('select * from append_witnessed_events($1::json)', [JSON.stringify(events)]);
  tx.witness = rows[0] as Witness;
}
