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
  // Rejects when the thread throws.
  const [bytes] = await once(worker, 'message');
  await worker.terminate();
  return bytes;
}
