import { afterEach } from 'vitest';
import { closeAfterFile } from './later.ts';

closeAfterFile();

/** What passes only the second time says so: the gate's log shows which tests a busy machine disturbs. */
afterEach(({ task }) => {
  if (task.result?.retryCount) process.stderr.write(`tried again: ${task.file.name} > ${task.name}\n`);
});
