/** A breaker for each tenant, so that the documents of one do not keep the others from what works for theirs. */
import { Breaker, type BreakerOptions } from './breaker.ts';

/** A tenant that was silent for so long begins anew: what failed then says little of now. */
const FORGOTTEN_MS = 10 * 60_000;
/** About 2 MB; beyond, the one that was silent longest begins anew. */
const MAX_REMEMBERED = 10_000;

export class TenantBreakers {
  readonly #options: BreakerOptions;
  /** Whoever was asked for last is at the end. */
  readonly #known = new Map<string, { breaker: Breaker; askedAt: number }>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  of(tenantId: string): Breaker {
    const now = performance.now();
    const breaker = this.#known.get(tenantId)?.breaker ?? new Breaker(this.#options);
    this.#known.delete(tenantId);
    this.#known.set(tenantId, { breaker, askedAt: now });
    for (const [oldest, { askedAt }] of this.#known) {
      if (this.#known.size <= MAX_REMEMBERED && now - askedAt <= FORGOTTEN_MS) break;
      this.#known.delete(oldest);
    }
    return breaker;
  }

  /** Tenants whose documents are not sent at the moment. */
  get resting(): number {
    return [...this.#known.values()].filter(({ breaker }) => breaker.refusal()).length;
  }
}
