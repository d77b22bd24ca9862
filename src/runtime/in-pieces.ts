/** Work that one tenant can make large, in pieces, so that whoever asks something of this process is answered meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long it may go on before others are answered. */
const PIECE_MS = 2;

/** The work stops wherever it can be left for a moment, and as often as it likes. */
export async function inPieces<Result>(work: Generator<void, Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < PIECE_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** The same where nobody else is to be answered. */
export function inOneGo<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
