import { afterEach } from 'vitest';
import { closeAfterFile } from './later.ts';

closeAfterFile();

/** Enough to know it by; a property that failed shows all that it was tried with. */
const MAX_SHOWN = 4000;

/** What passes only the second time says so, and why it did not the first time: a busy machine disturbs tests, and so does a bug. */
afterEach(({ task }) => {
  const { retryCount, errors = [] } = task.result ?? {};
  if (!retryCount) return;
  const why = errors.map(({ message }) => message.slice(0, MAX_SHOWN)).join('\n');
  process.stderr.write(`tried again: ${task.file.name} > ${task.name}\n${why}\n`);
});
