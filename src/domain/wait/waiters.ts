/**
 * Those who wait until documents are done. The event log wakes them, and what they answer is read from the database: once when they
 * come, and once when what they wait for has happened. Whoever waits holds no connection and no turn of those who read.
 */
import { AppError, isUnavailable, notFound } from '../../errors.ts';
import { deleted, done, given, type Watch } from '../../events/watch.ts';
import * as storage from '../../storage/awaited.ts';
import type { Queryable } from '../../storage/database.ts';
import type { Convergence } from '../convergence.ts';
import { summariseScope } from '../scope-figures.ts';
import { Gathered, type Reader, type Turn } from './gathered.ts';
import { Waiter } from './waiter.ts';

export interface WaitersOptions {
  db: Queryable;
  watch: Watch;
  convergence: Convergence;
  turn: Turn;
  most: number;
  /** Of one tenant; the operators have as many together. */
  mostPerTenant: number;
}

/** Who waits, how long, and until when it is there. */
export interface Waiting {
  reader: Reader;
  ms: number;
  gone: AbortSignal;
}

/** What was seen at a look: what is to happen before it is worth another, or nothing when there is no need for one. */
interface Seen {
  awaits: string[];
}

type Summary = Awaited<ReturnType<typeof summariseScope>>;

/** A few milliseconds for Postgres. */
const DOCUMENTS_AT_ONCE = 100;
/** Two statements each. */
const SUMMARIES_AT_ONCE = 10;
const RETRY_AFTER_S = 5;
/** What could not be read when it was told of is tried again after this. */
const LOOK_AGAIN_MS = 1000;

export class Waiters {
  readonly #options: WaitersOptions;
  readonly #open = new Set<Waiter>();
  /** How many wait in a name. */
  readonly #counts = new Map<string, number>();
  readonly #documents: Gathered<storage.WantedDocument, storage.AwaitedDocument>;
  readonly #scopes: Gathered<storage.WantedScope, storage.AwaitedScope>;
  readonly #summaries: Gathered<string, Summary>;
  #resting = 0;
  #closed = false;

  constructor(options: WaitersOptions) {
    this.#options = options;
    const { db, turn, convergence } = options;
    this.#documents = new Gathered({
      turn,
      most: DOCUMENTS_AT_ONCE,
      load: (tenantId, wanted) => storage.listAwaitedDocuments(db, tenantId, wanted),
    });
    this.#scopes = new Gathered({
      turn,
      most: DOCUMENTS_AT_ONCE,
      load: (tenantId, wanted) => storage.listAwaitedScopes(db, tenantId, wanted),
    });
    this.#summaries = new Gathered({
      turn,
      most: SUMMARIES_AT_ONCE,
      async load(tenantId, scopeIds) {
        const found: (Summary | null)[] = [];
        for (const scopeId of scopeIds)
          found.push(await summariseScope(db, tenantId, scopeId, convergence).catch(nullIfMissing));
        return found;
      },
    });
  }

  /** How many have looked and found that they have to wait. */
  get resting(): number {
    return this.#resting;
  }

  /** The version that is newest now, when it is done or time is over; at once, when nobody has asked to process it. */
  async document(waiting: Waiting, scopeId: string, documentId: string) {
    type SeenDocument = Seen & {
      found: storage.AwaitedDocument;
      document: NonNullable<storage.AwaitedDocument['document']>;
    };
    const { document } = await this.#wait(
      waiting,
      scopeId,
      async (before: SeenDocument | null): Promise<SeenDocument> => {
        const version = before?.document.version ?? null;
        const name = JSON.stringify([scopeId, documentId, version]);
        const found = await this.#documents.read(waiting.reader, name, {
          scope_id: scopeId,
          document_id: documentId,
          version,
        });
        if (!found) throw notFound(`Scope ${scopeId}`);
        const { document } = found;
        // One of the same id and version may have come after it was deleted.
        const isSame = !before || (isSamePlace(found, before.found) && document?.seq === before.document.seq);
        if (!document || !isSame) throw notFound(`Document ${documentId} in scope ${scopeId}`);
        const isDone = document.state !== 'queued' && document.state !== 'processing';
        return { awaits: isDone ? [] : [done(document.seq), deleted(documentId)], found, document };
      },
    );
    return { scope_id: scopeId, ...document };
  }

  /** The summary of a scope, when everything up to a seq is done or time is over. */
  async summary(waiting: Waiting, scopeId: string, through: number | undefined): Promise<Summary> {
    type SeenScope = Seen & { found: storage.AwaitedScope };
    await this.#wait(waiting, scopeId, async (before: SeenScope | null): Promise<SeenScope> => {
      const upTo = before?.found.through ?? through ?? null;
      const wanted = { scope_id: scopeId, through: upTo };
      const found = await this.#scopes.read(waiting.reader, `${scopeId} ${upTo}`, wanted);
      if (!found) throw notFound(`Scope ${scopeId}`);
      if (before && !isSamePlace(found, before.found))
        throw new AppError('not_found', `Scope ${scopeId} was emptied while its documents were waited for.`);
      return { awaits: awaitedIn(found), found };
    });
    const summary = await this.#summaries.read(waiting.reader, scopeId, scopeId);
    if (!summary) throw notFound(`Scope ${scopeId}`);
    return summary;
  }

  /** Everybody is answered at once with what there is, and so is whoever comes now. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#open) waiter.end();
  }

  async #wait<S extends Seen>(
    { reader, ms, gone }: Waiting,
    scopeId: string,
    look: (before: S | null) => Promise<S>,
  ): Promise<S> {
    this.#count(reader.as, 1);
    const waiter = new Waiter(this.#closed || gone.aborted ? 0 : ms);
    this.#open.add(waiter);
    const leave = () => waiter.end();
    gone.addEventListener('abort', leave);
    // Before the first look: what happens after that is heard.
    const watched = this.#options.watch.enter(reader.tenantId, scopeId);
    const { scope } = watched;
    try {
      let since = scope.now;
      let seen = await look(null);
      while (seen.awaits.length > 0 && !waiter.isOver) {
        const stop = scope.listen(seen.awaits, since, () => waiter.wake());
        this.#resting++;
        await waiter.rest();
        this.#resting--;
        stop();
        gone.throwIfAborted();
        since = scope.now;
        seen = await look(seen).catch((error) => {
          if (waiter.isOver || !isUnavailable(error)) throw error;
          waiter.wakeIn(LOOK_AGAIN_MS);
          return seen;
        });
      }
      gone.throwIfAborted();
      return seen;
    } finally {
      watched.leave();
      gone.removeEventListener('abort', leave);
      waiter.close();
      this.#open.delete(waiter);
      this.#count(reader.as, -1);
    }
  }

  #count(as: string, more: 1 | -1): void {
    const { most, mostPerTenant } = this.#options;
    const own = this.#counts.get(as) ?? 0;
    if (more > 0 && (own >= mostPerTenant || this.#open.size >= most)) {
      const detail =
        own >= mostPerTenant
          ? `${mostPerTenant} requests of this caller wait, which is as many as may; ask without wait, or later.`
          : `${most} requests wait on this node, which is as many as may; ask without wait, or another node.`;
      throw new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason: 'waiters' });
    }
    if (own + more > 0) this.#counts.set(as, own + more);
    else this.#counts.delete(as);
  }
}

function isSamePlace(one: storage.AwaitedScope | storage.AwaitedDocument, other: typeof one): boolean {
  return one.scope_key === other.scope_key && one.generation === other.generation;
}

/** In order, the last one is done last: one look is enough. Of one that is not there yet, it is the arrival that is awaited. */
function awaitedIn({ through, next_seq, seq, document_id }: storage.AwaitedScope): string[] {
  if (through >= next_seq) return [given(through)];
  return seq === null || document_id === null ? [] : [done(seq), deleted(document_id)];
}

function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
