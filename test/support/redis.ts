/** One Redis for all test files, when the machine has it; each test then takes a numbered database of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty when there is no redis-server: the tests on Redis are skipped then, and the gate fails. */
    redisUrl: string;
  }
}

export const DATABASES = 10_000;

export default async function setup(project: TestProject) {
  if (spawnSync('redis-server', ['--version']).error) {
    process.stderr.write('redis-server is not installed: the tests on Redis are skipped\n');
    project.provide('redisUrl', '');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'docket-redis-'));
  const { url, stop } = await startRedis(folder, await freePort());
  project.provide('redisUrl', url);
  return async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

export async function startRedis(folder: string, port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const args = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    folder,
    '--databases',
    `${DATABASES}`,
  ];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => {});
  await Promise.race([client.ping(), ended.then(() => Promise.reject(new Error('redis-server ended')))]);
  client.disconnect();
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await Promise.race([ended, sleep(5000)]);
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
