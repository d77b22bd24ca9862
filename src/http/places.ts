/**
 * Places for what may last for hours, and is slow for as long as its tenant's limits or its client make it. Nobody keeps them from
 * others by that: when all are taken, one of who has most is ended for who has fewer, and can be taken up again later.
 */
import { AppError } from '../errors.ts';

const RETRY_AFTER_S = 5;

export interface PlacesOptions {
  /** What they are for: so is the limit called, and the reason for which others are refused. */
  name: 'streams' | 'exports';
  most: number;
  mostPerTenant: number;
}

interface Place {
  end: (why: AppError) => void;
}

export class Places {
  readonly #options: PlacesOptions;
  /** Of each tenant, the one that was taken first stands first. */
  readonly #ofTenants = new Map<string, Set<Place>>();
  #taken = 0;
  /** Those that were ended for others, and are not gone yet: each has to hear what became of it. */
  #leaving = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** How many a tenant has. */
  of(tenantId: string): number {
    return this.#ofTenants.get(tenantId)?.size ?? 0;
  }

  /** Returns how to give it back; throws when there is none. `end` may be called once, and is to do so soon. */
  take(tenantId: string, end: (why: AppError) => void): () => void {
    const { name, most, mostPerTenant } = this.#options;
    if (this.of(tenantId) >= mostPerTenant) throw tooMany(name, mostPerTenant);
    if (this.#taken >= most && !this.#endOneFor(tenantId)) throw full(name, most);
    const place: Place = { end };
    const own = this.#ofTenants.get(tenantId) ?? new Set();
    this.#ofTenants.set(tenantId, own.add(place));
    this.#taken++;
    return () => {
      if (!this.#remove(tenantId, place)) this.#leaving--;
    };
  }

  /** Who has most has more than whom it is for even then: two never take it from each other in turn. */
  #endOneFor(tenantId: string): boolean {
    if (this.#leaving >= this.#options.mostPerTenant) return false;
    let [richest, most] = ['', this.of(tenantId) + 1];
    for (const [other, { size }] of this.#ofTenants) if (size > most) [richest, most] = [other, size];
    const [oldest] = this.#ofTenants.get(richest) ?? [];
    if (!oldest) return false;
    this.#remove(richest, oldest);
    this.#leaving++;
    oldest.end(neededByOthers(this.#options.name));
    return true;
  }

  #remove(tenantId: string, place: Place): boolean {
    const own = this.#ofTenants.get(tenantId);
    if (!own?.delete(place)) return false;
    if (own.size === 0) this.#ofTenants.delete(tenantId);
    this.#taken--;
    return true;
  }
}

type Name = PlacesOptions['name'];

function tooMany(name: Name, quota: number): AppError {
  const detail = `This tenant has ${quota} ${name} open, which is as many as it may; try again when one has ended.`;
  return new AppError('too_many_requests', detail, {
    retryAfterSeconds: RETRY_AFTER_S,
    limit: { name, quota, perSecond: false },
  });
}

/** What others have open is no limit of the tenant's own, and another node may have room. */
function full(name: Name, most: number): AppError {
  const detail = `This node has ${most} ${name} open, which is as many as it may; try again, or another node.`;
  return new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason: name });
}

function neededByOthers(name: Name): AppError {
  const detail = `This node has no place left for ${name}, and one of this tenant was needed for another tenant, which has fewer; go on from here in a while.`;
  return new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason: name });
}
