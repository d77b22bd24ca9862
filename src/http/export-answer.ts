/** One export on a socket: whole pages in pieces that a slow reader can take, with their hash, and how it ends. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../domain/export/export.ts';
import { type AppError, isUnavailable } from '../errors.ts';
import { ndjsonLine } from '../ndjson.ts';
import { LongAnswer } from './long-answer.ts';
import { toLastProblem } from './problem.ts';

/** A reader has half a minute for each: whoever takes 2 KB a second is not cut off, however long the lines are. */
const PIECE_BYTES = 64 * 1024;
/** So much may come again for who resumes, and a page more: a cursor is some 150 bytes. */
const LINES_TO_CURSOR = 1000;
const BYTES_TO_CURSOR = 4 * 1024 * 1024;
/**
 * The same where there are no lines: of millions of versions that newer ones have taken the place of, a client would hear nothing for
 * longer than it waits, and begin again before them. So would one whose tenant has read more than it may, and waits for the next page.
 */
const PAGES_TO_CURSOR = 20;
const MS_TO_CURSOR = 10_000;

export class ExportAnswer extends LongAnswer {
  readonly #requestId: string;
  readonly #hash = createHash('sha256');
  /** In the middle of a page nothing can be said: neither is a line at its end, nor is there a cursor that goes on from there. */
  #isWhole = true;
  /** Behind the last page. */
  #cursor: string | null = null;
  /** Since the last cursor that was sent. */
  #lines = 0;
  #bytes = 0;
  #pages = 0;
  #since = performance.now();
  readonly #quiet: NodeJS.Timeout;

  constructor(request: FastifyRequest, reply: FastifyReply, quietMs = MS_TO_CURSOR) {
    super(request, reply, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    this.#requestId = request.id;
    this.#quiet = setInterval(() => this.#sendCursor(), quietMs).unref();
    void this.ended.then(() => clearInterval(this.#quiet));
  }

  /** As fast as the reader takes it. Returns how many bytes it was; null when the reader has gone. */
  async sendPage({ write, cursor }: Pick<Page, 'write' | 'cursor'>): Promise<number | null> {
    const { lines, count } = await write();
    this.#lines += count;
    this.#bytes += lines.length;
    this.#pages++;
    const isDue = this.#isCursorDue;
    if (isDue) [this.#lines, this.#bytes, this.#pages, this.#since] = [0, 0, 0, performance.now()];
    const bytes = isDue ? Buffer.concat([lines, Buffer.from(ndjsonLine({ kind: 'cursor', cursor }))]) : lines;
    this.#hash.update(bytes);
    if (bytes.length > 0) this.#quiet.refresh();
    else this.#cursor = cursor;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const sent = this.sendPatiently(bytes.subarray(at, at + PIECE_BYTES));
      this.#isWhole = at + PIECE_BYTES >= bytes.length;
      if (this.#isWhole) this.#cursor = cursor;
      if (!(await sent)) return null;
    }
    return bytes.length;
  }

  /** Between two pages, when the next one is long in coming. Who has not read what there is needs no more of it. */
  #sendCursor(): void {
    const { isOpen, response } = this;
    if (!isOpen || !this.#isWhole || this.#cursor === null || response.writableNeedDrain) return;
    const line = ndjsonLine({ kind: 'cursor', cursor: this.#cursor });
    this.#hash.update(line);
    response.write(line);
  }

  get #isCursorDue(): boolean {
    const isMuch = this.#lines >= LINES_TO_CURSOR || this.#bytes >= BYTES_TO_CURSOR;
    return isMuch || this.#pages >= PAGES_TO_CURSOR || performance.now() - this.#since >= MS_TO_CURSOR;
  }

  /** All was written: the hash is of all bytes before this line. */
  sendEnd(end: object): void {
    clearInterval(this.#quiet);
    this.finish(ndjsonLine({ kind: 'end', ...end, sha256: this.#hash.digest('hex') }));
  }

  /** It cannot go on. */
  fail(error: AppError): void {
    if (this.#isWhole) this.finish(this.#lastWords(error));
    else this.breakOff();
  }

  /** The same for who is not waited for. */
  stop(error: AppError): void {
    if (this.#isWhole) this.end(this.#lastWords(error));
    else this.breakOff();
  }

  /** Why, and from where to go on, if that is possible. */
  #lastWords(error: AppError): string {
    const why = ndjsonLine({ kind: 'error', error: toLastProblem(error, this.#requestId) });
    const canGoOn = this.#cursor !== null && isUnavailable(error);
    return canGoOn ? ndjsonLine({ kind: 'cursor', cursor: this.#cursor }) + why : why;
  }
}
