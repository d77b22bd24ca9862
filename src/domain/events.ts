/** The event log as streams read it, and how it is kept from growing for ever. */
import type { EventEnvelope } from '../contract/events.ts';
import { toFrame } from '../events/frames.ts';
import type { Log } from '../events/hub.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/events.ts';

/** A short lock at a time. */
const TRIMMED_AT_ONCE = 5000;

/** What the tail reads: everything after an id. */
export async function readEvents(db: Queryable, after: number, limit: number): Promise<EventEnvelope[]> {
  return (await storage.listEventsAcrossTenants(db, String(after), null, limit)).map(toEnvelope);
}

/** What the hub falls back on for those who resume from far behind. */
export function logOf(db: Queryable): Log {
  return {
    async list({ scope, types }, after, limit) {
      const wanted = types && [...types];
      const rows = scope
        ? await storage.listScopeEvents(db, scope.tenantId, scope.scopeId, String(after), wanted, limit)
        : await storage.listEventsAcrossTenants(db, String(after), wanted, limit);
      return rows.map((row) => toFrame(toEnvelope(row)));
    },
    async ends() {
      const { newest, trimmed } = await storage.findLogEnds(db);
      return { newest: Number(newest), trimmed: Number(trimmed) };
    },
  };
}

function toEnvelope({ event_id, ...row }: storage.EventRow): EventEnvelope {
  const { type, ts, tenant_id, scope_id, payload } = row;
  return { id: event_id, type, ts, tenant_id, scope_id, payload };
}

/** One piece; true when there may be more. */
export async function trimEvents(db: Database, keep: { hours: number; rows: number }): Promise<boolean> {
  const gone = await db.transaction((tx) => storage.deleteOldEvents(tx, keep, TRIMMED_AT_ONCE));
  return gone === TRIMMED_AT_ONCE;
}
