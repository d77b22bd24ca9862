/** The kernel of this node: its hatchery, sweeper and sign of life, and what the routes ask of them. */

import { randomBytes } from 'node:crypto';
import type { RuntimeState } from '../contract/runtime.ts';
import type { Database } from '../domain/database.ts';
import type { Kernel } from '../domain/kernel.ts';
import { changeRuntime, type Level, nameOf, type RuntimeAction, type RuntimeOrder } from '../domain/runtime.ts';
import { appendEvents } from '../events/log.ts';
import type { ProcessFigures } from '../figures/process.ts';
import type { LaneQueue } from '../queue/lane-queue.ts';
import type { LaneName } from '../storage/lanes.ts';
import { findRuntime } from '../storage/runtime.ts';
import type { SchemaWatch } from '../storage/schema-watch.ts';
import { within } from '../within.ts';
import { ClaimCache } from './claim-cache.ts';
import { Figures } from './figures.ts';
import { Hatchery, type HatcheryAction } from './hatchery.ts';
import { Node } from './node.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Pace } from './pace.ts';
import { Rereads } from './rereads.ts';
import { ScopeIndexes } from './scope-indexes.ts';
import { Sketches } from './sketches.ts';
import { Sweeper } from './sweeper.ts';
import { Threads } from './threads.ts';
import { takeTurn } from './turn.ts';
import type { Extractor, NodeParts, TurnOptions } from './turn-parts.ts';
import { Unsettled } from './unsettled.ts';

export interface KernelOptions {
  db: Database;
  schema: SchemaWatch;
  queue: LaneQueue;
  role: 'all' | 'api' | 'worker';
  workers: number;
  turn: TurnOptions;
  threads: Omit<ConstructorParameters<typeof Threads>[0], 'onIdleDeath'>;
  /** For the indexes of scopes. */
  indexCacheMb: number;
  extractor?: Extractor | undefined;
  /** How long a turn may be without a sign of life. */
  stuckMs: number;
  /** Runnable work and no progress for so long is not healthy. */
  stallMs: number;
  /** What workers let go first, if there is any at the moment. */
  giveWayTo: () => Promise<unknown> | null;
  eventsUp: () => boolean;
  streams: () => number;
  waiters: () => number;
  /** The newest event that this process has read. */
  eventPosition?: () => number;
  /** What this process counts for Prometheus. */
  process?: ProcessFigures;
  /** Told after a batch was settled. */
  onSettled: () => void;
  /** What goes wrong and comes right again by itself. */
  onTrouble: (error: unknown, line: string) => void;
  onCrash: (error: Error, workerId: string) => void;
  onFailed: NodeParts['onFailed'];
}

/** How long an answer waits for this node to drain. */
const DRAIN_MS = 10_000;
/** How long batches may go on after the runtime was stopped; then they are handed back. */
const STOP_MS = 30_000;

export class LocalKernel implements Kernel {
  readonly nodeId = `node_${randomBytes(5).toString('hex')}`;
  readonly #options: KernelOptions;
  readonly #threads: Threads;
  /** None on a node that only serves the API. */
  readonly #hatchery: Hatchery | null;
  readonly #unsettled = new Unsettled();
  readonly #rereads = new Rereads();
  readonly #sweeper: Sweeper;
  readonly #node: Node;
  readonly #figures: Figures;
  #runtime: { state: RuntimeState; restarts: number } | null = null;
  #closing = false;
  /** What was done to workers is written down in its order. */
  #noted: Promise<void> = Promise.resolve();

  constructor(options: KernelOptions) {
    this.#options = options;
    const { db, queue, workers, onTrouble } = options;
    this.#threads = new Threads({
      ...options.threads,
      onIdleDeath: (error) => onTrouble(error, 'a thread has died with nothing in hand, and another takes its place'),
    });
    this.#hatchery = options.role === 'api' ? null : this.#newHatchery();
    const { nodeId } = this;
    this.#figures = new Figures({ ...options, nodeId, hatchery: this.#hatchery });
    this.#sweeper = new Sweeper({
      db,
      queue,
      nudges: 2 * workers,
      leaseMs: options.turn.leaseMs,
      unsettled: this.#unsettled,
      rereads: this.#rereads,
      onError: (error) => onTrouble(error, 'cannot look for lanes that were left behind'),
    });
    this.#node = new Node({
      db,
      nodeId,
      role: options.role,
      report: () => this.#figures.report(),
      follow: (runtime) => void this.#follow(runtime),
      onError: (error) => onTrouble(error, 'cannot tell the other nodes that this one is alive'),
    });
  }

  #newHatchery(): Hatchery {
    const { db, schema, queue, workers, stuckMs, extractor, turn: options } = this.#options;
    const pace = new Pace();
    const cache = new ClaimCache();
    const sketches = new Sketches();
    const indexes = new ScopeIndexes(this.#options.indexCacheMb);
    const { process } = this.#options;
    process?.cache('sketches', sketches.counts);
    process?.cache('claims', cache.counts);
    process?.cache('scope_indexes', indexes.counts);
    const parts = {
      line: new OneAtATime(db, this.#options.giveWayTo),
      beside: db,
      threads: this.#threads,
      cache,
      sketches,
      indexes,
      extractor,
      unsettled: this.#unsettled,
      rereads: this.#rereads,
      settles: process?.settles,
      onFailed: this.#options.onFailed,
      options,
    };
    return new Hatchery({
      nodeId: this.nodeId,
      workers,
      stuckMs,
      open: (turn) => {
        this.#threads.start();
        return queue.work(turn, { concurrency: workers, lockMs: options.leaseMs });
      },
      onClosed: () => this.#threads.stop(),
      turn: async (taker) => {
        await this.#threads.ready;
        // It could take lanes away from those who can settle them, and no more.
        if (await schema.whyUnfit(db)) return null;
        return takeTurn(parts, pace, taker);
      },
      onTurn: (turn, ms) => {
        this.#figures.turned(turn, ms);
        this.#options.onSettled();
      },
      onAction: (action, error) => this.#acted(action, error),
    });
  }

  async start(): Promise<void> {
    await this.#node.start();
    if (this.#hatchery) this.#sweeper.start();
  }

  /** Batches in hand may finish for so long; then they are handed back. */
  async close(withinMs: number): Promise<void> {
    this.#closing = true;
    await this.#sweeper.stop();
    await this.#hatchery?.stop(withinMs);
    await this.#noted;
    await this.#node.stop();
  }

  arrived(documents: number, awakened: LaneName[]): void {
    this.#figures.arrived(documents);
    if (awakened.length > 0) this.#options.queue.nudge();
  }

  async control(level: Level, action: RuntimeAction, order: RuntimeOrder) {
    const { db } = this.#options;
    const change = await changeRuntime(db, level, action, order);
    const draining = await this.#carryOut(level, action);
    await this.#node.announce();
    return {
      ...change,
      level: nameOf(level),
      tenant_id: level.tenantId,
      scope_id: level.scopeId,
      draining,
      nodes: await this.#node.list(),
    };
  }

  /** On this node at once; the others see it when they look next. Returns how many batches are still in hand. */
  async #carryOut(level: Level, action: RuntimeAction): Promise<number> {
    const goesOn = action === 'start' || action === 'resume';
    let draining = 0;
    if (this.#hatchery) {
      const changesWorkers = level.tenantId === null && action !== 'pause';
      if (changesWorkers) draining = await this.#followNow(this.#hatchery);
      else if (!goesOn) draining = await this.#hatchery.drain(level, DRAIN_MS);
    }
    if (goesOn) this.#rereads.wake();
    if (goesOn || action === 'restart') await this.#sweeper.sweep();
    return draining;
  }

  async #followNow(hatchery: Hatchery): Promise<number> {
    const following = this.#follow(await findRuntime(this.#options.db)).then(() => true);
    const isDone = await within(DRAIN_MS, following, false);
    // Once that is done, whatever is in hand was begun by new workers.
    return isDone ? 0 : hatchery.inHand({ tenantId: null, scopeId: null });
  }

  async #follow(runtime: { state: RuntimeState; restarts: number }): Promise<void> {
    const renew = this.#runtime !== null && runtime.restarts > this.#runtime.restarts;
    this.#runtime = runtime;
    if (!this.#hatchery || this.#closing) return;
    if (runtime.state === 'stopped') await this.#hatchery.stop(STOP_MS);
    else if (renew) await this.#hatchery.restart(STOP_MS);
    else await this.#hatchery.start();
  }

  #acted({ action, worker_id, reason }: HatcheryAction, error?: Error): void {
    const { db, onTrouble, onCrash } = this.#options;
    if (action === 'crashed') this.#figures.crashed();
    if (error) onCrash(error, worker_id);
    const event = {
      type: `worker.${action}` as const,
      tenant_id: null,
      scope_id: null,
      payload: { worker_id, reason },
    };
    this.#noted = this.#noted
      .then(() => db.transaction((tx) => appendEvents(tx, [event])))
      .catch((error) => onTrouble(error, 'cannot note what became of a worker'));
  }

  snapshot() {
    return this.#figures.snapshot();
  }

  health(waitedMs: number) {
    return this.#figures.health(waitedMs);
  }

  /** That operators have stopped the runtime is no fault of the node: it works as soon as they let it. */
  async whyIdle(): Promise<string | null> {
    const hatchery = this.#hatchery;
    if (hatchery?.isOpen && hatchery.size === 0) return 'All workers of this process rest: they crashed too often.';
    return (await this.#options.queue.isUp()) ? null : 'The queue does not answer; documents wait.';
  }

  controlPlaneHealth(waitedMs: number) {
    return this.#figures.controlPlaneHealth(waitedMs);
  }

  metrics(waitedMs: number) {
    return this.#figures.metrics(waitedMs);
  }
}
