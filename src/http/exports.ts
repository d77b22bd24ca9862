/** The exports that this process has open: how many, for whom, and until when. A page takes a turn of those who read, and none between two. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../domain/admission.ts';
import type { Queryable } from '../domain/database.ts';
import { beginExport, type ExportWishes, type ScopeExport } from '../domain/export/export.ts';
import { AppError } from '../errors.ts';
import type { Slots } from '../slots.ts';
import { ExportAnswer } from './export-answer.ts';
import type { KeyWatch } from './key-watch.ts';
import { Places, type PlacesOptions } from './places.ts';
import { toAppError } from './problem.ts';
import { keyEnded, keyPrefixesOf } from './request-keys.ts';
import { clientGone, late, whenClosed } from './when-closed.ts';

export interface ExportsOptions extends Omit<PlacesOptions, 'name'> {
  db: Queryable;
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

  /** Answers a request with an export. What is wrong with it, or with its first page, is said before the first byte. */
  async open(request: FastifyRequest, reply: FastifyReply, { tenantId, scopeId, ...wishes }: Wanted): Promise<void> {
    if (this.#closed) throw closing();
    const open: Open = { tenantId, over: new AbortController(), why: null, answer: null };
    const giveBack = this.#places.take({ tenantId, hasKey: true, end: (why) => end(open, why) });
    this.#open.add(open);
    whenClosed(reply, () => open.over.abort());
    const unwatch = this.#options.keyWatch.watch(keyPrefixesOf(request), () => end(open, keyEnded()));
    try {
      await this.#write(open, request, reply, scopeId, wishes);
    } finally {
      unwatch();
      this.#open.delete(open);
      giveBack();
    }
  }

  async #write(open: Open, request: FastifyRequest, reply: FastifyReply, scopeId: string, wishes: ExportWishes) {
    const { db, answerWithinMs } = this.#options;
    const begin = async () => {
      const begun = await beginExport(db, open.tenantId, scopeId, wishes);
      return { begun, first: await begun.next() };
    };
    const { begun, first } = await this.#inTurn(open, answerWithinMs, begin);
    const answer = new ExportAnswer(request, reply);
    open.answer = answer;
    try {
      await this.#send(open, answer, begun, first);
    } catch (error) {
      // Who has gone, or was told so already, hears of nothing else.
      if (!answer.isOpen) return;
      const appError = toAppError(error);
      if (appError.code !== 'not_found') request.log.warn({ err: error }, 'an export was broken off');
      answer.fail(appError);
    }
  }

  async #send(open: Open, answer: ExportAnswer, begun: ScopeExport, first: Awaited<ReturnType<ScopeExport['next']>>) {
    for (let page = first; page; page = await this.#inTurn(open, TURN_PATIENCE_MS, () => begun.next())) {
      const bytes = await answer.sendPage(page);
      if (bytes === null) return;
      const waitS = await this.#options.admission.chargePage(open.tenantId, bytes);
      if (waitS > 0) await sleep(1000 * waitS, undefined, { signal: open.over.signal });
    }
    answer.sendEnd(await this.#inTurn(open, TURN_PATIENCE_MS, () => begun.end()));
  }

  async #inTurn<Found>(open: Open, patienceMs: number, look: () => Promise<Found>): Promise<Found> {
    const { reads } = this.#options;
    const signal = AbortSignal.any([open.over.signal, AbortSignal.timeout(patienceMs)]);
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
