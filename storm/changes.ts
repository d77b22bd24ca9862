/**
 * A client that changes its mind: it stores documents and has them queued later, posts new versions, deletes, and
 * resets the scope. In a scope of its own it takes one step at a time, so that what has to be there in the end is known.
 */
import { appendFileSync } from 'node:fs';
import type { Chance } from './chance.ts';
import type { Deployment } from './deployment.ts';
import { type Answer, type Call, call } from './http.ts';
import type { Tenant } from './journal.ts';
import { firmName, LONG_READING, type Statement, state } from './texts.ts';
import { sleep, until } from './waiting.ts';

export interface Version {
  seq: number;
  name: string;
  statement: Statement;
  /** Only stored: it is queued by a later step, if it is still the newest then. */
  isStored: boolean;
}

/** A document through its versions. */
export interface Life {
  documentId: string;
  versions: Version[];
  isDeleted: boolean;
  /** Each of its posts was answered at once: none can still be on its way. */
  isClear: boolean;
}

/** A scope as it has to be. */
export interface Changing {
  tenant: Tenant;
  scopeId: string;
  /** Since the last reset. */
  lives: Life[];
  resets: number;
}

export interface ChangesOptions {
  deployment: Pick<Deployment, 'tenants' | 'urls' | 'asAdmin'>;
  chance: Chance;
  /** Where each step is written down. */
  file: string;
}

const SCOPE = 'changing';
const PER_SECOND = 8;
const RETRY_MS = 250;
/** What was not answered may still be carried out for so long: the database's time-out, and some more. */
const ON_ITS_WAY_MS = 12_000;

/** Of the steps; the rest are new documents. */
const SHARES = { reset: 0.02, delete: 0.08, trigger: 0.08, version: 0.3 };
/** Before that there is too little to empty. */
const RESET_LEAST = 10;
const MAX_VERSIONS = 4;
/** Nearly as long as a text may be: a worker has its scope in hand for some time. */
const OCCUPYING = LONG_READING.repeat(30);
const OCCUPIED_MS = 3000;
const LOOK_EVERY_MS = 5;

export class Changes {
  readonly #hands: Hand[];
  #running: Promise<unknown> | null = null;

  constructor(options: ChangesOptions) {
    this.#hands = options.deployment.tenants.map(
      (tenant) => new Hand({ tenant, scopeId: SCOPE, lives: [], resets: 0 }, options),
    );
  }

  get scopes(): Changing[] {
    return this.#hands.map(({ scope }) => scope);
  }

  /** Answers that a good service never gives. */
  get odd(): string[] {
    return this.#hands.flatMap(({ odd }) => odd);
  }

  /** How often each kind of step was taken. */
  get steps(): Record<string, number> {
    const steps: Record<string, number> = {};
    for (const hand of this.#hands) for (const [what, n] of hand.steps) steps[what] = (steps[what] ?? 0) + n;
    return steps;
  }

  start(): void {
    this.#running ??= Promise.all(this.#hands.map((hand) => hand.run()));
  }

  async pause(): Promise<void> {
    for (const hand of this.#hands) hand.stop();
    await this.#running;
    this.#running = null;
  }

  /** Has all that is only stored queued. Returns how many scopes were still without an answer when the time was over. */
  async finish(withinMs: number): Promise<number> {
    const ends = this.pause().then(() => Promise.all(this.#hands.map((hand) => hand.end())));
    let left = this.#hands.length;
    void ends.then(() => {
      left = 0;
    });
    await until(() => left === 0, withinMs);
    for (const hand of this.#hands) hand.giveUp();
    return left;
  }
}

class Hand {
  readonly scope: Changing;
  readonly odd: string[] = [];
  readonly steps = new Map<string, number>();
  readonly #options: ChangesOptions;
  readonly #chance: Chance;
  readonly #delivery: Chance;
  #n = 0;
  #stopped = false;
  #givenUp = false;
  #unclearAt = Number.NEGATIVE_INFINITY;

  constructor(scope: Changing, options: ChangesOptions) {
    this.scope = scope;
    this.#options = options;
    this.#chance = options.chance.fork(`changes ${scope.tenant.id}`);
    this.#delivery = this.#chance.fork('delivery');
  }

  async run(): Promise<void> {
    this.#stopped = false;
    while (!this.#stopped) {
      const began = performance.now();
      await this.#step();
      await sleep(Math.max(1, began + 1000 / PER_SECOND - performance.now()));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async end(): Promise<void> {
    if (this.scope.lives.length > 0) await this.#trigger();
  }

  giveUp(): void {
    this.#givenUp = true;
  }

  #step(): Promise<void> {
    const chance = this.#chance;
    const { lives } = this.scope;
    const living = lives.filter(({ isDeleted, versions }) => !isDeleted && versions.length < MAX_VERSIONS);
    const erasable = lives.filter(({ isDeleted, isClear }) => !isDeleted && isClear);
    let roll = chance.next();
    const is = (share: number) => {
      roll -= share;
      return roll < 0;
    };
    if (is(SHARES.reset) && lives.length >= RESET_LEAST) return this.#reset();
    if (is(SHARES.delete) && erasable.length > 0) return this.#delete(chance.pick(erasable));
    if (is(SHARES.trigger) && lives.length > 0) return this.#trigger();
    if (is(SHARES.version) && living.length > 0) return this.#post(chance.pick(living));
    return this.#post(this.#newLife());
  }

  #newLife(): Life {
    return { documentId: `life-${this.#n}`, versions: [], isDeleted: false, isClear: true };
  }

  /** The first version, or another one. */
  async #post(life: Life, filler = ''): Promise<void> {
    const { scopeId, tenant, lives } = this.scope;
    const n = this.#n++;
    const name = `draft ${n}`;
    const isStored = this.#chance.is(0.25) && !filler;
    const said = this.#say(life);
    const statement = { ...said, text: said.text + filler };
    const sent = await this.#insist(`${isStored ? 'store' : 'post'} ${name} of ${life.documentId}`, (url) =>
      call(`${url}/api/${isStored ? 'documents' : 'ingest'}`, {
        headers: { 'x-tenant-id': tenant.id },
        body: {
          scope_id: scopeId,
          name,
          text: statement.text,
          document_id: life.documentId,
          idempotency_key: `change-${n}`,
        },
      }),
    );
    if (!sent) return;
    this.#count(isStored ? 'stored' : life.versions.length > 0 ? 'versions' : 'posted');
    if (!this.#isFine(sent.answer, isStored ? 201 : 202)) return;
    if (!sent.wasClear) life.isClear = false;
    if (life.versions.length === 0) lives.push(life);
    life.versions.push({ seq: sent.answer.body.seq, name, statement, isStored });
  }

  /** Two documents to a firm. Its numbers are far enough apart that two of them are one number or a contradiction. */
  #say(life: Life): Statement {
    const said = life.versions.at(-1)?.statement.firm;
    const firm = said ?? firmName(Math.floor(this.scope.lives.length / 2));
    return state(firm, [1200, 1900, 3100][this.#chance.below(3)] as number);
  }

  async #delete(life: Life): Promise<void> {
    const { scopeId, tenant } = this.scope;
    const path = `/api/documents/${life.documentId}?scope_id=${scopeId}`;
    const sent = await this.#insist(`delete ${life.documentId}`, (url) =>
      call(url + path, { method: 'DELETE', headers: { 'x-tenant-api-key': tenant.key } }),
    );
    if (!sent) return;
    this.#count('deleted');
    // Sent again, it finds nothing to delete.
    if (sent.wasClear || sent.answer.status !== 404) this.#isFine(sent.answer, 204);
    life.isDeleted = true;
  }

  async #trigger(): Promise<void> {
    const sent = await this.#insist('trigger', () => this.#asAdmin(`/admin/scopes/${this.scope.scopeId}/ingest`));
    if (!sent) return;
    this.#count('triggered');
    this.#isFine(sent.answer, 200);
  }

  /** With nothing on its way, before or after: a post that came late would be there, and a reset that did would empty more. */
  async #reset(): Promise<void> {
    await this.#post(this.#newLife(), OCCUPYING);
    if (!(await this.#allHasArrived())) return;
    await this.#untilAtWork();
    const sent = await this.#insist('reset', () => this.#asAdmin(`/admin/scopes/${this.scope.scopeId}/reset`));
    if (!sent) return;
    this.#count('resets');
    this.#isFine(sent.answer, 200);
    this.scope.lives = [];
    this.scope.resets++;
    if (!sent.wasClear) await until(() => this.#isLongAgo() || this.#givenUp, 2 * ON_ITS_WAY_MS);
  }

  /** What a worker finds in a scope that is emptied meanwhile belongs to nothing any more. */
  async #untilAtWork(): Promise<void> {
    const { scopeId, tenant } = this.scope;
    const path = `/api/scopes/${scopeId}/documents?state=processing&limit=1`;
    const ends = performance.now() + OCCUPIED_MS;
    while (performance.now() < ends && !this.#stopped) {
      const url = this.#delivery.pick(this.#options.deployment.urls());
      const answer = await call(url + path, { headers: { 'x-tenant-api-key': tenant.key } }).catch(() => null);
      if (answer?.body?.documents?.length > 0) return this.#count('at-work');
      await sleep(LOOK_EVERY_MS);
    }
  }

  #asAdmin(path: string): Promise<Answer> {
    const options: Call & { tenant: Tenant } = { tenant: this.scope.tenant, method: 'POST' };
    return this.#options.deployment.asAdmin(path, options);
  }

  #isLongAgo(): boolean {
    return performance.now() - this.#unclearAt > ON_ITS_WAY_MS;
  }

  async #allHasArrived(): Promise<boolean> {
    await until(() => this.#isLongAgo() || this.#stopped, 5 * ON_ITS_WAY_MS);
    return this.#isLongAgo();
  }

  /** Until it is answered with anything but 503. Null when it was given up. */
  async #insist(what: string, send: (url: string) => Promise<Answer>) {
    for (let wasClear = true; !this.#givenUp; wasClear = false) {
      const at = performance.now();
      const answer = await send(this.#delivery.pick(this.#options.deployment.urls())).catch(() => null);
      const line = {
        at,
        ms: performance.now() - at,
        tenant: this.scope.tenant.id,
        what,
        status: answer?.status ?? null,
      };
      appendFileSync(this.#options.file, `${JSON.stringify({ ...line, seq: answer?.body?.seq })}\n`);
      if (answer && answer.status !== 503) return { answer, wasClear };
      this.#unclearAt = performance.now();
      await sleep(RETRY_MS);
    }
    return null;
  }

  #count(what: string): void {
    this.steps.set(what, (this.steps.get(what) ?? 0) + 1);
  }

  #isFine({ status, body }: Answer, wanted: number): boolean {
    if (status !== wanted) this.odd.push(`${status} instead of ${wanted}: ${JSON.stringify(body)}`);
    return status === wanted;
  }
}
