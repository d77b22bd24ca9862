/** A Redis of the storm's own: emptied, killed, started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { PREFIX, QUEUE } from '../../src/queue/contract.ts';
import { closeLater, makeSureItIsOn } from '../ending.ts';
import { until } from '../waiting.ts';
import { freePort } from './ports.ts';

/** Where BullMQ keeps the nudges. */
const [WAITING, ACTIVE] = [`${PREFIX}:${QUEUE}:wait`, `${PREFIX}:${QUEUE}:active`];

export class OwnRedis {
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(folder: string): Promise<OwnRedis> {
    const redis = new OwnRedis(folder, await freePort());
    closeLater(() => redis.kill());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    makeSureItIsOn();
    const options = ['--bind', '127.0.0.1', '--save', '', '--maxmemory-policy', 'noeviction', '--dir', this.#folder];
    this.#child = spawn('redis-server', ['--port', `${this.#port}`, ...options], { stdio: 'ignore' });
    this.#child.once('error', () => {});
    const isUp = () => this.ask(async (client) => (await client.ping()) === 'PONG');
    if (!(await until(isUp, 10_000))) throw new Error('redis-server did not start: is it installed?');
  }

  /** What it held is gone with it: nothing is saved. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Nudges that wait or are in hand. */
  nudges(): Promise<number> {
    return this.ask(async (client) => {
      const [waiting, active] = await Promise.all([client.llen(WAITING), client.llen(ACTIVE)]);
      return waiting + active;
    });
  }

  /** Empties it; returns how many nudges were in it. */
  flush(): Promise<number> {
    return this.ask(async (client) => {
      const [waiting, active] = await client
        .multi()
        .llen(WAITING)
        .llen(ACTIVE)
        .flushall()
        .exec()
        .then((answers) => (answers ?? []).map(([, value]) => Number(value)));
      return (waiting ?? 0) + (active ?? 0);
    });
  }

  async ask<Result>(work: (client: Redis) => Promise<Result>): Promise<Result> {
    const client = new Redis(this.url, { retryStrategy: () => null, maxRetriesPerRequest: 0, commandTimeout: 3000 });
    client.on('error', () => {});
    return work(client).finally(() => client.disconnect());
  }
}
