/** What came of the documents of a turn, as it is settled: written all at once, and only under the leases of their lanes. */
import type { ConvergenceCounts } from './convergence.ts';
import type { Queryable } from './database.ts';
import type { Lease } from './lanes.ts';

export interface Result {
  seq: number;
  /** Whether this was an attempt at it. */
  tried: boolean;
  /** Null when it was processed. */
  error: string | null;
  /** When to try again; null for never. */
  retry_ms: number | null;
}

export interface Settled {
  processed: number;
  failed: number;
  retried: number;
  superseded: number;
}

/** A reading as it is stored, and a contradiction between two of them. */
export interface NewReading {
  seq: number;
  document_id: string;
  document_hash: number;
  claims: string;
  count: number;
  keys: number[];
  groups: number[];
  values: number[];
  warnings: string[];
}

export interface NewConflict {
  contradiction_id: string;
  /** In base64; the same for the same claims of the same documents. */
  pair: string;
  claim_a: string;
  claim_b: string;
  subject: string;
  attribute: string;
  severity: string;
  reason: string;
  seq_a: number;
  seq_b: number;
  span_a: [number, number];
  span_b: [number, number];
  group_a: number;
  group_b: number;
  value_a: number;
  value_b: number;
}

/** What a batch found out beside what became of its documents. */
export interface Findings {
  readings: NewReading[];
  conflicts: NewConflict[];
  /** Contradictions whose documents are no longer compared. */
  dropped: string[];
}

interface OfContradiction {
  contradiction_id: string;
  severity: string;
  document_ids: string[];
}

export interface SettledBatch extends Settled {
  /** Of the documents: they are yet to be appended to the log. */
  events: object[];
  found: FoundOut;
}

/** What a batch did to contradictions, and what its point of convergence is made from. */
export interface FoundOut {
  added: OfContradiction[];
  reopened: { contradiction_id: string; evidence: string }[];
  retracted: OfContradiction[];
  counts: ConvergenceCounts;
}

/** What came of the documents of a lane. */
export interface Batch {
  lease: Lease;
  results: Result[];
  findings: Findings;
}

/** By scope_key: what was written of a batch, but for the events; null where somebody else has the scope locked. */
export type SettledBatches = Map<string, SettledBatch | null>;

/** Ends the leases of a turn. A batch whose lease is lost is not among those that are returned, and nothing of it is written. */
export async function updateBatchesSettled(
  tx: Queryable,
  { holder, epoch }: Pick<Lease, 'holder' | 'epoch'>,
  batches: Batch[],
  patienceMs: number,
): Promise<SettledBatches> {
  const given = batches.map(({ lease, results, findings }) => ({ lane: lease.scope_key, results, findings }));
  const { rows } = await tx.query<{ settled: { lane: string; batch: SettledBatch | null }[] }>(
    'select settle_lanes($1, $2, $3::json, $4) as settled',
    [holder, epoch, JSON.stringify(given), patienceMs],
  );
  return new Map(rows[0]?.settled.map(({ lane, batch }) => [lane, batch]));
}
