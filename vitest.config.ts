import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Many tests start the service or a command as a process, and nearly half of the CPU that importing it takes is saved by
// not compiling the same files anew. Beside vitest's own cache, so that it goes when packages are installed anew.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.compile-cache', import.meta.url));

/** Those that take longest, first: begun last, one of them would keep one core busy and leave the other idle. */
const LONGEST = [
  'cli/backup.long',
  'process/replicas.long',
  'process/start',
  'domain/accept/model-work.rounds',
  'domain/accept/model.rounds',
  'console/states.long',
  'console/views.long',
  'console/decisions.long',
  'console/picture.long',
  'runtime/database-outage.long',
  'process/signals.long',
  'process/replicas',
  'cli/backup',
  'cli/tail',
  'runtime/failures',
  'runtime/control',
  'runtime/processing',
  'hardening/isolation',
  'cli/keys',
  'hardening/secrets.long',
  'process/data-folder.long',
  'events/log.rounds',
  'storage/embedded.long',
  'pipeline/hostile.rounds',
  'runtime/cost.long',
  'hardening/fuzz.rounds',
  'process/terminal',
  'runtime/health',
  'tools/check.long',
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
