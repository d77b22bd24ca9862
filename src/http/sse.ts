/** One server-sent event stream on a socket: first bytes at once, a bounded buffer, and no wait for who has gone. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Recipient } from '../events/hub.ts';
import { SAFE_HEADERS } from './safe-headers.ts';

/** What waits for a slow reader; beyond, it is cut off, and can resume. */
const BUFFER_BYTES = 1024 * 1024;
/** How long a reader who resumes may keep the rest of its past waiting. */
const PATIENCE_MS = 30_000;
/** When to come back after a stream has ended. */
const RETRY_MS = 2000;

export class SseStream implements Recipient {
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();
  /** Resolves when the reader has gone, or was cut off. */
  readonly ended: Promise<void>;

  /** Takes the answer over from the framework. */
  constructor(request: FastifyRequest, reply: FastifyReply) {
    reply.hijack();
    const response = reply.raw;
    this.#response = response;
    this.ended = new Promise((resolve) => response.once('close', resolve));
    void this.ended.then(() => this.#gone.abort());
    response.on('error', () => {});
    response.socket?.setNoDelay(true);
    response.writeHead(200, {
      ...SAFE_HEADERS,
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': request.id,
      // A proxy that gathers would hold events back.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    response.write(`retry: ${RETRY_MS}\n: docket\n\n`);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  send(text: string | Buffer): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > BUFFER_BYTES) this.#response.destroy();
  }

  async sendPatiently(text: string): Promise<boolean> {
    if (!this.isOpen) return false;
    if (this.#response.write(text)) return true;
    // For room, or for the reader to go: waiting for room alone would never end.
    const { promise: room, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(() => this.#response.destroy(), PATIENCE_MS);
    this.#response.once('drain', resolve);
    await Promise.race([room, this.ended]);
    clearTimeout(late);
    this.#response.off('drain', resolve);
    return this.isOpen;
  }

  end(): void {
    if (this.isOpen) this.#response.end();
    this.#gone.abort();
    // Whoever does not take the end is not waited for.
    setTimeout(() => this.#response.destroy(), 500).unref();
  }
}
