/** An answer that is the same for everybody: its bytes are made once, and so is each of its compressed forms. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from './entity-tags.ts';

/** Above it, a brotli stream of the page's script takes seconds to make, for a tenth less to send. */
const BROTLI_QUALITY = 5;

type Compress = (bytes: Buffer) => Promise<Buffer>;

/** The one that makes the least of it comes first, and wins between equals. */
const CODINGS: Record<string, Compress> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

export class FixedAnswer {
  readonly #bytes: Buffer;
  readonly #tag: string;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(content: string | Uint8Array) {
    this.#bytes =
      typeof content === 'string'
        ? Buffer.from(content)
        : Buffer.from(content.buffer, content.byteOffset, content.length);
    this.#tag = hash('sha256', this.#bytes, 'base64url');
  }

  /** Sets the headers, and returns what is to be sent: nothing to whoever has it already. */
  async payloadFor({ headers }: FastifyRequest, reply: FastifyReply): Promise<Buffer | null> {
    const coding = preferredCoding(headers['accept-encoding']);
    // Each form has a tag of its own: a strong one promises the same bytes.
    const tag = `"${this.#tag}${coding ? `-${coding}` : ''}"`;
    reply.headers({ etag: tag, vary: 'Accept-Encoding' });
    if (namesTag(headers['if-none-match'], tag)) {
      reply.code(304);
      return null;
    }
    if (!coding) return this.#bytes;
    reply.header('content-encoding', coding);
    return this.#compress(coding);
  }

  #compress(coding: string): Promise<Buffer> {
    const made = this.#compressed.get(coding) ?? (CODINGS[coding] as Compress)(this.#bytes);
    this.#compressed.set(coding, made);
    return made;
  }
}

/** Null is for the bytes as they are, which also who accepts nothing at all gets. */
function preferredCoding(accepted: string | string[] | undefined): string | null {
  const weights = new Map<string, number>();
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q ? Number(q.slice(2)) : 1);
  }
  let best: string | null = null;
  // What is not named at all is still better than a form that is accepted with less than this.
  let most = weights.get('identity') ?? 0;
  for (const coding of Object.keys(CODINGS)) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most || (weight === most && weight > 0 && best === null)) [best, most] = [coding, weight];
  }
  return best;
}
