/** What a test file opens, closed when the file is done, the last one first; also what was opened within a test. */
import { afterAll } from 'vitest';

const closers: (() => unknown)[] = [];

export function later(close: () => unknown): void {
  closers.push(close);
}

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});
