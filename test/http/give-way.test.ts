/** Large requests share a turn of the event loop; what is not one of them does not wait for all of them. */
import { expect, it } from 'vitest';
import { giveWay } from '../../src/http/give-way.ts';

const PIECE_MS = 2;

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function large(pieces: number): Promise<void> {
  for (let n = 0; n < pieces; n++) {
    await giveWay();
    work(PIECE_MS);
  }
}

it('a hundred large requests at once give way to others all the time, and all come to their end', async () => {
  const works = Promise.all(Array.from({ length: 100 }, () => large(2)));
  let turns = 0;
  let isOver = false;
  works.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  // 400 ms of work: each by itself, with 5 ms of its own, they were done in one turn or two.
  expect(turns).toBeGreaterThan(30);
});
