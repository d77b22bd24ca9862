/** Work that one tenant can make large, in pieces: whoever asks something of this process waits for one of them at most. */
import { giveWay } from '../give-way.ts';

/** The work stops after each piece of a millisecond or two, and others are answered before it goes on. */
export async function inPieces<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await giveWay();
  }
}

/** Where there is nobody else. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
