/** The stages and nothing else, as a process of its own: the same documents, threads and batches as in the service. */
import { availableParallelism } from 'node:os';
import { Pace } from '../../src/runtime/pace.ts';
import { Threads } from '../../src/runtime/threads.ts';
import { mixed } from './deep.ts';

const WORKERS = 3;
const MAX_BATCH = 250;

const module = new URL('../../src/runtime/pipeline-thread.ts', import.meta.url);
const threads = new Threads({
  threads: Math.max(1, availableParallelism() - 1),
  module,
  documentTimeoutMs: 5000,
  memoryMb: 256,
});
const pace = new Pace();
const documents = mixed.map((content, seq) => ({
  seq,
  document_id: `doc_${seq}`,
  version: 1,
  attempts: 0,
  ...content,
}));
let done = 0;
let at = 0;

function takeBatch() {
  const batch = [];
  for (let bytes = 0; batch.length < MAX_BATCH; at++) {
    const document = documents[at % documents.length] as (typeof documents)[number];
    bytes += document.text.length;
    if (batch.length > 0 && bytes > pace.full.bytes) break;
    batch.push(document);
  }
  return batch;
}

async function work(): Promise<never> {
  const watcher = { signal: new AbortController().signal, onProgress: () => {} };
  for (;;) {
    const batch = takeBatch();
    const { ms, results } = await threads.read('bench', batch, watcher);
    if (ms === null || results.some((result) => !result || 'error' in result))
      throw new Error('a document was not read');
    pace.learn(batch, ms);
    done += batch.length;
  }
}

process.on('message', () => process.send?.({ done }));
process.on('disconnect', () => process.exit());
threads.start();
for (let n = 0; n < WORKERS; n++) void work();
process.send?.({});
