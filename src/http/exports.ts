/** The exports that this process has open: how many, for whom, and until when. A page takes a turn of those who read, and none between two. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../domain/admission.ts';
import type { Copyable, Queryable } from '../domain/database.ts';
import { beginExport, type ExportWishes, type Page, type ScopeExport } from '../domain/export/export.ts';
import { AppError } from '../errors.ts';
import type { Slots } from '../slots.ts';
import { ExportAnswer } from './export-answer.ts';
import type { KeyWatch } from './key-watch.ts';
import { Places, type PlacesOptions } from './places.ts';
import { toAppError } from './problem.ts';
import { keyEnded, keyPrefixesOf } from './request-keys.ts';
import { clientGone, isClosed, late, whenClosed } from './when-closed.ts';

export interface ExportsOptions extends Omit<PlacesOptions, 'name'> {
  db: Queryable & Copyable;
  reads: Slots;
  admission: Pick<Admission, 'chargePage'>;
  keyWatch: KeyWatch;
  /** How long the beginning of an answer may wait for its turn. */
  answerWithinMs: number;
}

export interface Wanted extends ExportWishes {
  tenantId: string;
  scopeId: string;
}

const RETRY_AFTER_S = 5;
/** For the next page of one that has begun, which would be broken off. */
const TURN_PATIENCE_MS = 60_000;

/** Who has got a page within this time is quick: the next one may be read meanwhile. */
const QUICK_MS = 500;

interface Begun {
  pages: ScopeExport;
  first: Awaited<ReturnType<ScopeExport['next']>>;
}

/** One of them, from before its first byte on. */
interface Open {
  tenantId: string;
  /** Aborted when the client has gone, or when it is to end. */
  over: AbortController;
  /** Why it is to end before its end. */
  why: AppError | null;
  answer: ExportAnswer | null;
}

export class Exports {
  readonly #options: ExportsOptions;
  readonly #open = new Set<Open>();
  readonly #places: Places;
  #closed = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
    this.#places = new Places({ ...options, name: 'exports' });
  }

  /**
   * Answers a request with an export. What is wrong with it, or with its first page, is said before the first byte, and before anybody
   * is ended for it. Of those that begin and have no place yet, each has to wait for its turn to read: as many have a page in memory as
   * there are turns.
   */
  async open(request: FastifyRequest, reply: FastifyReply, { tenantId, scopeId, ...wishes }: Wanted): Promise<void> {
    if (this.#closed) throw closing();
    if (isClosed(reply)) throw clientGone();
    const open: Open = { tenantId, over: new AbortController(), why: null, answer: null };
    const holder = { tenantId, hasKey: true, end: (why: AppError) => end(open, why) };
    this.#places.check(holder);
    const closers: (() => void)[] = [];
    try {
      this.#open.add(open);
      whenClosed(reply, () => open.over.abort());
      closers.push(this.#options.keyWatch.watch(keyPrefixesOf(request), () => end(open, keyEnded())));
      const begun = await this.#begin(open, scopeId, wishes);
      closers.push(this.#places.take(holder));
      await this.#write(open, request, reply, begun);
    } finally {
      this.#open.delete(open);
      for (const close of closers) close();
    }
  }

  async #begin(open: Open, scopeId: string, wishes: ExportWishes): Promise<Begun> {
    const { db, answerWithinMs } = this.#options;
    const begun = await this.#inTurn(open, answerWithinMs, async () => {
      // Of many that came together, those that would be refused in the end read nothing.
      this.#places.check({ tenantId: open.tenantId, hasKey: true });
      const pages = await beginExport(db, open.tenantId, scopeId, wishes);
      return { pages, first: await pages.next() };
    });
    // While the page was read nobody heard of it.
    if (open.over.signal.aborted) throw open.why ?? clientGone();
    return begun;
  }

  async #write(open: Open, request: FastifyRequest, reply: FastifyReply, { pages, first }: Begun) {
    const answer = new ExportAnswer(request, reply);
    open.answer = answer;
    try {
      await this.#send(open, answer, pages, first);
    } catch (error) {
      // Who has gone, or was told so already, hears of nothing else.
      if (!answer.isOpen) return;
      const appError = toAppError(error);
      if (appError.code !== 'not_found') request.log.warn({ err: error }, 'an export was broken off');
      answer.fail(appError);
    }
  }

  async #send(open: Open, answer: ExportAnswer, begun: ScopeExport, first: Awaited<ReturnType<ScopeExport['next']>>) {
    const next = (signal?: AbortSignal) => this.#inTurn(open, TURN_PATIENCE_MS, () => begun.next(), signal);
    let isQuick = true;
    for (let page = first; page; ) {
      const began = performance.now();
      const noMore = new AbortController();
      // While this page is sent, Postgres reads the next one.
      const ahead = isQuick ? next(noMore.signal) : null;
      // Whatever comes of it is looked at later, and it has ended before the request has.
      const read = ahead?.catch(() => null);
      let isSent = false;
      try {
        isSent = await this.#sendPage(open, answer, page);
      } finally {
        isQuick = performance.now() - began < QUICK_MS;
        if (!isSent) noMore.abort();
        await read;
      }
      if (!isSent) return;
      const old = isQuick ? null : await read;
      if (old) {
        // Lines show what is, and not what was: it is read again, and was a read all the same.
        old.leave();
        await this.#options.admission.chargePage(open.tenantId, 0);
      }
      page = await (ahead && isQuick ? ahead : next());
    }
    answer.sendEnd(await this.#inTurn(open, TURN_PATIENCE_MS, () => begun.end()));
  }

  /** Returns when the next one may come; false when the reader has gone. */
  async #sendPage(open: Open, answer: ExportAnswer, page: Page): Promise<boolean> {
    const bytes = await answer.sendPage(page);
    if (bytes === null) return false;
    const waitS = await this.#options.admission.chargePage(open.tenantId, bytes);
    if (waitS > 0)
      await sleep(1000 * waitS, undefined, { signal: open.over.signal }).catch(() => {
        throw open.why ?? clientGone();
      });
    return true;
  }

  async #inTurn<Found>(
    open: Open,
    patienceMs: number,
    look: () => Promise<Found>,
    unwanted = open.over.signal,
  ): Promise<Found> {
    const { reads } = this.#options;
    const signal = AbortSignal.any([open.over.signal, unwanted, AbortSignal.timeout(patienceMs)]);
    await reads.take(open.tenantId, { signal }).catch(() => {
      throw open.why ?? (open.over.signal.aborted ? clientGone() : late());
    });
    return look().finally(() => reads.giveBack(open.tenantId));
  }

  /** Each can go on elsewhere. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) end(open, closing());
  }
}

function end(open: Open, why: AppError): void {
  open.why = why;
  open.answer?.stop(why);
  open.over.abort();
}

const closing = () =>
  new AppError('unavailable', 'This node is closing; go on from the last cursor.', {
    retryAfterSeconds: RETRY_AFTER_S,
    reason: 'ending',
  });
