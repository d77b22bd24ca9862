/**
 * The line in which the statements of a node's workers wait: one at a time, those of tenants in turn, those of large turns
 * after those of small ones, and all after those of who accepts.
 */
import type { Database } from '../domain/database.ts';
import { Slots } from '../slots.ts';
import { within } from '../within.ts';

export type WorkerDatabase = Pick<Database, 'query' | 'transaction'>;

/** A caller waits for its document to be accepted, or processed; a worker can wait a little, though not for ever. */
const GIVE_WAY_MS = 20;
/** Statements are not called off: each has a time-out of its own. */
const NEVER = new AbortController().signal;

/** Whose turn it is, and whether there is little in it: then larger ones give way to it until it has ended. */
export interface TurnInHand {
  tenantId: string;
  isSmall: boolean;
}

/**
 * Several at once would be done no sooner, since batches wait for each other's events in the end; but Postgres would be
 * on several cores at once, and whoever accepts a document would wait for one of them. A tenant with many turns in work
 * waits for its own, and the others for one statement of it.
 */
export class OneAtATime {
  /** For taking a turn: whose it will be is not known before. */
  readonly taking: WorkerDatabase;
  readonly #db: Database;
  readonly #giveWayMs: number;
  readonly #giveWayTo: () => Promise<unknown> | null;
  readonly #turn = new Slots(1, { keepsOne: false });
  #smallTurns = 0;
  #noneIsSmall = Promise.withResolvers<void>();

  constructor(db: Database, giveWayTo: () => Promise<unknown> | null, giveWayMs = GIVE_WAY_MS) {
    this.#giveWayMs = giveWayMs;
    this.#db = db;
    this.#giveWayTo = giveWayTo;
    this.taking = this.#databaseOf('', () => false);
  }

  /** The database for a turn, until that has ended. */
  async during<Result>(
    { tenantId, isSmall }: TurnInHand,
    work: (db: WorkerDatabase) => Promise<Result>,
  ): Promise<Result> {
    const db = this.#databaseOf(tenantId, () => !isSmall && this.#smallTurns > 0);
    if (!isSmall) return work(db);
    if (this.#smallTurns++ === 0) this.#noneIsSmall = Promise.withResolvers();
    try {
      return await work(db);
    } finally {
      if (--this.#smallTurns === 0) this.#noneIsSmall.resolve();
    }
  }

  #databaseOf(tenantId: string, givesWay: () => boolean): WorkerDatabase {
    const inLine = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (givesWay()) await within(this.#giveWayMs, this.#noneIsSmall.promise, null);
      await this.#turn.take(tenantId, { signal: NEVER });
      try {
        const first = this.#giveWayTo();
        if (first) await within(this.#giveWayMs, first, null);
        return await work();
      } finally {
        this.#turn.giveBack(tenantId);
      }
    };
    return {
      query: (sql, values) => inLine(() => this.#db.query<never>(sql, values)),
      transaction: (work) => inLine(() => this.#db.transaction(work)),
    };
  }
}
