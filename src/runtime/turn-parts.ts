/** What a turn works with, and how it is to be done. */
import type { Convergence } from '../domain/convergence.ts';
import type { FailedDocument, SettleOptions } from '../domain/settle/settle.ts';
import type { Batches } from '../figures/histogram.ts';
import type { LaneName } from '../storage/lanes.ts';
import type { AttemptOptions } from './attempts.ts';
import type { ClaimCache } from './claim-cache.ts';
import type { RemoteExtractor } from './extractor.ts';
import type { OneAtATime, WorkerDatabase } from './one-at-a-time.ts';
import type { Rereads } from './rereads.ts';
import type { ScopeIndexes } from './scope-indexes.ts';
import type { Sketches } from './sketches.ts';
import type { Threads } from './threads.ts';
import type { Unsettled } from './unsettled.ts';

export interface TurnOptions extends AttemptOptions, Pick<SettleOptions, 'unfiledKeys'> {
  convergence: Pick<Convergence, 'next' | 'note'>;
  leaseMs: number;
  /** In which a tenant may take part at once, over all nodes. */
  turnsPerTenant: number;
  /** For a scope that somebody else has locked; then its lane is handed back. */
  lockPatienceMs: number;
}

/** What all turns of a node share. */
export interface NodeParts {
  line: Pick<OneAtATime, 'taking' | 'during'>;
  /** For what must not wait for the statements of other turns, nor they for it. */
  beside: WorkerDatabase;
  threads: Pick<Threads, 'read' | 'compare'>;
  cache: ClaimCache;
  sketches: Sketches;
  indexes: ScopeIndexes;
  /** The operator's own, if there is one, and how many documents it may have at once. */
  extractor?: Extractor | undefined;
  /** Of this node's workers. */
  unsettled: Unsettled;
  rereads: Rereads;
  /** Counts what was settled at once. */
  settles?: Batches | undefined;
  /** Told of each document that has failed for good, after that was committed. Its error has nothing of its text. */
  onFailed: (failed: LaneName & FailedDocument) => void;
  options: TurnOptions;
}

export interface TurnParts extends NodeParts {
  /** In line with the statements of other turns. */
  db: WorkerDatabase;
}

export type Extractor = Pick<RemoteExtractor, 'atOnce' | 'extract' | 'figures'>;
