/** What a test file opens, closed when the file is done, the last one first; also what was opened within a test. */
import { afterAll } from 'vitest';

let closers: (() => unknown)[] = [];

export function later(close: () => unknown): void {
  closers.push(close);
}

/** Part of every file's setup: files share this module. */
export function closeAfterFile(): void {
  afterAll(async () => {
    const opened = closers.reverse();
    closers = [];
    for (const close of opened) await close();
  });
}
