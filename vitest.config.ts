import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Many tests start the service or a command as a process, and nearly half of the CPU that importing it takes is saved by
// not compiling the same files anew. Beside vitest's own cache, so that it goes when packages are installed anew.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.compile-cache', import.meta.url));

/** Those that take longest, first: begun last, one of them would keep one core busy and leave the other idle. */
const LONGEST = [
  'process/replicas.long',
  'cli/import.long',
  'console/states.long',
  'runtime/database-outage.long',
  'console/views.long',
  'tools/check.long',
  'process/backup.long',
  'runtime/order.rounds',
  'http/public/document-deletion.long',
  'process/signals.long',
  'cli/backup.long',
  'pipeline/storable.rounds',
  'cli/import-killed.long',
  'console/decisions.long',
  'domain/accept/model.rounds',
  'console/picture.long',
  'events/log.rounds',
  'domain/accept/model-work.rounds',
  'http/public/ingest-stream.long',
  'process/data-folder.long',
  'hardening/fuzz.rounds',
  'console/nothing.long',
  'http/public/ingest.rounds',
  'console/reading.long',
  'hardening/secrets.long',
  'process/start',
  'runtime/reread',
  'http/auth-matrix',
  'cli/import',
  'http/public/ingest-stream-ends',
  'cli/backup',
  'hardening/isolation',
  'cli/tail',
  'runtime/failures',
  'cli/keys',
  'process/replicas',
  'domain/accept/model-planted',
  'runtime/control',
  'runtime/own-extractor',
  'cli/usage',
  'http/waiting',
  'runtime/processing',
  'http/exports',
  'cli/export',
  'http/audits',
];

const rankOf = ({ moduleId }: TestSpecification) => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at < 0 ? LONGEST.length : at;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** Only in `npm run test:long`; and what both run, with fewer rounds in `npm test` (`rounds` in test/support). */
const LONG = 'test/**/*.long.test.ts';
const ROUNDS = 'test/**/*.rounds.test.ts';

/** A limit is met only by what hangs: a machine may be as busy as it likes, and a test waits for what is to happen. */
const HANGS_MS = 400_000;

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  return {
    test: {
      include: isLong ? [LONG, ROUNDS] : ['test/**/*.test.ts'],
      exclude: isLong ? [] : [LONG],
      provide: { isLong },
      globalSetup: ['test/support/postgres.ts', 'test/support/redis.ts'],
      setupFiles: ['test/support/setup.ts'],
      // What a file opens it closes, and its databases are its own: importing the service anew cost the tests of routes a third of their CPU.
      isolate: false,
      sequence: { sequencer: LongestFirst },
      // Much of the time goes into waiting for processes and leases, so twice the two cores of the gate. The long ones strike
      // whole services, which give themselves ten seconds to end: three of those at once are as much as two cores bear.
      maxWorkers: isLong ? 3 : 4,
      // A virtual machine may lose its cores for seconds, and what lives on leases and time-outs fails then. Twice in a row is
      // no accident; the gate shows what was tried again.
      retry: 1,
      testTimeout: isLong ? 5 * HANGS_MS : HANGS_MS,
      hookTimeout: HANGS_MS,
      expect: { poll: { timeout: HANGS_MS / 4 } },
    },
  };
});
