/** How many bytes of bodies are in flight, over all and for each tenant: decided before any of a body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, type Limit } from '../errors.ts';
import { clientGone, isClosed, whenClosed } from './when-closed.ts';

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
  interface FastifyContextConfig {
    /** Its body is read as it is stored: so many bytes of it are in hand, however long it is. Whoever needs more takes it. */
    bodyWindow?: number;
  }
}

/** Sixteen of the largest bodies. What is made of one takes a few times as much memory until it is stored. */
const BYTES = 128 * 1024 * 1024;
/** Bodies come and go in less. */
const RETRY_AFTER_S = 1;

export class BodyBudget {
  readonly #bytes: number;
  readonly #ofTenants = new Map<string, number>();
  #taken = 0;

  constructor(bytes = BYTES) {
    this.#bytes = bytes;
  }

  /** How many bytes there are in flight. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes so many bytes, for a tenant or for an operator, and returns how to give them back. */
  take(tenantId: string | null, bytes: number): () => void {
    const held = (tenantId !== null && this.#ofTenants.get(tenantId)) || 0;
    const free = this.#bytes - this.#taken - bytes;
    if (tenantId !== null && held + bytes > this.#bytes / 4) throw overShare(this.#bytes / 4);
    // Nobody holds more than is left for the others: however many share it, a small body always has room.
    if (free < (tenantId === null ? 0 : held + bytes)) throw overAll();
    this.#add(tenantId, bytes);
    return () => this.#add(tenantId, -bytes);
  }

  #add(tenantId: string | null, bytes: number): void {
    this.#taken += bytes;
    if (tenantId === null) return;
    const held = (this.#ofTenants.get(tenantId) ?? 0) + bytes;
    if (held > 0) this.#ofTenants.set(tenantId, held);
    else this.#ofTenants.delete(tenantId);
  }
}

/** Guards every route after its key or tenant was checked: whom nobody knows takes nothing. */
export function useBodyBudget(app: FastifyInstance, budget = new BodyBudget()): void {
  app.decorate('bodyBudget', budget);
  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = announcedBytes(request);
    if (bytes === 0) return done(null, payload);
    // While it was looked up who is calling: nobody would give back what it takes.
    if (isClosed(reply)) return done(clientGone());
    try {
      whenClosed(reply, budget.take(payerOf(request), bytes));
    } catch (error) {
      return done(error as AppError);
    }
    done(null, payload);
  });
}

/** An operator is held to the whole only, whomever it acts for. */
export const payerOf = ({ operator, tenantId }: FastifyRequest) => (operator ? null : tenantId);

/** What is not announced may be as long as the route allows; what is longer than that is not read. */
function announcedBytes({ method, headers, routeOptions }: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  const { bodyWindow } = routeOptions.config;
  if (bodyWindow !== undefined) return bodyWindow;
  const limit = routeOptions.bodyLimit as number;
  if (headers['transfer-encoding'] !== undefined) return limit;
  const announced = Number(headers['content-length'] ?? 0);
  return announced <= limit ? announced : 0;
}

function overShare(share: number): AppError {
  const detail = `Bodies of ${share / 1024 / 1024} MB of this tenant are on their way, which is as much as may be; send fewer at once.`;
  const limit: Limit = { name: 'bodies', quota: share, perSecond: false, unit: 'bytes' };
  return new AppError('too_many_requests', detail, { retryAfterSeconds: RETRY_AFTER_S, limit });
}

function overAll(): AppError {
  const detail = 'Too many bodies are on their way at the moment; try again.';
  return new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason: 'bodies' });
}
