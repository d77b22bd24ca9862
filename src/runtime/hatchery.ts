/** The supervisor of this node's workers: seats them, has them come for nudges, replaces those that crash or hang. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Level } from '../domain/runtime.ts';
import type { QueueWorker } from '../queue/lane-queue.ts';
import type { LaneName } from '../storage/lanes.ts';
import { Seat, type SeatSnapshot, type TakeTurn } from './seat.ts';
import type { Turn } from './turn.ts';

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

const RECENT_MOST = 50;
const WATCH_EVERY_MS = 500;

export class Hatchery {
  readonly #options: HatcheryOptions;
  #seats: Seat[] = [];
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
    this.#seats = Array.from(
      { length: workers },
      (_, n) => new Seat(`${nodeId}-${this.#generation}.${n + 1}`, (seat, error) => this.#crashed(seat, error)),
    );
    this.#queueWorker = this.#options.open(() => this.#serve());
    for (const { id } of this.#seats) this.#note('started', id, 'the runtime is open');
    this.#watch = setInterval(() => this.#replaceStuck(), WATCH_EVERY_MS).unref();
  }

  async #close(withinMs: number): Promise<void> {
    const queueWorker = this.#queueWorker;
    if (!queueWorker) return;
    clearInterval(this.#watch);
    for (const seat of this.#seats) seat.drain(true);
    const hurry = setTimeout(() => {
      for (const seat of this.#seats) seat.hurry();
    }, withinMs);
    // A little more than the hurry needs to hand the lanes back.
    await queueWorker.close(withinMs + 500).finally(() => clearTimeout(hurry));
    this.#queueWorker = null;
    for (const { id } of this.#seats) this.#note('stopped', id, 'the runtime is closed');
    this.#seats = [];
    await this.#options.onClosed();
  }

  /** For each nudge: whoever is free takes a turn. Says whether there was anything to take. */
  async #serve(): Promise<boolean> {
    const seat = this.#seats.find(({ isFree }) => isFree);
    if (!seat) return false;
    const began = performance.now();
    const result = await seat.take(this.#options.turn);
    if (!result) return false;
    this.#options.onTurn(result, performance.now() - began);
    return result !== 'lost';
  }

  #crashed(seat: Seat, error: Error): void {
    this.#note('crashed', seat.id, error.message, error);
    this.#note('restarted', seat.id, 'after a crash');
  }

  #replaceStuck(): void {
    for (const seat of this.#seats) {
      if (!seat.isStuck(this.#options.stuckMs)) continue;
      seat.abandon();
      this.#note('restarted', seat.id, `no sign of life for ${this.#options.stuckMs} ms`);
    }
  }

  /** Waits for the batches of a level that are in hand now. Returns how many of them are still in hand when time is up. */
  async drain(level: Level, withinMs: number): Promise<number> {
    const waiting = new Set<Seat>();
    for (const seat of this.#seats) {
      const { inHand, leases } = seat;
      if (!inHand || (leases.length > 0 && !isAnyWithin(leases, level))) continue;
      waiting.add(seat);
      void inHand.finally(() => waiting.delete(seat));
    }
    const late = new AbortController();
    const all = Promise.all([...waiting].map(({ inHand }) => inHand));
    await Promise.race([all, sleep(withinMs, null, { signal: late.signal }).catch(() => null)]);
    late.abort();
    return waiting.size;
  }

  /** Batches of a level that are in hand. */
  inHand(level: Level): number {
    return this.#seats.filter(({ leases }) => isAnyWithin(leases, level)).length;
  }

  /** Those that can take work: not the ones that lie down after too many crashes. */
  get size(): number {
    return this.#seats.filter(({ isDown }) => !isDown).length;
  }

  snapshot(): SeatSnapshot[] {
    return this.#seats.map((seat) => seat.snapshot());
  }

  #note(action: HatcheryAction['action'], workerId: string, reason: string, error?: Error): void {
    const noted = { at: new Date().toISOString(), action, worker_id: workerId, reason };
    this.recent.push(noted);
    if (this.recent.length > RECENT_MOST) this.recent.shift();
    this.#options.onAction(noted, error);
  }
}

function isAnyWithin(lanes: LaneName[], { tenantId, scopeId }: Level): boolean {
  return lanes.some(
    (lane) => (tenantId === null || lane.tenant_id === tenantId) && (scopeId === null || lane.scope_id === scopeId),
  );
}
