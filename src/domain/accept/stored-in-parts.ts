/** Has a batch stored at once, or, where one row would fail its neighbours, in halves until that one is found. */
import { AppError } from '../../errors.ts';
import type { FlushResult } from './flush.ts';
import { toOutcome } from './unanswered.ts';

/** What became of some of them: what the flush found, or why none of them is stored. */
export interface Stored<Entry> {
  entries: Entry[];
  result: FlushResult | AppError;
}

export async function* storedInParts<Entry>(
  batch: Entry[],
  store: (entries: Entry[]) => Promise<FlushResult>,
): AsyncGenerator<Stored<Entry>> {
  if (batch.length === 0) return;
  const result = await store(batch).catch(toOutcome);
  const isBad = result instanceof AppError && result.code !== 'unavailable';
  if (!isBad || batch.length === 1) {
    yield { entries: batch, result };
    return;
  }
  const middle = batch.length >> 1;
  yield* storedInParts(batch.slice(0, middle), store);
  yield* storedInParts(batch.slice(middle), store);
}
