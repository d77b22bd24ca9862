/** What Postgres sends after a COPY … TO STDOUT or a BASE_BACKUP, as a stream that may be read as slowly as one likes. */
import { Readable } from 'node:stream';
import type pg from 'pg';

/** Small messages, such as rows, are gathered into pieces of about this size. */
const GATHER_BYTES = 64 * 1024;
/** So much is kept for a reader who is slow; then Postgres waits. */
const AHEAD_BYTES = 1024 * 1024;

export type TextRow = (string | null)[];

/** Of a message, what belongs into the stream. */
export type Decode = (message: Buffer) => Buffer | null;

/** Given to `query` of a client. Each piece of the stream ends where a message ends. */
export class CopyOut extends Readable implements pg.Submittable {
  readonly #sql: string;
  readonly #decode: Decode;
  #socket: pg.Connection['stream'] | null = null;
  // The client may use the memory of a message again as soon as it was handed over, so all of it is copied.
  #gathered = Buffer.allocUnsafe(GATHER_BYTES);
  #length = 0;
  /** What came as rows, before and after: one list for each result. */
  readonly results: TextRow[][] = [];
  /** What the command said at its end, such as "COPY 12". */
  tag = '';
  /** How many bytes have come at the end of each command. */
  readonly ends: number[] = [];
  #bytes = 0;
  /** Set by pg, which waits for this call for as long as a query may take: the client's time, unless there is another here. */
  callback: (() => void) | undefined;
  query_timeout: number | undefined;

  constructor(sql: string, decode: Decode = (message) => message) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#sql = sql;
    this.#decode = decode;
  }

  override _read(): void {
    this.#socket?.resume();
  }

  submit(connection: pg.Connection): void {
    this.#socket = connection.stream;
    connection.query(this.#sql);
  }

  handleRowDescription(): void {
    this.results.push([]);
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.results.at(-1)?.push(fields);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const wanted = this.#decode(chunk);
    if (!wanted) return;
    this.#bytes += wanted.length;
    if (this.#length + wanted.length > GATHER_BYTES) this.#pushGathered();
    if (wanted.length > GATHER_BYTES) {
      this.#push(Buffer.from(wanted));
    } else {
      wanted.copy(this.#gathered, this.#length);
      this.#length += wanted.length;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.tag = text;
    this.ends.push(this.#bytes);
  }

  handleReadyForQuery(): void {
    this.callback?.();
    this.#pushGathered();
    this.push(null);
    // Nobody asks this stream for more from here on, and the next query needs the connection.
    this.#socket?.resume();
  }

  handleError(error: Error): void {
    this.callback?.();
    this.destroy(error);
    this.#socket?.resume();
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}

  #pushGathered(): void {
    if (this.#length === 0) return;
    const piece = this.#gathered.subarray(0, this.#length);
    this.#gathered = Buffer.allocUnsafe(GATHER_BYTES);
    this.#length = 0;
    this.#push(piece);
  }

  #push(piece: Buffer): void {
    if (!this.push(piece)) this.#socket?.pause();
  }
}

/** What came of each command, with a character for each byte. */
export async function textsOf(copied: CopyOut): Promise<string[]> {
  const bytes = Buffer.concat(await copied.toArray());
  return copied.ends.map((end, nth) => bytes.toString('latin1', copied.ends[nth - 1] ?? 0, end));
}
