import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/support/redis.ts'],
    // Most of the time goes into waiting for processes, so a worker for each of two cores is not too many.
    maxWorkers: 2,
    // Some tests start the whole service several times.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
