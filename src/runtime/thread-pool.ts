/**
 * Threads that are alike: pieces of batches wait here for one of them, those of tenants in turn. A document that hangs, eats its
 * memory or kills its thread is named.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { Slots } from '../slots.ts';
import { resultsOf } from './pieces.ts';
import type { ThreadAnswer, ThreadResult, ThreadTask } from './thread.ts';

export interface ThreadPoolOptions {
  threads: number;
  /** The module that a thread runs; its default export is made by `inThread`. */
  module: URL;
  documentTimeoutMs: number;
  memoryMb: number;
  /** Told of one that dies while it has nothing in hand, in whose place another starts. */
  onIdleDeath?: (error: unknown) => void;
}

export interface Outcomes<Outcome> {
  /** One for each item, in order. Null for one that was not got to because of another, and is to be taken again. */
  results: (ThreadResult<Outcome> | null)[];
  /** How long it took; null when it did not come to its end. */
  ms: number | null;
}

/** The piece that begins at this item. `missing` are numbers of claims that a thread lacked for the last one, and that it needs. */
type PieceFrom = (at: number, missing: number[]) => ThreadTask;

/** What hears how a batch is doing, and may call it off. */
export interface Watcher {
  signal: AbortSignal;
  /** Called whenever another item was begun. */
  onProgress: () => void;
}

const LOOK_EVERY_MS = 50;
/** A thread that was not started at once is kept for so long after it was needed, since it takes a second to start. */
const IDLE_MS = 60_000;

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  /** As many as there are threads: a piece that is sent is begun at once, and what waits waits here, in turn. */
  readonly #places: Slots;
  #pool: Piscina | null = null;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#places = new Slots(options.threads, { keepsOne: false });
  }

  /** So many of its threads at once, the others when there is work for them. */
  start(atOnce: number): void {
    if (this.#pool) return;
    const { threads, module, memoryMb, onIdleDeath = () => {} } = this.#options;
    this.#pool = new Piscina({
      filename: fileURLToPath(module),
      minThreads: atOnce,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // Tasks are whole batches: spinning for the next one would only take the core from those who make it.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: Math.ceil(memoryMb / 8) },
    });
    this.#pool.on('error', onIdleDeath);
  }

  /** When one of them has started. */
  async warmUp(): Promise<void> {
    const nothing = {
      task: { kind: 'read', items: [], numbers: [] },
      progress: new Int32Array(new SharedArrayBuffer(4)),
    };
    await this.#pool?.run(nothing).catch(() => {});
  }

  /** Batches in hand are given up. */
  async stop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }

  /** Piece after piece, each of which waits for its turn. */
  async run<Outcome>(
    tenantId: string,
    items: number,
    pieceFrom: PieceFrom,
    watcher: Watcher,
  ): Promise<Outcomes<Outcome>> {
    const pool = this.#pool;
    const results: Outcomes<Outcome>['results'] = [];
    let ms = 0;
    let missing: number[] = [];
    while (results.length < items) {
      await this.#places.take(tenantId, { signal: watcher.signal });
      try {
        if (!pool || pool !== this.#pool) throw new Error('the threads are stopped');
        const piece = await this.#runPiece<Outcome>(pool, pieceFrom(results.length, missing), watcher);
        results.push(...piece.results);
        missing = piece.missing;
        if (piece.ms === null) return { results: [...results, ...Array(items - results.length).fill(null)], ms: null };
        ms += piece.ms;
      } finally {
        this.#places.giveBack(tenantId);
      }
      // A piece may be over before anybody has looked.
      watcher.onProgress();
    }
    return { results, ms };
  }

  /** What the thread has come to; up to the one that broke it, with no time, if one did. */
  async #runPiece<Outcome>(
    pool: Piscina,
    task: ThreadTask,
    watcher: Watcher,
  ): Promise<Outcomes<Outcome> & Pick<ThreadAnswer<Outcome>, 'missing'>> {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const watch = new Watch(progress, this.#options.documentTimeoutMs, watcher.onProgress);
    const signal = AbortSignal.any([watcher.signal, watch.signal]);
    try {
      const answer = (await pool.run({ task, progress }, { signal })) as ThreadAnswer<Outcome>;
      return { results: resultsOf(answer), missing: answer.missing, ms: answer.ms };
    } catch (error) {
      const begun = Atomics.load(progress, 0);
      // Told to stop, or never begun: nobody's fault.
      if (watcher.signal.aborted || begun === 0 || this.#pool === null) throw error;
      const culprit = { error: this.#explain(task.kind === 'read' ? 'Reading' : 'Comparing', error, watch) };
      return { results: [...Array(begun - 1).fill(null), culprit], missing: [], ms: null };
    } finally {
      watch.stop();
    }
  }

  #explain(what: string, error: unknown, watch: Watch): string {
    const { documentTimeoutMs, memoryMb } = this.#options;
    if (watch.signal.aborted) return `${what} it took longer than ${documentTimeoutMs} ms.`;
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
      return `${what} it needed more than ${memoryMb} MB.`;
    return `${what} it ended its thread.`;
  }
}

/** Looks at how far a piece is, and calls it off when one document takes too long. Its time begins when it is begun. */
class Watch {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #begun = 0;
  #since = 0;

  constructor(progress: Int32Array, timeoutMs: number, onProgress: () => void) {
    this.#timer = setInterval(() => {
      const begun = Atomics.load(progress, 0);
      const now = performance.now();
      if (begun !== this.#begun) {
        this.#begun = begun;
        this.#since = now;
        onProgress();
      } else if (begun > 0 && now - this.#since > timeoutMs) {
        this.#controller.abort();
      }
    }, LOOK_EVERY_MS);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
