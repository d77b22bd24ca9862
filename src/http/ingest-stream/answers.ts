/** The answers of a stream: in the order of its lines, many in one write, and no faster than they are read. */
import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IngestLineAnswer } from '../../contract/ingest-stream.ts';
import type { AppError } from '../../errors.ts';
import { ndjsonLine } from '../../ndjson.ts';
import { LongAnswer } from '../long-answer.ts';
import { toLastProblem } from '../problem.ts';
import { takenOf } from '../unread.ts';

/** In this time, a client takes at least so many bytes of its answers. */
const PATIENCE_MS = 30_000;
const LEAST_BYTES = 16 * 1024;
/** With errors alone, a client is told so often how far it has come. */
const THROUGH_EVERY = 1000;

/** What became of a line, or null as long as nobody knows. A blank one has no answer. */
export type Outcome = Omit<Static<typeof IngestLineAnswer>, 'line'> | 'blank';

export interface Entry {
  number: number;
  bytes: number;
  outcome: Outcome | null;
}

export interface AnswersOptions {
  errorsOnly: boolean;
  /** Called when there may be room for another line. */
  onMore: () => void;
  /** Called when the client has not read for too long. */
  onUnread: () => void;
  /** How long it may leave its answers unread. */
  patienceMs?: number;
  /** Counts those of all streams. */
  lines: Record<Kind, number>;
}

type Kind = 'accepted' | 'rejected' | 'skipped';

export class Answers extends LongAnswer {
  readonly #options: AnswersOptions;
  readonly #requestId: string;
  /** The client has said that it sends no other request on its connection. */
  readonly #isLast: boolean;
  /** Lines that were begun and not answered, in order. */
  readonly #entries: Entry[] = [];
  readonly #counts: Record<Kind, number> = { accepted: 0, rejected: 0, skipped: 0 };
  #through = 0;
  #bytes = 0;
  #hasRoom = true;
  #isDue = false;
  #late: NodeJS.Timeout | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, options: AnswersOptions) {
    // What is sent after an early end has to be read, or the client might never see that end: the connection stays.
    super(request, reply, { 'content-type': 'application/x-ndjson; charset=utf-8', connection: 'keep-alive' });
    this.#options = options;
    this.#requestId = request.id;
    this.#isLast = /\bclose\b/i.test(request.headers.connection ?? '');
    this.response.flushHeaders();
    this.response.on('drain', () => {
      clearTimeout(this.#late);
      this.#hasRoom = true;
      this.#write();
    });
    void this.ended.then(() => clearTimeout(this.#late));
  }

  /** Lines that were begun and not answered. */
  get size(): number {
    return this.#entries.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  begin(number: number, bytes: number): Entry {
    const entry: Entry = { number, bytes, outcome: null };
    this.#entries.push(entry);
    this.#bytes += bytes;
    return entry;
  }

  /** What is decided together is written together. */
  decide(entry: Entry, outcome: Outcome): void {
    entry.outcome = outcome;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#write());
  }

  /** What is decided up to the first line that is not, and the last line, whether or not there is room. */
  close(error: AppError | null): void {
    const text = this.#textOfDecided();
    const problem = error && { error: toLastProblem(error, this.#requestId) };
    const last = { through: this.#through, ...this.#counts, done: error === null, ...problem };
    if (this.isOpen) this.response.write(text + ndjsonLine(last));
    const { socket } = this.response;
    // All was read, so that nothing is lost when the connection goes, which its client may wait for.
    if (error === null && this.#isLast) this.response.once('finish', () => socket?.end());
    this.finish();
  }

  #write(): void {
    this.#isDue = false;
    if (!this.#hasRoom || !this.isOpen) return;
    const text = this.#textOfDecided();
    if (text !== '') this.#hasRoom = this.response.write(text);
    if (!this.#hasRoom) this.#watch();
    this.#options.onMore();
  }

  #textOfDecided(): string {
    let text = '';
    for (let first = this.#entries[0]; first?.outcome; first = this.#entries[0]) {
      this.#entries.shift();
      this.#bytes -= first.bytes;
      this.#through = first.number;
      text += this.#textOf(first.number, first.outcome);
    }
    return text;
  }

  #textOf(line: number, outcome: Outcome): string {
    const { errorsOnly, lines } = this.#options;
    let text = '';
    if (outcome !== 'blank') {
      const kind = outcome.error ? 'rejected' : outcome.skipped === undefined ? 'accepted' : 'skipped';
      this.#counts[kind]++;
      lines[kind]++;
      if (!errorsOnly || outcome.error) text = ndjsonLine({ line, ...outcome });
    }
    return errorsOnly && line % THROUGH_EVERY === 0 ? `${text}${ndjsonLine({ through: line })}` : text;
  }

  /** By what the system has taken: a write may be as long as all that waits, and a slow client is no silent one. */
  #watch(): void {
    const { socket } = this.response;
    if (!socket) return;
    const { patienceMs = PATIENCE_MS, onUnread } = this.#options;
    const before = takenOf(socket);
    clearTimeout(this.#late);
    this.#late = setTimeout(() => {
      if (takenOf(socket) - before >= LEAST_BYTES) this.#watch();
      else onUnread();
    }, patienceMs).unref();
  }
}
