/** Lets pages of named origins call `/api` from a browser: without credentials, and with the answers that they need to see. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './deps.ts';
import { SAFE_HEADERS } from './safe-headers.ts';

/** What tenants may send there; a test holds both lists against the routes. */
export const CORS_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
export const CORS_HEADERS = [
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'traceparent',
  'X-Request-Id',
  'X-Tenant-API-Key',
  'X-Tenant-ID',
];
const EXPOSED = [
  'Location',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Idempotency-Replayed',
];
/** No browser remembers an answer for longer than two hours, and some only for that long. */
const MAX_AGE_S = 7200;

const PREFLIGHT = {
  'access-control-allow-methods': CORS_METHODS.join(', '),
  'access-control-allow-headers': CORS_HEADERS.join(', '),
  'access-control-max-age': String(MAX_AGE_S),
};

export class Cors {
  /** As browsers send them, character by character: an origin that differs in anything is another one, `null` too. */
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** To be called before all other hooks, so that every refusal has these headers, too. */
  use(app: App): void {
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(this.headersOf(request));
      if (this.#isPreflight(request)) answerPreflight(request, reply);
      else done();
    });
  }

  /** Nothing outside of `/api`. There, any cache has to know that the answer depends on the origin, also when there is none. */
  headersOf({ url, headers: { origin } }: FastifyRequest): Record<string, string> {
    if (!url.startsWith('/api/')) return {};
    if (!this.#isAllowed(origin)) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED.join(', '),
    };
  }

  #isAllowed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin);
  }

  /** The question of a browser whether a page may send a request, which has no key yet. All else is as it is without CORS. */
  #isPreflight({ method, url, headers }: FastifyRequest): boolean {
    const asksFor = headers['access-control-request-method'];
    return method === 'OPTIONS' && asksFor !== undefined && url.startsWith('/api/') && this.#isAllowed(headers.origin);
  }
}

/** Also where there is no such route: the page is told so by the answer to what it sends. */
function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(204)
    .headers({ ...SAFE_HEADERS, 'x-request-id': request.id, ...PREFLIGHT })
    .send();
}
