/** Inside a worker thread: reads the documents of a batch one by one, and says on the way which one it is at. */
import { setPriority } from 'node:os';
import type { ClaimedDocument } from '../storage/lanes.ts';

export type ThreadDocument = Pick<ClaimedDocument, 'name' | 'type' | 'text'>;

export interface ThreadTask {
  documents: ThreadDocument[];
  /** Shared with whoever watches: how many documents were begun. */
  progress: Int32Array;
}

/** What became of one document: what was read, or why not. */
export type ThreadResult<Reading> = { reading: Reading } | { error: string };

/** Below the thread that answers requests. Elsewhere than on Linux this would lower the whole process. */
const NICENESS = 10;
const MESSAGE_MOST = 500;

/** One result for each document, in order, and how long all of it took. */
export interface ThreadAnswer<Reading> {
  results: ThreadResult<Reading>[];
  ms: number;
}

/** What a thread runs for each batch. A document that throws takes only itself down. */
export function readInThread<Reading>(read: (document: ThreadDocument) => Reading) {
  if (process.platform === 'linux') setPriority(NICENESS);
  return ({ documents, progress }: ThreadTask): ThreadAnswer<Reading> => {
    const began = performance.now();
    const results = documents.map((document, index) => {
      Atomics.store(progress, 0, index + 1);
      try {
        return { reading: read(document) };
      } catch (error) {
        return { error: describe(error) };
      }
    });
    return { results, ms: performance.now() - began };
  };
}

/** As Postgres can keep it. */
function describe(error: unknown): string {
  const text = error instanceof Error && error.message ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, MESSAGE_MOST).toWellFormed();
}
