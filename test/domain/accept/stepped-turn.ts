/** A worker's turn as the runtime takes it, except that it halts before it reads and settles. */

import { ClaimCache } from '../../../src/runtime/claim-cache.ts';
import { Pace } from '../../../src/runtime/pace.ts';
import { Rereads } from '../../../src/runtime/rereads.ts';
import { ScopeIndexes } from '../../../src/runtime/scope-indexes.ts';
import { Sketches } from '../../../src/runtime/sketches.ts';
import type { Reading, ThreadDocument } from '../../../src/runtime/thread.ts';
import type { Outcomes } from '../../../src/runtime/thread-pool.ts';
import { type Turn, takeTurn } from '../../../src/runtime/turn.ts';
import type { NodeParts } from '../../../src/runtime/turn-parts.ts';
import { Unsettled } from '../../../src/runtime/unsettled.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { Lease, TakenLane } from '../../../src/storage/lanes.ts';
import { convergence } from '../../support/convergence.ts';
import { ATTEMPTS, type Work } from './model-work.ts';

/** No lease runs out, and nothing is tried again, before the history says so. */
const LONG_MS = 600_000;

/** All turns are of one node, which remembers scopes from one to the next. */
const remembered = new WeakMap<Database, ScopeIndexes>();

function indexesOf(db: Database): ScopeIndexes {
  const indexes = remembered.get(db) ?? new ScopeIndexes(64);
  remembered.set(db, indexes);
  return indexes;
}

type Readings = Outcomes<Reading>;
const SAYS_NOTHING: Reading = {
  claims: '{}',
  pieces: null,
  count: 0,
  keys: [],
  groups: [],
  values: [],
  labels: [],
  sketch: null,
  warnings: [],
};

export class SteppedTurn {
  /** Where it halts; null when it has ended. */
  at: 'read' | 'settle' | null = null;
  lanes: TakenLane[] = [];
  outcome: Turn | 'lost' | null = null;
  readonly #calledOff = new AbortController();
  #halted = Promise.withResolvers<void>();
  #go = Promise.withResolvers<void>();
  #fate: Work['fate'] = [];
  readonly #end: Promise<void>;

  private constructor(db: Database, holder: string, turnsPerTenant: number, pace: Pace) {
    const times = { leaseMs: LONG_MS, retryBaseMs: LONG_MS, lockPatienceMs: LONG_MS };
    const options = { ...times, turnsPerTenant, attempts: ATTEMPTS, convergence, unfiledKeys: 1000 };
    const onTaken = (leases: Lease[]) => {
      this.lanes = leases as TakenLane[];
    };
    const compare = async () => ({ results: [], ms: null });
    const threads = { read: (_tenantId: string, documents: ThreadDocument[]) => this.#read(documents), compare };
    // One that no other turn shares hands nothing back: what is lost here is lost by a worker that does not come again.
    const [cache, sketches, indexes] = [new ClaimCache(), new Sketches(), indexesOf(db)];
    const halting = this.#halting(db);
    const line: NodeParts['line'] = { taking: halting, during: (_inHand, work) => work(halting) };
    const shared = { line, beside: db, unsettled: new Unsettled(), rereads: new Rereads() };
    const parts = { ...shared, threads, cache, sketches, indexes, options, onFailed: () => {} };
    this.#end = takeTurn(parts, pace, {
      holder,
      signal: this.#calledOff.signal,
      onTaken,
      onProgress: () => {},
    }).then(
      (outcome) => void Object.assign(this, { at: null, outcome }),
      (error) => {
        this.at = null;
        if (this.#fate !== 'vanish') throw error;
      },
    );
  }

  /** Takes lanes and goes as far as that, or ends. */
  static async begin(db: Database, holder: string, turnsPerTenant: number, pace = new Pace()): Promise<SteppedTurn> {
    const turn = new SteppedTurn(db, holder, turnsPerTenant, pace);
    await Promise.race([turn.#halted.promise, turn.#end]);
    return turn;
  }

  /** On to where it next halts, or to its end. */
  async goOn(fate: Work['fate']): Promise<void> {
    this.#fate = fate;
    this.#halted = Promise.withResolvers();
    if (fate === 'vanish') this.#go.reject(new Error('the worker vanished'));
    else this.#go.resolve();
    await Promise.race([this.#halted.promise, this.#end]);
  }

  #halt(at: 'read' | 'settle'): Promise<void> {
    this.at = at;
    this.#go = Promise.withResolvers();
    this.#halted.resolve();
    return this.#go.promise;
  }

  #halting(db: Database): Pick<Database, 'query' | 'transaction'> {
    let hasHalted = false;
    return {
      transaction: (work) => db.transaction(work),
      query: async (sql, values) => {
        // What is settled again, because its scope has changed meanwhile, is settled at once.
        if (sql.includes('settle_lanes') && !hasHalted) {
          hasHalted = true;
          await this.#halt('settle');
        }
        return db.query(sql, values);
      },
    };
  }

  async #read(documents: ThreadDocument[]): Promise<Readings> {
    await this.#halt('read');
    if (this.#fate === 'called off' || this.#fate === 'vanish') {
      this.#calledOff.abort();
      throw new Error('called off');
    }
    const verdicts = this.#fate;
    const results = documents.map((_, index) => {
      const verdict = verdicts[index % verdicts.length];
      return verdict === 'again' ? null : verdict === 'error' ? { error: 'It failed.' } : { outcome: SAYS_NOTHING };
    });
    return { results, ms: null };
  }
}
