/** A process that reads documents on so many threads for as long as it is told, and says how far it came. */
import { Threads } from '../../src/runtime/threads.ts';
import { randomFrom, report } from './prose.ts';

const [threads = 1, characters = 5000] = process.argv.slice(2).map(Number);
const BATCH_CHARACTERS = 200_000;

const random = randomFrom(5);
const documents = Array.from({ length: Math.ceil(BATCH_CHARACTERS / characters) }, (_, n) => ({
  name: `Report ${n}`,
  type: 'txt',
  text: report(random, n, characters - 200).slice(0, characters),
}));
const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
const pool = new Threads({
  threads,
  module: new URL('../../src/runtime/pipeline-thread.ts', import.meta.url),
  documentTimeoutMs: 60_000,
  memoryMb: 256,
});
const watcher = { signal: new AbortController().signal, onProgress: () => {} };

/** Two batches a thread, so that none waits for the next. */
async function read(ms: number) {
  let batches = 0;
  let claims = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 2 * threads }, async () => {
      while (performance.now() - began < ms) {
        const { results } = await pool.read('bench', documents, watcher);
        for (const result of results) {
          if (!result || 'error' in result) throw new Error('a document was not read');
          claims += result.outcome.count;
        }
        batches++;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return { megabytesPerSecond: (batches * bytes) / seconds / 1e6, claims, rss: process.memoryUsage().rss };
}

process.on('disconnect', () => process.exit());
process.on('message', (ms: number) => void read(ms).then((done) => process.send?.(done)));
pool.start();
process.send?.({ rss: process.memoryUsage().rss });
