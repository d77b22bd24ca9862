/** An answer that is written piece by piece, as fast as its reader takes it and no faster, and for nobody who has gone. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SAFE_HEADERS } from './safe-headers.ts';

/** How long a reader may keep the next piece waiting. */
const PATIENCE_MS = 30_000;

export class LongAnswer {
  protected readonly response: ServerResponse;
  readonly #gone = new AbortController();
  /** Resolves when the reader has gone, or was cut off. */
  readonly ended: Promise<void>;

  /** Takes the answer over from the framework. */
  constructor(request: FastifyRequest, reply: FastifyReply, headers: Record<string, string>) {
    reply.hijack();
    const response = reply.raw;
    this.response = response;
    this.ended = new Promise((resolve) => response.once('close', resolve));
    void this.ended.then(() => this.#gone.abort());
    response.on('error', () => {});
    response.socket?.setNoDelay(true);
    response.writeHead(200, {
      ...SAFE_HEADERS,
      ...(reply.getHeaders() as Record<string, string>),
      'x-request-id': request.id,
      // A proxy that gathers would hold back what is written.
      'x-accel-buffering': 'no',
      connection: 'close',
      ...headers,
    });
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** False when the reader has gone, or has not read for too long. */
  async sendPatiently(text: string | Buffer): Promise<boolean> {
    if (!this.isOpen) return false;
    if (this.response.write(text)) return true;
    // For room, or for the reader to go: waiting for room alone would never end.
    const { promise: room, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(() => this.response.destroy(), PATIENCE_MS);
    this.response.once('drain', resolve);
    await Promise.race([room, this.ended]);
    clearTimeout(late);
    this.response.off('drain', resolve);
    return this.isOpen;
  }

  /** All was written: the reader has as long for the last piece as for any other. */
  finish(last = ''): void {
    if (this.isOpen) this.response.end(last);
    const late = setTimeout(() => this.response.destroy(), PATIENCE_MS).unref();
    void this.ended.then(() => clearTimeout(late));
  }

  /** Cut off, so that nobody takes it for the whole: an answer in chunks has an end of its own. */
  breakOff(): void {
    this.response.destroy();
  }

  /** At once. Whoever does not take the end is not waited for. */
  end(last = ''): void {
    if (this.isOpen) this.response.end(last);
    this.#gone.abort();
    setTimeout(() => this.response.destroy(), 500).unref();
  }
}
