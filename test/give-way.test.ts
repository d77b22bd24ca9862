/** Large requests share a turn of the event loop; what is not one of them does not wait for all of them. */
import { expect, it } from 'vitest';
import { giveWay } from '../src/give-way.ts';

const PIECE_MS = 2;
/** Before and after the moment at which a turn ends there are five milliseconds each, and the last piece may go over that. */
const MAX_PIECES = 6;

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** How many pieces of these requests were done in each turn of the event loop. */
async function piecesInTurns(begin: (request: () => Promise<void>) => Promise<unknown>): Promise<number[]> {
  let pieces = 0;
  let isOver = false;
  const request = async () => {
    for (let n = 0; n < 2; n++) {
      await giveWay();
      work(PIECE_MS);
      pieces++;
    }
  };
  const all = begin(request).then(() => {
    isOver = true;
  });
  const turns: number[] = [];
  while (!isOver) {
    const before = pieces;
    await nextTurn();
    turns.push(pieces - before);
  }
  await all;
  return turns;
}

it('a hundred large requests that begin together give way to others all the time', async () => {
  const turns = await piecesInTurns((request) => Promise.all(Array.from({ length: 100 }, request)));
  expect(turns.reduce((sum, pieces) => sum + pieces)).toBe(200);
  expect(Math.max(...turns)).toBeLessThanOrEqual(MAX_PIECES);
});

it('so do those that come one after the other in the same turn', async () => {
  const turns = await piecesInTurns(async (request) => {
    const requests: Promise<void>[] = [];
    for (let n = 0; n < 20; n++) {
      requests.push(request());
      // What was begun goes on as far as it can before the next one comes, as it does between two sockets.
      for (let microtasks = 0; microtasks < 20; microtasks++) await undefined;
    }
    await Promise.all(requests);
  });
  expect(turns.reduce((sum, pieces) => sum + pieces)).toBe(40);
  expect(Math.max(...turns)).toBeLessThanOrEqual(MAX_PIECES);
});
