/** The threads in which documents are read and compared, with some for long documents, which the others do not wait for. */
import { createHash } from 'node:crypto';
import { MAX_KEPT } from './claim-cache.ts';
import { documentsFrom, joined, pairsFrom, pairsOf } from './pieces.ts';
import { Recent } from './recent.ts';
import type { Comparison, Found, Reading, ThreadDocument } from './thread.ts';
import { type Outcomes, ThreadPool, type ThreadPoolOptions, type Watcher } from './thread-pool.ts';

/**
 * In characters. A document is read in one go, and one of 100,000 takes a tenth to a third of a second: a sentence of
 * another tenant that comes after it would wait for that, to be read and again to be compared.
 */
const LONG_TEXT = 10_000;
/**
 * In characters. In a map V8 tells texts of more than twice as many from each other by comparing all that have one length, and a tenant
 * may have many of these.
 */
const MAX_NAME = 8000;

export class Threads {
  readonly #short: ThreadPool;
  /** They start when the first long document comes. The system shares the cores between these and the others. */
  readonly #long: ThreadPool;
  readonly #threads: number;
  /** By the text of the claims. None is given twice, so that a thread cannot take one for another. */
  readonly #numbers = new Recent<string, number>(MAX_KEPT);
  #last = 0;
  #ready: Promise<void> | null = null;

  constructor(options: ThreadPoolOptions) {
    this.#threads = options.threads;
    this.#short = new ThreadPool(options);
    this.#long = new ThreadPool(options);
  }

  start(): void {
    if (this.#ready) return;
    this.#short.start(this.#threads);
    this.#long.start(0);
    this.#ready = this.#short.warmUp();
  }

  /**
   * When one of them has started, which takes a while on a busy machine. Documents that are taken earlier are in hand
   * without being read, and are blamed when the process is killed meanwhile.
   */
  get ready(): Promise<void> {
    return this.#ready ?? Promise.resolve();
  }

  /** Batches in hand are given up. */
  async stop(): Promise<void> {
    this.#ready = null;
    await Promise.all([this.#short.stop(), this.#long.stop()]);
  }

  async read(tenantId: string, documents: ThreadDocument[], watcher: Watcher): Promise<Outcomes<Reading>> {
    const isLong = ({ text }: ThreadDocument) => text.length > LONG_TEXT;
    const readIn = async (pool: ThreadPool, some: ThreadDocument[]) => {
      // All are compared in the threads for short ones.
      const numbers = pool === this.#short ? some.map(() => ++this.#last) : [];
      const pieceFrom = (from: number) => documentsFrom(some, numbers, from);
      const outcomes = await pool.run<Reading>(tenantId, some.length, pieceFrom, watcher);
      for (const [at, result] of outcomes.results.entries())
        if (result && 'outcome' in result && numbers[at] !== undefined)
          this.#numbers.put(nameOf(result.outcome.claims), numbers[at], result.outcome.claims.length);
      return outcomes;
    };
    const [short, long] = await Promise.all([
      readIn(
        this.#short,
        documents.filter((one) => !isLong(one)),
      ),
      readIn(this.#long, documents.filter(isLong)),
    ]);
    const [shorts, longs] = [short.results.values(), long.results.values()];
    return {
      results: documents.map((one) => (isLong(one) ? longs : shorts).next().value ?? null),
      ms: short.ms === null || long.ms === null ? null : short.ms + long.ms,
    };
  }

  async compare(
    tenantId: string,
    comparisons: Comparison[],
    claims: string[],
    watcher: Watcher,
  ): Promise<Outcomes<Found[]>> {
    const pairs = pairsOf(comparisons);
    // What gets its number here is in no thread.
    const lacking = new Set<number>();
    const numbered = claims.map((text) => {
      const name = nameOf(text);
      const known = this.#numbers.get(name);
      if (known !== undefined) return { text, number: known };
      const number = ++this.#last;
      this.#numbers.put(name, number, text.length);
      lacking.add(number);
      return { text, number };
    });
    const pieceFrom = (from: number, missing: number[]) => {
      for (const number of missing) lacking.add(number);
      return pairsFrom(pairs, numbered, from, lacking);
    };
    const { results, ms } = await this.#short.run<Found[]>(tenantId, pairs.length, pieceFrom, watcher);
    return { results: joined(comparisons, results), ms };
  }
}

/** By which the number of claims is looked up. */
const nameOf = (claims: string) =>
  claims.length <= MAX_NAME ? claims : createHash('sha256').update(claims).digest('base64');
