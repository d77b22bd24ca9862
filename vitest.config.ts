import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/postgres.ts',
    // Some tests start the whole service several times.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
