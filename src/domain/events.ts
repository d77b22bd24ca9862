/** The event log as streams read it, and how it is kept from growing for ever. */
import type { EventEnvelope } from '../contract/events.ts';
import { typesToRead } from '../events/filter.ts';
import { toFrame } from '../events/frames.ts';
import type { Log } from '../events/past.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/events.ts';

/** A short lock at a time. */
const TRIMMED_AT_ONCE = 5000;

/** What the tail reads: everything after an id. */
export async function readEvents(db: Queryable, after: number, limit: number): Promise<EventEnvelope[]> {
  return (await storage.listEventsAcrossTenants(db, String(after), limit)).map(toEnvelope);
}

/** Where the tail goes on when nobody has heard what lies between. */
export async function readLastId(db: Queryable): Promise<number> {
  return Number(await storage.findLastEventId(db));
}

/** What the hub falls back on for those who resume from far behind. `reading`: connections that nobody else waits for. */
export function logOf(db: Queryable, reading: Queryable): Log {
  return {
    newest: async () => Number(await storage.findNewestEventId(db)),
    async read(filter, after, { look, most }) {
      const { scope, scopeIds } = filter;
      const piece = { after: String(after), types: typesToRead(filter), look, most };
      const { rows, first, trimmed } = !scope
        ? await storage.listPieceAcrossTenants(reading, piece)
        : scope.scopeId
          ? await storage.listPieceOfScope(reading, scope.tenantId, scope.scopeId, piece)
          : await storage.listPieceOfTenant(reading, scope.tenantId, scopeIds ? [...scopeIds] : null, piece);
      return {
        frames: rows.map((row) => toFrame(toEnvelope(row))),
        upTo: first === null ? null : Number(first) + look - 1,
        trimmed: Number(trimmed),
      };
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
