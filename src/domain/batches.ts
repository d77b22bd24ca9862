/** What came of a turn, written all at once: documents, claims, contradictions, counters, convergence, events. */
import type { NewEvent } from '../events/log.ts';
import { type Batch, type FoundOut, type Settled, updateBatchesSettled } from '../storage/batches.ts';
import type { Database } from '../storage/database.ts';
import type { Lease } from '../storage/lanes.ts';
import { type Happened, notePoints, type Weights } from './convergence.ts';

/** What became of a batch: nothing is written of one whose lease is lost, or whose scope somebody else has locked. */
export type Outcome = Settled | 'lost' | 'locked';

/** The outcome of each batch, in order. All of them are of one turn. Waits so long over all for scopes that somebody else has locked. */
export async function settleBatches(
  db: Pick<Database, 'transaction'>,
  turn: Pick<Lease, 'holder' | 'epoch'>,
  batches: Batch[],
  weights: Weights,
  patienceMs: number,
): Promise<Outcome[]> {
  return db.transaction(async (tx) => {
    const settled = await updateBatchesSettled(tx, turn, batches, patienceMs);
    const happened: Happened[] = [];
    const outcomes = batches.map(({ lease }): Outcome => {
      const batch = settled.get(lease.scope_key);
      if (!batch) return batch === null ? 'locked' : 'lost';
      const { events, found, ...outcome } = batch;
      // A batch that was handed back with nothing done is none.
      if (events.length > 0 || outcome.retried > 0) {
        const told = [...(events as NewEvent[]), ...eventsOf(lease, found)];
        happened.push({ scope: lease, counts: found.counts, events: told });
      }
      return outcome;
    });
    if (happened.length > 0) await notePoints(tx, happened, weights);
    return outcomes;
  });
}

function eventsOf({ tenant_id, scope_id }: Lease, found: FoundOut): NewEvent[] {
  return [
    ...found.added.map((payload): NewEvent => ({ type: 'contradiction.detected', tenant_id, scope_id, payload })),
    ...found.reopened.map((payload): NewEvent => ({ type: 'contradiction.reopened', tenant_id, scope_id, payload })),
    ...found.retracted.map((payload): NewEvent => ({ type: 'contradiction.retracted', tenant_id, scope_id, payload })),
  ];
}
