/** What Postgres is sent after a COPY … FROM STDIN, no faster than it takes it. */
import { Writable } from 'node:stream';
import type pg from 'pg';

interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

type Callback = (error?: Error | null) => void;

/** Given to `query` of a client. It has finished when Postgres has taken all of it, and fails when it refuses any. */
export class CopyIn extends Writable implements pg.Submittable {
  readonly #sql: string;
  #connection: CopyConnection | null = null;
  /** What waits for Postgres to be ready for data, or to be done. */
  #next: (() => void) | null = null;
  #isReady = false;
  /** Rows that were taken. */
  rows = 0;

  constructor(sql: string) {
    super();
    this.#sql = sql;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as CopyConnection;
    connection.query(this.#sql);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    this.#whenReady((connection) => {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) connection.stream.once('drain', () => done());
      else done();
    });
  }

  override _final(done: Callback): void {
    this.#whenReady((connection) => {
      this.#next = () => done();
      connection.endCopyFrom();
    });
  }

  /** Whoever sends it may have failed: Postgres has to know, or it would take what it has for all. */
  override _destroy(error: Error | null, done: Callback): void {
    if (error && this.#isReady && this.#connection?.stream.writable) this.#connection.sendCopyFail('it was broken off');
    done(error);
  }

  handleCopyInResponse(): void {
    this.#isReady = true;
    // Whoever sends it had failed before Postgres was ready.
    if (this.destroyed) this.#connection?.sendCopyFail('it was broken off');
    else this.#goOn();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#isReady = false;
    this.#goOn();
  }

  handleError(error: Error): void {
    this.#isReady = false;
    this.destroy(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  #whenReady(work: (connection: CopyConnection) => void): void {
    const begin = () => work(this.#connection as CopyConnection);
    if (this.#isReady) begin();
    else this.#next = begin;
  }

  #goOn(): void {
    const next = this.#next;
    this.#next = null;
    next?.();
  }
}
