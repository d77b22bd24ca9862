/** What an attempt at a document that came to nothing means for it. */
import type { Result } from '../storage/batches.ts';
import type { ClaimedDocument } from '../storage/lanes.ts';

export interface AttemptOptions {
  attempts: number;
  retryBaseMs: number;
}

const MAX_BACKOFF_MS = 5 * 60_000;

export function spent({ seq }: ClaimedDocument): Result {
  return { seq, tried: false, error: 'Its worker vanished each time it was processed.', retry_ms: null };
}

export function failureOf({ seq, attempts }: ClaimedDocument, error: string, options: AttemptOptions): Result {
  return { seq, tried: true, error, retry_ms: backOff(attempts + 1, options) };
}

/** Twice as long after each attempt; null when that was the last. */
function backOff(attempts: number, { attempts: most, retryBaseMs }: AttemptOptions): number | null {
  if (attempts >= most) return null;
  return Math.min(MAX_BACKOFF_MS, retryBaseMs * 2 ** (attempts - 1));
}
