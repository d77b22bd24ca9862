/** What the kernel is told, worked out from the configuration and the machine. */
import { availableParallelism } from 'node:os';
import type { Convergence } from './domain/convergence.ts';
import { RemoteExtractor } from './runtime/extractor.ts';
import type { Extractor } from './runtime/turn-parts.ts';
import type { Config } from './settings.ts';

/** How long a worker waits for a scope that somebody else has locked: the other workers of the node wait with it. */
const LOCK_PATIENCE_MS = 100;

export function kernelSettings(config: Config, pipeline: URL, convergence: Convergence) {
  // A core is left for accepting, and for Postgres when it is on the same machine.
  const threads = config.THREADS ?? Math.max(1, availableParallelism() - 1);
  const workers = config.WORKERS ?? threads + 2;
  return {
    role: config.ROLE,
    workers,
    turn: {
      leaseMs: config.LANE_LEASE_MS,
      turnsPerTenant: config.TENANT_LANES ?? Math.max(1, workers - 1),
      lockPatienceMs: LOCK_PATIENCE_MS,
      attempts: config.DOCUMENT_ATTEMPTS,
      retryBaseMs: config.RETRY_BASE_MS,
      convergence,
      unfiledKeys: config.INDEX_SCOPE_KEYS,
    },
    threads: {
      threads,
      module: pipeline,
      documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
      memoryMb: config.DOCUMENT_MEMORY_MB,
    },
    indexCacheMb: config.INDEX_CACHE_MB,
    extractor: extractorOf(config),
    // A turn's longest silence: one document, one statement that runs out of time, or an extractor that does not answer.
    stuckMs:
      2 * (config.DOCUMENT_TIMEOUT_MS + config.DB_TIMEOUT_MS) +
      (config.EXTRACTOR_URL ? 2 * config.EXTRACTOR_ATTEMPTS * config.EXTRACTOR_TIMEOUT_MS : 0),
    // A lane of a dead worker waits for its lease, and nodes say only every second what they have done.
    stallMs: 2 * config.LANE_LEASE_MS + 2000,
  };
}

function extractorOf(config: Config): Extractor | undefined {
  if (!config.EXTRACTOR_URL) return undefined;
  return new RemoteExtractor({
    url: config.EXTRACTOR_URL,
    key: config.EXTRACTOR_KEY,
    timeoutMs: config.EXTRACTOR_TIMEOUT_MS,
    attempts: config.EXTRACTOR_ATTEMPTS,
    atOnce: config.EXTRACTOR_AT_ONCE,
  });
}

/** They add up to 1. */
export function weightsOf({ CONVERGENCE_WEIGHTS }: Config) {
  const sum = CONVERGENCE_WEIGHTS.reduce((all, weight) => all + weight, 0);
  const [agreement = 0, coverage = 0, stability = 0, corroboration = 0] = CONVERGENCE_WEIGHTS.map((w) => w / sum);
  return { agreement, coverage, stability, corroboration };
}
