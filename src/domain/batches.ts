/** What came of a batch, written all at once: documents, claims, contradictions, counters, convergence, events. */
import type { NewEvent } from '../events/log.ts';
import { type Database, isForeignKeyViolation } from '../storage/database.ts';
import {
  type Findings,
  type FoundOut,
  type Lease,
  type Result,
  type Settled,
  updateBatchSettled,
} from '../storage/lanes.ts';
import { notePoint, type Weights } from './convergence.ts';

/** Null, and nothing written, when the lease is lost, or the tenant was deleted meanwhile. */
export function noteBatch(
  db: Pick<Database, 'transaction'>,
  lease: Lease,
  results: Result[],
  findings: Findings,
  weights: Weights,
): Promise<Settled | null> {
  const written = db.transaction(async (tx) => {
    const settled = await updateBatchSettled(tx, lease, results, findings);
    if (!settled) return null;
    const { events, found, ...outcome } = settled;
    // A batch that was handed back with nothing done is none.
    if (events.length === 0 && outcome.retried === 0) return outcome;
    await notePoint(tx, lease, found.counts, weights, [...(events as NewEvent[]), ...eventsOf(lease, found)]);
    return outcome;
  });
  return written.catch((error) => {
    if (isForeignKeyViolation(error)) return null;
    throw error;
  });
}

function eventsOf({ tenant_id, scope_id }: Lease, found: FoundOut): NewEvent[] {
  return [
    ...found.added.map((payload): NewEvent => ({ type: 'contradiction.detected', tenant_id, scope_id, payload })),
    ...found.reopened.map((payload): NewEvent => ({ type: 'contradiction.reopened', tenant_id, scope_id, payload })),
    ...found.retracted.map((payload): NewEvent => ({ type: 'contradiction.retracted', tenant_id, scope_id, payload })),
  ];
}
