/** The two backends of the queue: what has to hold on both is run on both. */
import { randomInt } from 'node:crypto';
import { describe, inject } from 'vitest';
import { DATABASES } from './redis.ts';
import type { TestOptions } from './service.ts';

const redisUrl = inject('redisUrl');

export interface QueueBackend {
  /** A queue of its own. */
  settings(): NonNullable<TestOptions['settings']>;
}

/** The number may have been taken before; there are many, and a test has a Postgres database of its own anyway. */
export const newRedisUrl = () => `${redisUrl}/${randomInt(1, DATABASES)}`;

export function onBothBackends(what: string, tests: (backend: QueueBackend) => void): void {
  describe(`${what}, queue in Postgres`, () => tests({ settings: () => ({}) }));
  onRedis(`${what}, queue in Redis`, () => tests({ settings: () => ({ REDIS_URL: newRedisUrl() }) }));
}

export const onRedis = describe.skipIf(redisUrl === '');
