/** Nudges: told that lanes have work, it has workers come. It may lose any of them; the sweeper brings lanes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backend, type Lane, type LaneJobs, laneId, laneJob, type WorkerSettings } from './contract.ts';
import { openPostgres } from './postgres.ts';
import { openRedis } from './redis.ts';

/** Nudges that wait for the queue; beyond, they are left to the sweeper. */
const WAITING_MOST = 10_000;
const AT_ONCE = 500;
const CLOSE_MS = 500;
/** How long one nudge is made use of while there is more: short turns would cost less than fetching a nudge for each. */
const STAY_MS = 100;
const PING_MS = 1000;

export interface QueueOptions {
  redisUrl: string | undefined;
  databaseUrl: string;
  /** What goes wrong with the queue; it recovers by itself. */
  onError: (error: Error) => void;
}

/** What comes for nudges. */
export interface QueueWorker {
  /** Waits for the turns in hand, for as long as given; then lets go of them. */
  close(withinMs: number): Promise<void>;
}

export async function openLaneQueue({ redisUrl, databaseUrl, onError }: QueueOptions): Promise<LaneQueue> {
  const backend = redisUrl ? openRedis(redisUrl, onError) : await openPostgres(databaseUrl, onError);
  return new LaneQueue(backend, onError);
}

export class LaneQueue {
  readonly #backend: Backend;
  readonly #onError: (error: Error) => void;
  readonly #waiting = new Map<string, Lane>();
  #isAdding = false;

  constructor(backend: Backend, onError: (error: Error) => void) {
    this.#backend = backend;
    this.#onError = onError;
  }

  /** Returns at once and never fails: a document is safe without it. */
  nudge(lanes: Lane[]): void {
    for (const lane of lanes) if (this.#waiting.size < WAITING_MOST) this.#waiting.set(laneId(lane), lane);
    if (this.#isAdding) return;
    this.#isAdding = true;
    // Not before whoever nudges now has named all of them.
    queueMicrotask(() => void this.#addAll());
  }

  async #addAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting.values()].slice(0, AT_ONCE);
      for (const lane of some) this.#waiting.delete(laneId(lane));
      try {
        await this.#jobs().addBulk(some.map(laneJob));
      } catch (error) {
        // Away or slow: no use in trying the rest one after the other.
        this.#waiting.clear();
        this.#onError(error as Error);
      }
    }
    this.#isAdding = false;
  }

  /** For lanes whose jobs may have been lost: a dead worker's job would swallow every further one of its lane. */
  async rouse(lanes: Lane[]): Promise<void> {
    const jobs = this.#jobs();
    for (const lane of lanes) await jobs.removeDeduplicationKey(laneId(lane));
    if (lanes.length > 0) await jobs.addBulk(lanes.map(laneJob));
  }

  async waiting(): Promise<number> {
    return this.#jobs().getWaitingCount();
  }

  #jobs(): LaneJobs {
    const jobs = this.#backend.jobs();
    if (!jobs) throw new Error('the queue does not answer');
    return jobs;
  }

  async isUp(): Promise<boolean> {
    return within(PING_MS, this.#backend.ping()).catch(() => false);
  }

  /**
   * `turn` serves a lane, and says whether it knows of more work. The nudge goes to the back of the queue then: the same
   * one, whichever lane was served, so that there are never fewer of them than lanes that were awakened.
   */
  work(turn: () => Promise<boolean>, settings: WorkerSettings): QueueWorker {
    const inHand = new Set<Promise<unknown>>();
    let closing = false;
    const takeTurns = async () => {
      const until = performance.now() + STAY_MS;
      let more = await turn();
      while (more && !closing && performance.now() < until) more = await turn();
      return more;
    };
    const worker = this.#backend.work(async ({ data }) => {
      if (closing) return;
      const taken = takeTurns();
      inHand.add(taken);
      if (await taken.finally(() => inHand.delete(taken))) this.nudge([data]);
    }, settings);
    return {
      async close(withinMs) {
        closing = true;
        const closed = worker.close().catch(() => {});
        await within(withinMs, Promise.allSettled(inHand));
        // It waits for ever for a Redis that is away.
        if (!(await within(CLOSE_MS, closed)))
          await within(
            CLOSE_MS,
            worker.close(true).catch(() => {}),
          );
      },
    };
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    await within(CLOSE_MS, this.#backend.close());
  }
}

/** Whether it was done in time. */
async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const timer = sleep(ms, false, { signal: late.signal }).catch(() => false);
  return Promise.race([done.then(() => true), timer]).finally(() => late.abort());
}
