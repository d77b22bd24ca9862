/** Who may post, and how much: decided before a body is read. A tenant's limits are its own or the configured ones. */
import { AppError } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import { findTenantStanding, type TenantLimits, type TenantStanding } from '../storage/tenants.ts';
import { Remember } from './remember.ts';

/** How long a tenant's limits and backlog are remembered: by so much may a cap be overshot, or a deletion be late. */
const REMEMBER_MS = 2000;
const REMEMBERED_MOST = 10_000;
/** A backlog shrinks as fast as documents are processed, so nobody knows when; soon enough to ask again. */
const BACKLOG_RETRY_S = 5;

interface Bucket {
  tokens: number;
  at: number;
}

interface Known extends TenantStanding {
  /** Accepted since the backlog was read. */
  since: number;
}

export class Admission {
  readonly #defaults: Required<TenantLimits>;
  readonly #tenants: Remember<Known>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(db: Queryable, defaults: Required<TenantLimits>) {
    this.#defaults = defaults;
    const load = async (tenantId: string) => {
      const standing = await findTenantStanding(db, tenantId);
      return standing && { ...standing, since: 0 };
    };
    this.#tenants = new Remember(load, REMEMBER_MS, REMEMBERED_MOST);
  }

  /** Throws for a tenant that does not exist, posts too fast, or has too much waiting. Takes one document's worth. */
  async admit(tenantId: string): Promise<void> {
    const tenant = await this.#tenants.find(tenantId);
    if (!tenant) throw new AppError('unauthorized', 'X-Tenant-ID is not a tenant.');
    const { rate_per_s, burst, backlog } = { ...this.#defaults, ...tenant.limits };
    if (tenant.backlog + tenant.since >= backlog) {
      const detail = `${backlog} documents of this tenant wait to be processed; wait until some are.`;
      throw new AppError('too_many_requests', detail, { retryAfterSeconds: BACKLOG_RETRY_S });
    }
    const bucket = this.#refill(tenantId, rate_per_s, burst);
    if (bucket.tokens < 1) {
      const retryAfterSeconds = Math.ceil((1 - bucket.tokens) / rate_per_s);
      throw new AppError('too_many_requests', `This tenant may post ${rate_per_s} documents a second; slow down.`, {
        retryAfterSeconds,
      });
    }
    bucket.tokens--;
    tenant.since++;
  }

  /** For a request that turned out to hold more than one document: the bucket may go into debt, and pays it back. */
  async charge(tenantId: string, documents: number): Promise<void> {
    const bucket = this.#buckets.get(tenantId);
    if (bucket) bucket.tokens -= documents;
    const tenant = await this.#tenants.find(tenantId);
    if (tenant) tenant.since += documents;
  }

  /** After its limits were changed, or it was deleted. */
  forget(tenantId: string): void {
    this.#tenants.forget(tenantId);
  }

  #refill(tenantId: string, rate: number, burst: number): Bucket {
    const now = performance.now();
    const bucket = this.#buckets.get(tenantId) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
    bucket.at = now;
    // The tenant heard of last stands last, so the bound drops the one that has been silent longest, whose bucket is full.
    this.#buckets.delete(tenantId);
    this.#buckets.set(tenantId, bucket);
    if (this.#buckets.size > REMEMBERED_MOST) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return bucket;
  }
}
