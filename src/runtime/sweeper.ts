/** Finds lanes that could run and for which nobody comes, and has the queue nudge again: its jobs may have been lost. */
import type { Queryable } from '../domain/database.ts';
import { Periodic } from '../periodic.ts';
import type { LaneQueue } from '../queue/lane-queue.ts';
import { listReadyLanesAcrossTenants, updateLanesMadeReady } from '../storage/lanes.ts';
import type { Rereads } from './rereads.ts';
import type { Unsettled } from './unsettled.ts';

const EVERY_MS = 1000;

export interface SweeperOptions {
  db: Queryable;
  queue: LaneQueue;
  /** Nudges that should be waiting while there is work for them. Any nudge serves any lane, so a few are enough. */
  nudges: number;
  leaseMs: number;
  /** Of this node's workers. */
  unsettled: Unsettled;
  rereads: Rereads;
  onError: (error: unknown) => void;
}

export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #sweeping: Periodic;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#sweeping = new Periodic({ task: () => this.#sweep(), pauseMs: EVERY_MS, onError: options.onError });
  }

  start(): void {
    this.#sweeping.start();
    void this.sweep();
  }

  stop(): Promise<void> {
    return this.#sweeping.stop();
  }

  /** One at a time; asked again meanwhile, it is the same one. */
  sweep(): Promise<void> {
    return this.#sweeping.run();
  }

  async #sweep(): Promise<void> {
    const { db, queue, nudges, leaseMs, unsettled, rereads } = this.#options;
    await unsettled.handBack(db);
    await updateLanesMadeReady(db, leaseMs);
    const ready = await listReadyLanesAcrossTenants(db, nudges);
    // One worker is enough to see whether there is anything to be read again.
    const wanted = Math.max(ready.length, Number(rereads.isDue));
    if (wanted === 0) return;
    const missing = wanted - (await queue.waiting());
    if (missing > 0) await queue.rouse(missing);
  }
}
