/** One worker: takes turns, remembers what came of them, and stands up again after a crash, though not for ever. */
import { isUnavailable } from '../errors.ts';
import type { Lease } from '../storage/lanes.ts';
import type { Turn, TurnTaker } from './turn.ts';

export type WorkerState = 'idle' | 'busy' | 'draining';

export interface WorkerSnapshot {
  id: string;
  state: WorkerState;
  lane: { tenant_id: string; scope_id: string } | null;
  since: string;
  batches: number;
  documents: number;
  failures: number;
  restarts: number;
}

export type TakeTurn = (taker: TurnTaker) => Promise<Turn | 'lost' | null>;

/** So many crashes in so long, and the worker stays down for as long: no crash loop. */
const MAX_CRASHES = 5;
const CRASHES_WITHIN_MS = 60_000;
const STAND_UP_MS = 100;

interface Work {
  abort: AbortController;
  leases: Lease[];
  done: Promise<unknown>;
  /** Ends the turn for everybody but itself. */
  abandon: () => void;
  progressAt: number;
}

export class Worker {
  readonly id: string;
  batches = 0;
  documents = 0;
  failures = 0;
  restarts = 0;
  #work: Work | null = null;
  #since = new Date();
  #crashes: number[] = [];
  #downUntil = 0;
  #draining = false;
  readonly #onCrash: (worker: Worker, error: Error) => void;

  constructor(id: string, onCrash: (worker: Worker, error: Error) => void) {
    this.id = id;
    this.#onCrash = onCrash;
  }

  get isFree(): boolean {
    return this.#work === null && performance.now() >= this.#downUntil;
  }

  get isDown(): boolean {
    return this.#work === null && performance.now() < this.#downUntil;
  }

  /** Of the turn in hand. */
  get leases(): Lease[] {
    return this.#work?.leases ?? [];
  }

  /** The turn in hand, as far as one may wait for it. */
  get inHand(): Promise<unknown> | null {
    return this.#work?.done ?? null;
  }

  /** One turn. Whatever happens to it, this returns: a crash is the worker's own affair. */
  async take(turn: TakeTurn): Promise<Turn | 'lost' | null> {
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<null>();
    const abort = new AbortController();
    const work: Work = {
      abort,
      leases: [],
      done: abandoned,
      abandon: () => abandon(null),
      progressAt: performance.now(),
    };
    this.#begin(work);
    const running = this.#run(work, turn);
    work.done = Promise.race([running, abandoned]);
    const result = (await work.done) as Turn | 'lost' | null;
    if (this.#work === work) this.#begin(null);
    return result;
  }

  async #run(work: Work, turn: TakeTurn): Promise<Turn | 'lost' | null> {
    try {
      const result = await turn({
        holder: this.id,
        signal: work.abort.signal,
        onTaken: (leases) => {
          work.leases = leases;
          work.progressAt = performance.now();
        },
        onProgress: () => {
          work.progressAt = performance.now();
        },
      });
      if (result && result !== 'lost') {
        this.batches++;
        this.documents += result.documents;
        this.failures += result.failed + result.retried;
      }
      return result;
    } catch (error) {
      // A database that is away is nobody's crash; its lanes are handed back when it answers again.
      if (!isUnavailable(error) && !work.abort.signal.aborted) this.#crash(error as Error);
      return null;
    }
  }

  #crash(error: Error): void {
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    this.restarts++;
    const tooMany = this.#crashes.length >= MAX_CRASHES;
    this.#downUntil = now + (tooMany ? CRASHES_WITHIN_MS : STAND_UP_MS * 2 ** (this.#crashes.length - 1));
    this.#onCrash(this, error);
  }

  /** A turn with no sign of life for so long. */
  isStuck(afterMs: number): boolean {
    return this.#work !== null && performance.now() - this.#work.progressAt > afterMs;
  }

  /** Gives up on the turn in hand. If it ever wakes, its leases will have run out. */
  abandon(): void {
    this.restarts++;
    this.#work?.abort.abort();
    this.#work?.abandon();
    this.#begin(null);
  }

  /** Has the turn in hand end early: what is not done is handed back. */
  hurry(): void {
    this.#work?.abort.abort();
  }

  drain(draining: boolean): void {
    this.#draining = draining;
  }

  #begin(work: Work | null): void {
    this.#work = work;
    this.#since = new Date();
  }

  snapshot(): WorkerSnapshot {
    const { id, batches, documents, failures, restarts, leases } = this;
    const [lease] = leases;
    return {
      id,
      state: this.#work === null ? 'idle' : this.#draining ? 'draining' : 'busy',
      // The first of them, as one that tells where it is.
      lane: lease ? { tenant_id: lease.tenant_id, scope_id: lease.scope_id } : null,
      since: this.#since.toISOString(),
      batches,
      documents,
      failures,
      restarts,
    };
  }
}
