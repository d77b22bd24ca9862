/** Nudges: told that there is work, it has workers come. It may lose any of them; the sweeper makes up for it. */
import { within } from '../within.ts';
import { type Backend, SLOTS, slotId, type TurnJobs, turnJob, type WorkerSettings } from './contract.ts';
import { openPostgres } from './postgres.ts';
import { openRedis } from './redis.ts';

const CLOSE_MS = 500;
/** How long a worker that was nudged goes on while there is more: fetching a nudge costs more than a turn of one document. */
const STAY_MS = 1000;
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
  #wanted = 0;
  #slot = 0;
  #isAdding = false;

  constructor(backend: Backend, onError: (error: Error) => void) {
    this.#backend = backend;
    this.#onError = onError;
  }

  /** Has so many workers come. Returns at once and never fails: a document is safe without it. */
  nudge(workers = 1): void {
    this.#wanted = Math.min(SLOTS, this.#wanted + workers);
    if (this.#isAdding) return;
    this.#isAdding = true;
    // Not before whoever nudges now has asked for all of them.
    queueMicrotask(() => void this.#addAll());
  }

  async #addAll(): Promise<void> {
    while (this.#wanted > 0) {
      const slots = this.#nextSlots(this.#wanted);
      this.#wanted = 0;
      try {
        await this.#jobs().addBulk(slots.map(turnJob));
      } catch (error) {
        // Away or slow: no use in trying again at once.
        this.#wanted = 0;
        this.#onError(error as Error);
      }
    }
    this.#isAdding = false;
  }

  /** In turn, so that one whose job is held by a worker that is no more swallows few. */
  #nextSlots(count: number): number[] {
    return Array.from({ length: count }, () => this.#slot++);
  }

  /** When nudges may have been lost: a dead worker's job would swallow every further one of its slot. */
  async rouse(workers: number): Promise<void> {
    const jobs = this.#jobs();
    const slots = this.#nextSlots(Math.min(SLOTS, workers));
    for (const slot of slots) await jobs.removeDeduplicationKey(slotId(slot));
    await jobs.addBulk(slots.map(turnJob));
  }

  async waiting(): Promise<number> {
    return this.#jobs().getWaitingCount();
  }

  #jobs(): TurnJobs {
    const jobs = this.#backend.jobs();
    if (!jobs) throw new Error('the queue does not answer');
    return jobs;
  }

  async isUp(): Promise<boolean> {
    const answered = this.#backend.ping().then(
      () => true,
      () => false,
    );
    return within(PING_MS, answered, false);
  }

  /** `turn` says whether there was anything to do. A worker that is awake goes on until there is not, and wakes another on the way. */
  work(turn: () => Promise<boolean>, settings: WorkerSettings): QueueWorker {
    const inHand = new Set<Promise<unknown>>();
    let closing = false;
    const takeTurns = async () => {
      const until = performance.now() + STAY_MS;
      let more = await turn();
      for (let turns = 1; more && !closing && performance.now() < until; turns++) {
        more = await turn();
        // One turn was not enough.
        if (more && turns === 1) this.nudge();
      }
      return more;
    };
    const worker = this.#backend.work(async () => {
      if (closing) return;
      const taken = takeTurns();
      inHand.add(taken);
      if (await taken.finally(() => inHand.delete(taken))) this.nudge();
    }, settings);
    return {
      async close(withinMs) {
        closing = true;
        const close = (force: boolean) => worker.close(force).catch(() => {});
        const closed = close(false).then(() => true);
        await within(withinMs, Promise.allSettled(inHand), null);
        // It waits for ever for a Redis that is away.
        if (!(await within(CLOSE_MS, closed, false))) await within(CLOSE_MS, close(true), null);
      },
    };
  }

  async close(): Promise<void> {
    this.#wanted = 0;
    await within(CLOSE_MS, this.#backend.close(), null);
  }
}
