/** A steady load by a good client: it journals all it sends, and sends again, with the same key, what was not answered. */
import type { Chance } from './chance.ts';
import type { Changes } from './changes.ts';
import { call } from './http.ts';
import type { Entry, Journal, Tenant } from './journal.ts';
import { Statements } from './texts.ts';
import { sleep, until } from './waiting.ts';

export interface LoadOptions {
  /** Where to post; asked each time. */
  urls: () => string[];
  tenants: Tenant[];
  scopes: number;
  perSecond: number;
  chance: Chance;
  journal: Journal;
  /** A share of the documents has neither an id nor a key. */
  anonymous?: number;
  /** The longest that a request may take for an answer. */
  timeoutMs?: number;
  /** Said after the statement: more to read, and nothing more that is claimed. */
  filler?: string;
  /** Makes the ids of documents longer, and with them their events. */
  padding?: string;
  /** Starts and stops with it. */
  beside?: Pick<Changes, 'start' | 'pause' | 'finish'> | null;
}

/** Beyond so many unanswered the load waits: a service that is down is not to be buried. */
const MAX_IN_FLIGHT = 64;
const RETRY_MS = 150;
const MAX_RETRY_MS = 1000;
/** Shares of the requests that are sent a second time after their answer, and twice at once. */
const REPEATED = 0.08;
const TWICE = 0.04;

export class Load {
  readonly #options: LoadOptions;
  // Apart, so that what is sent does not depend on what had to be sent again.
  readonly #content: Chance;
  readonly #delivery: Chance;
  readonly #statements = new Map<string, Statements>();
  readonly #pending = new Set<Promise<void>>();
  #running: Promise<void> | null = null;
  #stopped = false;
  #abandoned = false;
  #n = 0;
  inFlight = 0;
  perSecond: number;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.perSecond = options.perSecond;
    this.#content = options.chance.fork('content');
    this.#delivery = options.chance.fork('delivery');
  }

  start(): void {
    this.#stopped = false;
    this.#running ??= this.#run();
    this.#options.beside?.start();
  }

  /** Nothing new is sent from here on; what was sent goes on until it has an answer. */
  async pause(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#running, this.#options.beside?.pause()]);
    this.#running = null;
  }

  /** Returns how many are still without an answer when none of them has got one for so long. */
  async finish(withinMs: number): Promise<number> {
    this.#stopped = true;
    await this.#running;
    const beside = this.#options.beside?.finish(withinMs);
    let left = this.#pending.size;
    // However many wait on a busy machine: what counts is that they get fewer.
    while (left > 0 && (await until(() => this.#pending.size < left, withinMs))) left = this.#pending.size;
    this.#abandoned = true;
    await Promise.allSettled(this.#pending);
    return left + ((await beside) ?? 0);
  }

  /** So many at once, whatever the rate. */
  burst(n: number): void {
    for (let i = 0; i < n; i++) this.#send();
  }

  async #run(): Promise<void> {
    let due = performance.now();
    while (!this.#stopped) {
      if (this.inFlight < MAX_IN_FLIGHT) this.#send();
      due = Math.max(due + 1000 / this.perSecond, performance.now() - 200);
      const wait = due - performance.now();
      if (wait > 1) await sleep(wait);
    }
  }

  #send(): void {
    const { journal } = this.#options;
    const chance = this.#content;
    const entry = this.#newEntry();
    journal.open(entry);
    const twice = entry.key !== null && chance.is(TWICE);
    const again = entry.key !== null && chance.is(REPEATED);
    const work = async () => {
      await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => this.#deliver(entry)));
      if (again && !this.#abandoned) await this.#deliver(entry);
    };
    const pending = work();
    this.#pending.add(pending);
    void pending.finally(() => this.#pending.delete(pending));
  }

  #newEntry(): Entry {
    const { tenants, scopes, anonymous = 0.2, padding = '', filler = '' } = this.#options;
    const chance = this.#content;
    const n = this.#n++;
    const tenant = chance.pick(tenants);
    // The same names in every tenant: whoever forgets the tenant finds another's scope.
    const scopeId = `scope-${chance.below(scopes)}`;
    const place = `${tenant.id} ${scopeId}`;
    const statements = this.#statements.get(place) ?? new Statements(chance.fork(place));
    this.#statements.set(place, statements);
    const isAnonymous = chance.is(anonymous);
    return {
      tenant,
      scopeId,
      name: `paper ${n}`,
      documentId: isAnonymous ? null : `doc-${n}${padding}`,
      key: isAnonymous ? null : `key-${n}`,
      statement: statements.next(filler),
      accepted: null,
      otherAnswers: [],
      sends: 0,
    };
  }

  /** Until it is answered. What has no key is sent once. */
  async #deliver(entry: Entry): Promise<void> {
    for (let wait = RETRY_MS; !this.#abandoned; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      if ((await this.#post(entry)) || entry.key === null) return;
      await sleep(wait);
      // What is sent again takes the place of what would be new: a service that is down has both waiting for it.
      while (this.inFlight >= MAX_IN_FLIGHT && !this.#abandoned) await sleep(RETRY_MS);
    }
  }

  async #post(entry: Entry): Promise<boolean> {
    const { urls, journal, timeoutMs = 15_000 } = this.#options;
    const url = this.#delivery.pick(urls());
    const at = performance.now();
    this.inFlight++;
    entry.sends++;
    try {
      const answer = await call(`${url}/api/ingest`, {
        headers: { 'x-tenant-id': entry.tenant.id },
        timeoutMs,
        body: {
          scope_id: entry.scopeId,
          name: entry.name,
          text: entry.statement.text,
          ...(entry.documentId !== null && { document_id: entry.documentId }),
          ...(entry.key !== null && { idempotency_key: entry.key }),
        },
      });
      if (answer.status === 202) note(entry, answer.body);
      const { status, ms, body } = answer;
      journal.note(entry, { url, at, ms, status, ...(status !== 202 && { error: body?.detail }) });
      return answer.status === 202;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      journal.note(entry, { url, at, ms: performance.now() - at, status: null, error: code ?? message });
      return false;
    } finally {
      this.inFlight--;
    }
  }
}

function note(entry: Entry, { document_id: documentId, seq }: { document_id: string; seq: number }): void {
  if (!entry.accepted) entry.accepted = { documentId, seq };
  else if (entry.accepted.documentId !== documentId || entry.accepted.seq !== seq)
    entry.otherAnswers.push(`${documentId} at ${seq}`);
}
