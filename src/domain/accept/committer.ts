/**
 * Group commit: submissions that arrive together share one flush, and each is answered after its own row is durable.
 * One flush is in flight at a time; what arrives meanwhile is the next one.
 */
import { AppError } from '../../errors.ts';
import type { ProcessFigures } from '../../figures/process.ts';
import type { Database } from '../../storage/database.ts';
import { Company } from './company.ts';
import { type FlushResult, isOutcome, type Left, type Outcome } from './flush.ts';
import { type FlushOptions, flushAny } from './flush-any.ts';
import { flushNew } from './flush-new.ts';
import { HELD_PATIENCE_MS, type HeldScope, HeldScopes } from './held-scopes.ts';
import { Lines } from './lines.ts';
import { NameCounts } from './name-counts.ts';
import { Shares } from './shares.ts';
import { storedInParts } from './stored-in-parts.ts';
import type { Acceptance, Submission } from './submission.ts';
import { ending, full, late, unknown } from './unanswered.ts';
import { followerOutcome, leadersOf, toWaiting, type Waiting } from './waiting.ts';

/**
 * How long a flush waits for a scope that somebody else has locked: about as long as a batch of it takes to be settled.
 * Whoever is locked for longer waits apart.
 */
const PATIENCE_MS = 15;
/** The same for what has to be looked at first: it waits for the log's lock, too, which others have for a moment. */
const LOOKING_PATIENCE_MS = 200;
/** Postgres takes up to ten milliseconds for 100 KB, most of it to compress them, and everybody in a flush waits for all of it. */
const LARGE_BYTES = 32 * 1024;
/** How often those who wait too long are looked for in the time they have: a timer for each would cost more than the rest. */
const LOOKS = 20;

export interface CommitterOptions {
  db: Database;
  /** Nobody waits longer than this for an answer, whatever the database does. */
  answerWithinMs: number;
  /** Scopes that a tenant may have, unless it has a limit of its own. */
  scopesPerTenant: number;
  /** Told after a commit how many documents it queued, and which lanes have work now that had none. */
  onQueued: (documents: number, awakened: FlushResult['awakened']) => void;
  /** Told when that fails. What was queued is, and is found by those who look for lanes now and then. */
  onError: (error: unknown) => void;
  /** Counts what was stored together. */
  flushes?: ProcessFigures['flushes'];
}

export interface Accepter {
  /** For a caller who has waited so long already. */
  accept(submission: Submission, waitedMs?: number): Promise<Acceptance>;
  /** No room for more of this tenant: to be asked before a body is read. */
  isFull(tenantId: string): boolean;
  /** Nobody else posts at the moment. */
  isAlone(tenantId: string): boolean;
}

export class Committer implements Accepter {
  readonly #options: CommitterOptions;
  readonly #shares = new Shares();
  readonly #lines = new Lines();
  readonly #company = new Company();
  readonly #held = new HeldScopes();
  /** Of all that were not answered yet. */
  readonly #names = new NameCounts();
  readonly #tries = new Set<Promise<void>>();
  #inFlight: Waiting[] = [];
  #watch: NodeJS.Timeout | undefined;
  #loop: Promise<void> | null = null;
  #inHand: Promise<unknown> | null = null;
  #turn: NodeJS.Immediate | undefined;
  #lastBatch = 1;
  #closed = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  isFull(tenantId: string): boolean {
    return this.#shares.isFull(tenantId);
  }

  isAlone(tenantId: string): boolean {
    return this.#company.isAlone(tenantId);
  }

  accept(submission: Submission, waitedMs = 0): Promise<Acceptance> {
    if (this.#closed) return Promise.reject(ending());
    if (this.isFull(submission.tenantId)) return Promise.reject(full());
    const { promise, resolve, reject } = Promise.withResolvers<Acceptance>();
    const settle = (outcome: Outcome) => (outcome instanceof AppError ? reject(outcome) : resolve(outcome));
    const entry = toWaiting(submission, performance.now() - waitedMs, settle);
    this.#shares.take(entry);
    this.#company.note(submission.tenantId);
    this.#names.add(entry.names);
    this.#lines.add(entry);
    this.#watch ??= setInterval(() => this.#giveUpOnTheLate(), this.#options.answerWithinMs / LOOKS).unref();
    this.#wake();
    return promise;
  }

  /** The flush that is in flight at the moment. */
  get inHand(): Promise<unknown> | null {
    return this.#inHand;
  }

  /** Commits what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#begin();
    // A try that ends may begin a flush, for what shared a name with it.
    while (this.#loop || this.#tries.size > 0) await Promise.race([...this.#tries, this.#loop].filter(Boolean));
  }

  /**
   * Begins a flush when half as many wait as the last one took, or when all that was read together has arrived. If all
   * callers were in one flush, Node and Postgres would take turns; in two halves, each works on one.
   */
  #wake(): void {
    if (this.#loop) return;
    if (this.#lines.size >= this.#lastBatch / 2) this.#begin();
    else this.#turn ??= setImmediate(() => this.#begin());
  }

  #begin(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#loop) return;
    const batch = this.#takeBatch();
    if (batch.length > 0) this.#loop = this.#run(batch);
  }

  /** Where the next batch is ready, it is sent before anybody of the last one is answered: Postgres works on it meanwhile. */
  async #run(first: Waiting[]): Promise<void> {
    for (let batch = first; batch.length > 0; ) {
      this.#inFlight = batch;
      this.#lastBatch = batch.length;
      const answers: Answer[] = [];
      const looking = { patienceMs: LOOKING_PATIENCE_MS, leavesLocked: true };
      const flush = this.#flush(batch, { patienceMs: PATIENCE_MS, looking, answers });
      this.#inHand = flush;
      // Who was told meanwhile that it took too long is not tried again.
      for (const entry of await flush) if (!entry.isSettled) this.#held.add(entry);
      batch = this.#takeBatch();
      if (batch.length > 0) setImmediate(() => this.#answer(answers));
      else this.#answer(answers);
    }
    this.#inHand = null;
    this.#inFlight = [];
    this.#loop = null;
    this.#rest();
  }

  /**
   * What is large, and what is sent to a scope that is held, is stored apart; what shares a name with it waits until it is
   * known.
   */
  #takeBatch(): Waiting[] {
    const batch = this.#lines.take(
      (name) => this.#held.hasName(name),
      (entry, isTaken) => {
        const isApart = this.#held.has(entry.scope) || (entry.size > LARGE_BYTES && !isTaken);
        if (isApart) this.#held.add(entry);
        return isApart;
      },
      this.#company.isOfOne,
    );
    this.#tryHeld();
    return batch;
  }

  #tryHeld(): void {
    for (let scope = this.#held.begin(); scope; scope = this.#held.begin()) {
      const attempt = this.#tryScope(scope);
      this.#tries.add(attempt);
      void attempt.then(() => {
        this.#tries.delete(attempt);
        this.#tryHeld();
        // What waited because of a name may go now.
        this.#begin();
        this.#rest();
      });
    }
  }

  async #tryScope(scope: HeldScope): Promise<void> {
    const looking = { patienceMs: HELD_PATIENCE_MS, leavesLocked: false };
    const answers: Answer[] = [];
    const locked = await this.#flush(scope.inFlight, { patienceMs: HELD_PATIENCE_MS, looking, answers });
    this.#answer(answers);
    this.#held.end(
      scope,
      locked.filter(({ isSettled }) => !isSettled),
    );
  }

  #rest(): void {
    if (this.#loop || this.#tries.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Returns those whose scopes somebody else has locked; adds what the others are to be answered. */
  async #flush(batch: Waiting[], { patienceMs, looking, answers }: FlushWishes): Promise<Waiting[]> {
    const began = performance.now();
    const first = await this.#commit(batch, answers, (db, entries) => flushNew(db, entries, patienceMs));
    // What is stored does not wait for what has to be looked at first.
    if (first.unseen.length > 0) this.#answer(answers);
    const { scopesPerTenant, flushes } = this.#options;
    const rest = await this.#commit(first.unseen, answers, (db, entries) =>
      flushAny(db, entries, { ...looking, scopesPerTenant }),
    );
    flushes?.[looking.leavesLocked ? 'together' : 'apart'].done(batch.length, performance.now() - began);
    return [...first.locked, ...rest.locked];
  }

  /** What has not begun is taken out; of what is in flight nobody knows, and the flush goes on without its callers. */
  #giveUpOnTheLate(): void {
    // Whoever would be too late at the next look is now.
    const before = performance.now() - this.#options.answerWithinMs * (1 - 1 / LOOKS);
    const giveUp = (entry: Waiting) => {
      if (entry.since < before) this.#settle(entry, late());
      return entry.since < before;
    };
    this.#lines.remove(giveUp);
    this.#held.remove(giveUp);
    for (const entries of [this.#inFlight, this.#held.entries()])
      for (const entry of entries) if (entry.since < before) this.#settle(entry, unknown());
  }

  async #commit(batch: Waiting[], answers: Answer[], flush: Flush): Promise<Record<Left, Waiting[]>> {
    const left: Record<Left, Waiting[]> = { unseen: [], locked: [] };
    const store = (entries: Waiting[]) => flush(this.#options.db, entries);
    for await (const { entries, result } of storedInParts(batch, store)) {
      if (result instanceof AppError) for (const entry of entries) answers.push([entry, result]);
      else this.#take(entries, result, answers, left);
      // Those of one part do not wait for the next.
      if (entries.length < batch.length) this.#answer(answers);
    }
    return left;
  }

  #take(
    batch: Waiting[],
    { outcomes, queued, awakened }: FlushResult,
    answers: Answer[],
    left: Record<Left, Waiting[]>,
  ) {
    for (const [index, entry] of batch.entries()) {
      const outcome = outcomes[index] as Outcome | Left;
      if (isOutcome(outcome)) answers.push([entry, outcome]);
      else left[outcome].push(entry);
    }
    this.#addFollowers(answers, batch, outcomes);
    if (queued > 0 || awakened.length > 0) this.#tell(queued, awakened);
  }

  /** Its callers are answered whatever comes of it, and whoever waits for the next flush is not to be left by this one. */
  #tell(queued: number, awakened: FlushResult['awakened']): void {
    try {
      this.#options.onQueued(queued, awakened);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** None is left of them. */
  #answer(answers: Answer[]): void {
    for (const [entry, outcome] of answers.splice(0)) this.#settle(entry, outcome);
  }

  #settle(entry: Waiting, outcome: Outcome): void {
    if (entry.isSettled) return;
    entry.isSettled = true;
    this.#shares.giveBack(entry);
    this.#names.remove(entry.names);
    entry.settle(outcome);
  }

  /** Those who wait with what was just committed need no flush of their own: two hundred of one key are one flush. */
  #addFollowers(answers: Answer[], batch: Waiting[], outcomes: FlushResult['outcomes']): void {
    // Each has its own names among them until it is answered.
    const leaders = leadersOf(batch, outcomes, (name, { isSettled }) => this.#names.of(name) > (isSettled ? 0 : 1));
    if (leaders.size === 0) return;
    const hasFollowed = (follower: Waiting) => {
      const outcome = followerOutcome(follower, leaders);
      if (outcome) answers.push([follower, outcome]);
      return outcome !== null;
    };
    this.#held.remove(hasFollowed);
    this.#lines.remove(hasFollowed, new Set(batch.map(({ tenantId }) => tenantId)));
  }
}

interface FlushWishes {
  patienceMs: number;
  looking: Omit<FlushOptions, 'scopesPerTenant'>;
  answers: Answer[];
}

type Answer = [entry: Waiting, outcome: Outcome];
type Flush = (db: Database, entries: Waiting[]) => Promise<FlushResult>;
