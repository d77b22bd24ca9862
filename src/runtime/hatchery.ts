/** The supervisor of this node's workers: starts them, has them come for nudges, replaces those that crash or hang. */

import type { Level } from '../domain/runtime.ts';
import type { QueueWorker } from '../queue/lane-queue.ts';
import type { LaneName } from '../storage/lanes.ts';
import { within } from '../within.ts';
import type { Turn } from './turn.ts';
import { type TakeTurn, Worker, type WorkerSnapshot } from './worker.ts';

export interface HatcheryOptions {
  nodeId: string;
  workers: number;
  /** A worker with no sign of life for so long is replaced. */
  stuckMs: number;
  /** Opens what comes for nudges, and the threads. */
  open: (turn: () => Promise<boolean>) => QueueWorker;
  /** Closes the threads. */
  onClosed: () => Promise<void>;
  turn: TakeTurn;
  onTurn: (turn: Turn | 'lost', ms: number) => void;
  onAction: (action: HatcheryAction, error?: Error) => void;
}

export interface HatcheryAction {
  at: string;
  action: 'started' | 'stopped' | 'crashed' | 'restarted';
  worker_id: string;
  reason: string;
}

const MAX_RECENT = 50;
const WATCH_EVERY_MS = 500;

export class Hatchery {
  readonly #options: HatcheryOptions;
  #workers: Worker[] = [];
  #queueWorker: QueueWorker | null = null;
  #watch: NodeJS.Timeout | undefined;
  /** Starts and stops are made one after the other, in the order they were asked for. */
  #changing: Promise<void> = Promise.resolve();
  #generation = 0;
  readonly recent: HatcheryAction[] = [];

  constructor(options: HatcheryOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#queueWorker !== null;
  }

  start(): Promise<void> {
    return this.#change(async () => this.#open());
  }

  /** Batches in hand may finish for so long; then they are handed back. */
  stop(withinMs: number): Promise<void> {
    return this.#change(() => this.#close(withinMs));
  }

  restart(withinMs: number): Promise<void> {
    return this.#change(async () => {
      await this.#close(withinMs);
      this.#open();
    });
  }

  #change(work: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  #open(): void {
    if (this.#queueWorker) return;
    const { nodeId, workers } = this.#options;
    this.#generation++;
    this.#workers = Array.from(
      { length: workers },
      (_, n) => new Worker(`${nodeId}-${this.#generation}.${n + 1}`, (worker, error) => this.#crashed(worker, error)),
    );
    this.#queueWorker = this.#options.open(() => this.#serve());
    for (const { id } of this.#workers) this.#note('started', id, 'the runtime is open');
    this.#watch = setInterval(() => this.#replaceStuck(), WATCH_EVERY_MS).unref();
  }

  async #close(withinMs: number): Promise<void> {
    const queueWorker = this.#queueWorker;
    if (!queueWorker) return;
    clearInterval(this.#watch);
    for (const worker of this.#workers) worker.drain(true);
    const hurry = setTimeout(() => {
      for (const worker of this.#workers) worker.hurry();
    }, withinMs);
    // A little more than the hurry needs to hand the lanes back.
    await queueWorker.close(withinMs + 500).finally(() => clearTimeout(hurry));
    this.#queueWorker = null;
    for (const { id } of this.#workers) this.#note('stopped', id, 'the runtime is closed');
    this.#workers = [];
    await this.#options.onClosed();
  }

  /** For each nudge: whoever is free takes a turn. Says whether there was anything to take. */
  async #serve(): Promise<boolean> {
    const worker = this.#workers.find(({ isFree }) => isFree);
    if (!worker) return false;
    const began = performance.now();
    const result = await worker.take(this.#options.turn);
    if (!result) return false;
    this.#options.onTurn(result, performance.now() - began);
    return result !== 'lost';
  }

  #crashed(worker: Worker, error: Error): void {
    this.#note('crashed', worker.id, error.message, error);
    this.#note('restarted', worker.id, 'after a crash');
  }

  #replaceStuck(): void {
    for (const worker of this.#workers) {
      if (!worker.isStuck(this.#options.stuckMs)) continue;
      worker.abandon();
      this.#note('restarted', worker.id, `no sign of life for ${this.#options.stuckMs} ms`);
    }
  }

  /** Waits for the batches of a level that are in hand now. Returns how many of them are still in hand when time is up. */
  async drain(level: Level, withinMs: number): Promise<number> {
    const waiting = new Set<Worker>();
    for (const worker of this.#workers) {
      const { inHand, leases } = worker;
      if (!inHand || (leases.length > 0 && !isAnyWithin(leases, level))) continue;
      waiting.add(worker);
      void inHand.finally(() => waiting.delete(worker));
    }
    await within(withinMs, Promise.all([...waiting].map(({ inHand }) => inHand)), null);
    return waiting.size;
  }

  /** Batches of a level that are in hand. */
  inHand(level: Level): number {
    return this.#workers.filter(({ leases }) => isAnyWithin(leases, level)).length;
  }

  /** Those that can take work: not the ones that lie down after too many crashes. */
  get size(): number {
    return this.#workers.filter(({ isDown }) => !isDown).length;
  }

  snapshot(): WorkerSnapshot[] {
    return this.#workers.map((worker) => worker.snapshot());
  }

  #note(action: HatcheryAction['action'], workerId: string, reason: string, error?: Error): void {
    const noted = { at: new Date().toISOString(), action, worker_id: workerId, reason };
    this.recent.push(noted);
    if (this.recent.length > MAX_RECENT) this.recent.shift();
    this.#options.onAction(noted, error);
  }
}

function isAnyWithin(lanes: LaneName[], { tenantId, scopeId }: Level): boolean {
  return lanes.some(
    (lane) => (tenantId === null || lane.tenant_id === tenantId) && (scopeId === null || lane.scope_id === scopeId),
  );
}
