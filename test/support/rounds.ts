/**
 * How often a test tries: seldom in `npm test`, often in `npm run test:long`. For files called `*.rounds.test.ts`, which
 * are part of both.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isLong: boolean;
  }
}

export const rounds = (few: number, many: number) => (inject('isLong') ? many : few);
