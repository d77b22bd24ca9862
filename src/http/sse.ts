/** One server-sent event stream on a socket: first bytes at once, and a bounded buffer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Recipient } from '../events/hub.ts';
import { LongAnswer } from './long-answer.ts';

/** What waits for a slow reader; beyond, it is cut off, and can resume. */
const BUFFER_BYTES = 1024 * 1024;
/** When to come back after a stream has ended. */
const RETRY_MS = 2000;

export class SseStream extends LongAnswer implements Recipient {
  constructor(request: FastifyRequest, reply: FastifyReply) {
    super(request, reply, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.response.write(`retry: ${RETRY_MS}\n: docket\n\n`);
  }

  send(text: string | Buffer): void {
    if (!this.isOpen) return;
    this.response.write(text);
    if (this.response.writableLength > BUFFER_BYTES) this.response.destroy();
  }
}
