/** Sends the documents of a scope that were only stored, and on request those that had failed, to be processed. */
import { appendEvents, type NewEvent } from '../events/log.ts';
import type { Database } from '../storage/database.ts';
import { updateSomeDocumentsQueued } from '../storage/documents.ts';
import { insertLanes, type LaneName } from '../storage/lanes.ts';
import { updateScopeCounters } from '../storage/scopes.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { lockScope } from './scopes.ts';

/** Pieces, so that nobody who posts to the scope waits long for its lock. */
const PIECE = 1000;
/** Then the caller is told how far it came, and may call again. */
const PATIENCE_MS = 10_000;

export interface Triggered {
  queued: number;
  already_queued: number;
  skipped: number;
  /** False when there was more than one call has time for. */
  complete: boolean;
}

export interface TriggerOptions {
  retryFailed: boolean;
  onQueued: (documents: number, awakened: LaneName[]) => void;
  deed: Deed;
}

export async function triggerIngest(
  db: Database,
  tenantId: string,
  scopeId: string,
  { retryFailed, onQueued, deed }: TriggerOptions,
): Promise<Triggered> {
  const lane = { tenant_id: tenantId, scope_id: scopeId };
  const { already_queued, skipped } = await announce(db, lane, retryFailed, deed);
  const deadline = performance.now() + PATIENCE_MS;
  let queued = 0;
  for (const from of retryFailed ? (['pending', 'failed'] as const) : (['pending'] as const)) {
    for (let sent = PIECE; sent === PIECE; queued += sent) {
      if (performance.now() > deadline) return { queued, already_queued, skipped, complete: false };
      const piece = await sendPiece(db, lane, from);
      ({ sent } = piece);
      if (sent > 0) onQueued(sent, piece.awakened ? [lane] : []);
    }
  }
  return { queued, already_queued, skipped, complete: true };
}

function announce(db: Database, lane: LaneName, retryFailed: boolean, deed: Deed) {
  return db.transaction(async (tx) => {
    const scope = await lockScope(tx, lane.tenant_id, lane.scope_id);
    await noteDeeds(tx, deed, { action: 'scope.ingest_triggered', ...lane, after: { retry_failed: retryFailed } });
    await appendEvents(tx, [{ type: 'scope.ingest_triggered', ...lane, payload: { retry_failed: retryFailed } }]);
    return { already_queued: scope.queued + scope.retrying, skipped: scope.registered };
  });
}

function sendPiece(db: Database, lane: LaneName, from: 'pending' | 'failed') {
  return db.transaction(async (tx) => {
    const scope = await lockScope(tx, lane.tenant_id, lane.scope_id);
    const documents = await updateSomeDocumentsQueued(tx, scope, from, PIECE);
    const sent = documents.length;
    if (sent === 0) return { sent, awakened: false };
    const awakened = scope.queued === 0;
    await updateScopeCounters(tx, [{ scope_key: scope.scope_key, [from]: -sent, queued: sent }]);
    if (awakened) await insertLanes(tx, [scope.scope_key]);
    await appendEvents(
      tx,
      documents.map((payload): NewEvent => ({ type: 'document.queued', ...lane, payload })),
    );
    return { sent, awakened };
  });
}
