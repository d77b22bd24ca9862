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

const OWN_WORDS =
  /^(?:(?:Reading|Comparing) it (?:took longer than \d+ ms|needed more than \d+ MB|ended its thread)|Its worker vanished each time it was processed)\.$/;
const REFUSAL = /^Postgres refused what was found in it: .* \((\w{5})\)\.$/s;

/** Of an error what may be logged: our own words. What the pipeline throws and what Postgres refuses may be quoted from the text. */
export function loggable(error: string): string {
  if (OWN_WORDS.test(error)) return error;
  const [, code] = REFUSAL.exec(error) ?? [];
  if (code) return `Postgres refused what was found in it (${code}).`;
  return 'It threw an error, which may quote its text: the record of the document has it.';
}

export function failureOf({ seq, attempts }: ClaimedDocument, error: string, options: AttemptOptions): Result {
  return { seq, tried: true, error, retry_ms: backOff(attempts + 1, options) };
}

/** Twice as long after each attempt; null when that was the last. */
function backOff(attempts: number, { attempts: most, retryBaseMs }: AttemptOptions): number | null {
  if (attempts >= most) return null;
  return Math.min(MAX_BACKOFF_MS, retryBaseMs * 2 ** (attempts - 1));
}
