/**
 * The page of /docs and its script, made when somebody first asks for them, and in a thread: the module that has the script
 * takes 17 MB of the heap that it is loaded into for as long as that is there.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Reference {
  page: Uint8Array;
  script: Uint8Array;
}

const THREAD = new URL('./reference-thread.ts', import.meta.url);

let made: Promise<Reference> | null = null;

/** What failed is tried again by who asks next. */
export function reference(): Promise<Reference> {
  made ??= make().catch((error) => {
    made = null;
    throw error;
  });
  return made;
}

async function make(): Promise<Reference> {
  const worker = new Worker(THREAD);
  const ended = once(worker, 'exit').then(() => {
    throw new Error('the thread that makes the page of /docs ended without it');
  });
  // Rejects when the thread throws, too.
  const [bytes] = await Promise.race([once(worker, 'message'), ended]);
  await worker.terminate();
  return bytes;
}
