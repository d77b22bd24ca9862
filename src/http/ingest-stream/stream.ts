/** One stream of documents: reads lines no faster than they are stored, and answers each in its turn. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { full } from '../../domain/accept/unanswered.ts';
import { BY_ID_ALONE } from '../../domain/access.ts';
import { AppError } from '../../errors.ts';
import { giveWay } from '../../give-way.ts';
import { accessOf } from '../access.ts';
import { tenantOf } from '../auth.ts';
import { payerOf } from '../body-budget.ts';
import type { StreamDeps, StreamWishes } from '../deps.ts';
import { errorStatus, toAppError, toProblem } from '../problem.ts';
import { clientGone } from '../when-closed.ts';
import { Answers, type Entry, type Outcome } from './answers.ts';
import { inCrumbs, StreamBody } from './body.ts';
import { type Item, ItemReader, LONGEST_LINE } from './items.ts';
import { type Line, LineSplitter } from './lines.ts';
import { HELD_UP_MS, RETRY_MS, Storing } from './storing.ts';
import { Waker } from './waker.ts';

/** Lines that were begun and not answered: two flushes, one that is stored and one that is made ready meanwhile. */
const LINES = 1024;
/**
 * The same beside others who post, for all streams of a tenant: others wait for the flush that is under way, and for their own. Beside
 * eight streams a light tenant waited 2.1 to 3.1 times as long as alone; with 64, it was 3.0 to 4.9 times.
 */
const LINES_BESIDE_OTHERS = 24;
const BYTES = 512 * 1024;
/** Of a piece, at once: by the least that a tenant may be limited to, it is let through in time. */
const PAID_BYTES = 16 * 1024;
/** So often it is looked whether a limit lets more through. */
const LIMITED_MS = 50;
/**
 * A line comes within so many times the longest silence, by the time for which the client was waited for. What was begun of one takes
 * memory, and with a byte now and then a stream would keep its place for days; blank lines are no better.
 */
const SILENCES_OF_A_LINE = 4;

export interface StreamOptions extends StreamWishes {
  /** How long a client may send nothing while it is waited for. */
  silenceMs: number;
  /** How many streams its tenant has open here, this one included. */
  ofTenant: () => number;
}

export class IngestStream {
  readonly #deps: StreamDeps;
  readonly #request: FastifyRequest;
  readonly #tenantId: string;
  readonly #silenceMs: number;
  readonly #ofTenant: () => number;
  readonly #waker = new Waker();
  readonly #splitter = new LineSplitter(LONGEST_LINE);
  readonly #reader: ItemReader;
  readonly #body: StreamBody;
  readonly #storing: Storing;
  readonly #answers: Answers;
  /** How long the client was waited for since its last line. */
  #waitedMs = 0;
  /** Gives back what a long line takes of the budget for bodies. */
  #giveBack: (() => void) | null = null;
  #stopped: AppError | null = null;

  /** Takes the answer over from the framework. */
  constructor(deps: StreamDeps, request: FastifyRequest, reply: FastifyReply, options: StreamOptions) {
    const { scopeId, validators, errorsOnly, silenceMs, ofTenant } = options;
    this.#deps = deps;
    this.#request = request;
    this.#tenantId = tenantOf(request);
    this.#silenceMs = silenceMs;
    this.#ofTenant = ofTenant;
    this.#reader = new ItemReader(request, scopeId, validators);
    const onMore = () => this.#waker.wake();
    this.#storing = new Storing({
      accepter: deps.accepter,
      onStored: (entry, outcome) => this.#decide(entry, outcome),
      onRefused: (entry, error) => this.#reject(entry, error),
      onHopeless: (error) => this.stop(error),
    });
    const onUnread = () => this.stop(unread());
    const lines = deps.figures.streamLines;
    this.#answers = new Answers(request, reply, { errorsOnly, onMore, onUnread, lines });
    const isPacked = request.headers['content-encoding'] === 'gzip';
    this.#body = new StreamBody(request.raw, reply.raw, isPacked, onMore);
    void this.#answers.ended.then(() => this.stop(clientGone()));
  }

  /** Ends it: what is being stored is waited for and answered, the rest is left. */
  stop(error: AppError): void {
    this.#stopped ??= error;
    this.#storing.stop();
    this.#waker.wake();
  }

  /** Until all is answered and the last line is written. */
  async run(): Promise<void> {
    const error = await this.#takeAll().then(() => null, toAppError);
    this.#endLongLine();
    if (error) this.stop(error);
    while (this.#storing.inFlight > 0) await this.#waker.wait(RETRY_MS);
    if (error && this.#answers.isOpen) this.#deps.figures.refusals.count(error);
    if (error?.code === 'internal') this.#request.log.error({ err: error.cause }, error.message);
    this.#answers.close(error);
    this.#body.discard();
  }

  async #takeAll(): Promise<void> {
    for (;;) {
      const line = this.#splitter.next();
      if (line === 'long') await this.#beginLongLine();
      else if (line) await this.#take(line);
      else if (!(await this.#read())) break;
      if (!this.#splitter.isLong) this.#endLongLine();
    }
    const last = this.#splitter.end();
    if (last) await this.#take(last);
    while (this.#answers.size > 0) await this.#wait(RETRY_MS);
  }

  /**
   * A long line takes all that it may ever need at once, and waits for that with nothing in hand but what every stream has: whoever
   * waits keeps nobody else from going on, and whoever has some needs no more of it. What has some ends in time, since a line has to
   * come within a time, and what is stored before it does. As many streams as the settings allow leave room for one such line. So there
   * is always one that goes on, however many wait. Taken piece by piece, each of many might hold half of a line and wait for the other
   * half.
   */
  async #beginLongLine(): Promise<void> {
    const { server } = this.#request;
    await this.#admit(() => {
      this.#giveBack = server.bodyBudget.take(payerOf(this.#request), LONGEST_LINE);
    });
    this.#splitter.allowLong();
  }

  #endLongLine(): void {
    this.#giveBack?.();
    this.#giveBack = null;
  }

  /** Has the next piece cut into lines; false when there is none. */
  async #read(): Promise<boolean> {
    for (const since = performance.now(); ; ) {
      const piece = this.#body.next();
      const now = performance.now();
      const waitedMs = this.#waitedMs + now - since;
      if (piece) {
        this.#waitedMs = waitedMs;
        if (this.#body.isInCrumbs(this.#splitter.count)) throw inCrumbs();
        for (let left = piece.length; left > 0; left -= PAID_BYTES)
          await this.#admit(() => this.#deps.admission.admitBytes(this.#tenantId, Math.min(left, PAID_BYTES)));
        this.#splitter.push(piece);
        return true;
      }
      if (this.#body.error) throw this.#body.error;
      if (this.#body.isEnded) return false;
      const silentMs = now - Math.max(since, this.#body.lastAt);
      if (silentMs >= this.#silenceMs) throw silent(this.#silenceMs);
      const longestMs = SILENCES_OF_A_LINE * this.#silenceMs;
      if (waitedMs >= longestMs) throw slow(longestMs);
      await this.#wait(Math.min(this.#silenceMs - silentMs, longestMs - waitedMs));
    }
  }

  async #take({ number, bytes }: Line): Promise<void> {
    while (this.#isFull) await this.#wait(RETRY_MS);
    // Others have their turn between two lines, as between two documents of a batch.
    await giveWay();
    if (this.#stopped) throw this.#stopped;
    // A blank line, too: it costs as much as another to go through millions of them.
    await this.#admit(() => this.#admitDocument());
    const entry = this.#answers.begin(number, bytes?.length ?? 0);
    if (bytes && isBlank(bytes)) return this.#decide(entry, 'blank');
    this.#waitedMs = 0;
    let item: Item;
    try {
      item = this.#reader.read(bytes);
    } catch (error) {
      return this.#reject(entry, toAppError(error));
    }
    if ('skipped' in item) return this.#decide(entry, { status: 204, skipped: item.skipped });
    while (this.#storing.mustWait(item.submission)) await this.#wait(RETRY_MS);
    this.#storing.add(entry, item.submission);
  }

  get #isFull(): boolean {
    const isAlone = this.#deps.accepter.isAlone(this.#tenantId);
    const lines = isAlone ? LINES : Math.ceil(LINES_BESIDE_OTHERS / this.#ofTenant());
    return this.#answers.size >= lines || this.#answers.bytes >= BYTES;
  }

  #admitDocument(): void | Promise<void> {
    if (this.#deps.accepter.isFull(this.#tenantId)) throw full();
    const hasKey = accessOf(this.#request) !== BY_ID_ALONE;
    return this.#deps.admission.admitDocument(this.#tenantId, 0, hasKey);
  }

  /** Limits slow a stream down instead of refusing its lines; so does a store that cannot be asked, and memory that others have. */
  async #admit(admit: () => void | Promise<void>): Promise<void> {
    for (const since = performance.now(); ; ) {
      let error: AppError;
      try {
        const admitting = admit();
        return admitting instanceof Promise ? await admitting : undefined;
      } catch (thrown) {
        error = toAppError(thrown);
      }
      const isLimited = error.code === 'too_many_requests';
      if ((!isLimited && error.code !== 'unavailable') || performance.now() - since > HELD_UP_MS) throw error;
      await this.#wait(isLimited ? LIMITED_MS : RETRY_MS);
    }
  }

  #decide(entry: Entry, outcome: Outcome): void {
    this.#answers.decide(entry, outcome);
    if (this.#stopped) this.#waker.wake();
  }

  #reject(entry: Entry, error: AppError): void {
    const { log, id } = this.#request;
    if (error.code === 'internal') log.error({ err: error.cause }, error.message);
    this.#decide(entry, { status: errorStatus[error.code], error: toProblem(error, id) });
  }

  async #wait(ms: number): Promise<void> {
    if (!this.#stopped) await this.#waker.wait(ms);
    if (this.#stopped) throw this.#stopped;
  }
}

/** Whether JSON has nothing in it: spaces, tabs, and the other end of a line. */
function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

const silent = (ms: number) =>
  new AppError('request_timeout', `Nothing came for ${ms / 1000} s; send the lines that are left in another stream.`);
const slow = (ms: number) =>
  new AppError('request_timeout', `No whole line came in ${ms / 1000} s; send what is left in another stream.`);
const unread = () =>
  new AppError('request_timeout', 'The answers are not read; read them while you send, or ask for answers=errors.');
