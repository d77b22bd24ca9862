/** Work that one tenant can make large, in pieces, so that whoever asks something of this process is answered meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A piece ends at the first stop after so long. */
const PIECE_MS = 2;

let turn = Promise.resolve();

/** One piece in a turn of the event loop, whoever works at the same time. */
function nextPiece(): Promise<void> {
  turn = turn.then(() => nextTurn());
  return turn;
}

/** Carries out work that stops as often as it likes, and lets others be answered whenever it has gone on for long. */
export async function inPieces<Result>(work: Generator<void, Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < PIECE_MS) continue;
    await nextPiece();
    began = performance.now();
  }
}

/** The same where nobody else is to be answered. */
export function inOneGo<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
