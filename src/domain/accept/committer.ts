/**
 * Group commit: submissions that arrive together share one flush, and each is answered after its own row is durable.
 * One flush is in flight at a time; what arrives meanwhile is the next one.
 */
import { AppError } from '../../errors.ts';
import { type Database, isForeignKeyViolation } from '../../storage/database.ts';
import type { FlushResult, Outcome } from './flush.ts';
import { flushAny, replay } from './flush-any.ts';
import { flushNew } from './flush-new.ts';
import type { Entry } from './plan.ts';
import { type Acceptance, contentHash, fingerprint, type Submission, sizeOf } from './submission.ts';

/** A flush is bounded, so that none holds the scopes' locks for long. */
const FLUSH_ROWS = 500;
const FLUSH_BYTES = 8 * 1024 * 1024;
/** What waits is bounded too, in rows and bytes: beyond, callers are told to come back. */
const WAITING_ROWS = 10_000;
const WAITING_BYTES = 64 * 1024 * 1024;

/** How often those who wait too long are looked for in the time they have: a timer for each would cost more than the rest. */
const LOOKS = 20;

interface Waiting extends Entry {
  size: number;
  since: number;
  isSettled: boolean;
  settle: (outcome: Outcome) => void;
}

export interface CommitterOptions {
  db: Database;
  /** Nobody waits longer than this for an answer, whatever the database does. */
  answerWithinMs: number;
  /** Told after a commit how many documents it queued, and which lanes have work now that had none. */
  onQueued: (documents: number, awakened: FlushResult['awakened']) => void;
}

export interface Accepter {
  /** For a caller who has waited so long already. */
  accept(submission: Submission, waitedMs?: number): Promise<Acceptance>;
  /** No room for more: to be asked before a body is read. */
  isFull(): boolean;
}

export class Committer implements Accepter {
  readonly #options: CommitterOptions;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #inFlight: Waiting[] = [];
  #watch: NodeJS.Timeout | undefined;
  #loop: Promise<void> | null = null;
  #inHand: Promise<void> | null = null;
  #turn: NodeJS.Immediate | undefined;
  #lastBatch = 1;
  #closed = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  isFull(): boolean {
    return this.#closed || this.#waiting.length >= WAITING_ROWS || this.#bytes >= WAITING_BYTES;
  }

  async accept(submission: Submission, waitedMs = 0): Promise<Acceptance> {
    if (this.isFull()) throw full();
    const content = contentHash(submission);
    const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
    const size = sizeOf(submission);
    this.#bytes += size;
    this.#waiting.push({
      submission,
      content,
      fingerprint: submission.idempotencyKey ? fingerprint(submission, content) : null,
      size,
      since: performance.now() - waitedMs,
      isSettled: false,
      settle,
    });
    this.#watch ??= setInterval(() => this.#giveUpOnTheLate(), this.#options.answerWithinMs / LOOKS).unref();
    this.#wake();
    const outcome = await promise;
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  /** The flush that is in flight at the moment. */
  get inHand(): Promise<void> | null {
    return this.#inHand;
  }

  /** Commits what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#begin();
    await this.#loop;
  }

  /**
   * Begins a flush when half as many wait as the last one took, or when all that was read together has arrived. If all
   * callers were in one flush, Node and Postgres would take turns; in two halves, each works on one.
   */
  #wake(): void {
    if (this.#loop) return;
    if (this.#waiting.length >= this.#lastBatch / 2) this.#begin();
    else this.#turn ??= setImmediate(() => this.#begin());
  }

  #begin(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#waiting.length > 0) this.#loop ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#inHand = this.#flush(this.#takeBatch());
      await this.#inHand;
    }
    this.#inHand = null;
    this.#inFlight = [];
    this.#loop = null;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #flush(batch: Waiting[]): Promise<void> {
    this.#inFlight = batch;
    this.#lastBatch = batch.length;
    await this.#commit(await this.#commit(batch, flushNew), flushAny);
  }

  /** What has not begun is taken out; of what is in flight nobody knows, and the flush goes on without its callers. */
  #giveUpOnTheLate(): void {
    // Whoever would be too late at the next look is now.
    const before = performance.now() - this.#options.answerWithinMs * (1 - 1 / LOOKS);
    for (const entry of this.#inFlight) if (entry.since < before) this.#settle(entry, unknown());
    if (!this.#waiting.some(({ since }) => since < before)) return;
    this.#waiting = this.#waiting.filter((entry) => {
      if (entry.since >= before) return true;
      this.#settle(entry, late());
      return false;
    });
  }

  /** The next batch, without two entries that need each other's outcome: those are left for the flush after. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const seen = new Set<string>();
    let bytes = 0;
    for (const entry of this.#waiting) {
      const names = namesOf(entry.submission);
      const taken = names.some((name) => seen.has(name));
      if (taken || batch.length >= FLUSH_ROWS || bytes + entry.size > FLUSH_BYTES) {
        // What is left holds its names too, or a third could overtake a second.
        if (batch.length === 0) batch.push(entry);
        else left.push(entry);
      } else {
        batch.push(entry);
      }
      bytes += entry.size;
      for (const name of names) seen.add(name);
    }
    this.#waiting = left;
    return batch;
  }

  /** Returns those that it left for another flush. */
  async #commit(batch: Waiting[], flush: typeof flushNew | typeof flushAny): Promise<Waiting[]> {
    if (batch.length === 0) return [];
    let result: FlushResult;
    try {
      result = await flush(this.#options.db, batch);
    } catch (error) {
      const outcome = toOutcome(error);
      if (batch.length === 1 || outcome.code === 'unavailable') {
        for (const entry of batch) this.#settle(entry, outcome);
        return [];
      }
      // One bad row must not fail its neighbours: each gets a transaction of its own.
      const left: Waiting[] = [];
      for (const entry of batch) left.push(...(await this.#commit([entry], flush)));
      return left;
    }
    const { outcomes, queued, awakened } = result;
    const left = batch.filter((entry, index) => {
      const outcome = outcomes[index];
      if (outcome) this.#settle(entry, outcome);
      return !outcome;
    });
    this.#settleFollowers(batch, outcomes);
    if (queued > 0 || awakened.length > 0) this.#options.onQueued(queued, awakened);
    return left;
  }

  #settle(entry: Waiting, outcome: Outcome): void {
    if (entry.isSettled) return;
    entry.isSettled = true;
    this.#bytes -= entry.size;
    entry.settle(outcome);
  }

  /** Those who wait with what was just committed need no flush of their own: two hundred of one key are one flush. */
  #settleFollowers(batch: Waiting[], outcomes: FlushResult['outcomes']): void {
    const leaders = new Map<string, Leader>();
    for (const [index, entry] of batch.entries()) {
      const acceptance = outcomes[index];
      if (!acceptance || acceptance instanceof AppError) continue;
      for (const name of namesOf(entry.submission)) leaders.set(name, { entry, acceptance });
    }
    if (leaders.size === 0) return;
    this.#waiting = this.#waiting.filter((follower) => {
      const names = namesOf(follower.submission);
      const outcome = follow(follower, leaders.get(names[0] ?? ''));
      if (outcome) this.#settle(follower, outcome);
      // Whoever has to wait changes what comes after it.
      else for (const name of names) leaders.delete(name);
      return !outcome;
    });
  }
}

interface Leader {
  entry: Waiting;
  acceptance: Acceptance;
}

/** By these it may meet another submission, the strongest first; with none in common, two have nothing to do with each other. */
function namesOf({ tenantId, scopeId, documentId, idempotencyKey }: Submission): string[] {
  const names = [];
  if (idempotencyKey) names.push(`key ${tenantId} ${idempotencyKey}`);
  if (documentId) names.push(`document ${tenantId} ${scopeId} ${documentId}`);
  return names;
}

/** The outcome that a leader's gives a follower, or null when only a flush can tell. */
function follow(follower: Waiting, leader: Leader | undefined): Outcome | null {
  if (!leader) return null;
  const { submission, content, fingerprint } = leader.entry;
  // They met by the key, then, and the leader has the same one.
  if (follower.fingerprint && fingerprint) return replay(follower, { ...leader.acceptance.document, fingerprint });
  const same = follower.content === content && follower.submission.route === submission.route;
  return same && !leader.acceptance.replayed ? { ...leader.acceptance, replayed: false } : null;
}

export function full(): AppError {
  return new AppError('unavailable', 'Too much is waiting to be stored; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

function late(): AppError {
  return new AppError('unavailable', 'The database does not answer right now, and nothing was stored; try again.', {
    retryAfterSeconds: 5,
  });
}

function unknown(): AppError {
  return new AppError(
    'unavailable',
    'It is not known whether this was stored: send it again with its idempotency_key.',
    { retryAfterSeconds: 5 },
  );
}

function toOutcome(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // A tenant is remembered for a moment after it was deleted.
  if (isForeignKeyViolation(error)) return new AppError('unauthorized', 'The tenant of this request was deleted.');
  return new AppError('internal', 'An unexpected error; it was logged under this request_id.', { cause: error });
}
