/**
 * Places for what may last for hours, and is slow for as long as its tenant's limits or its client make it. When all are taken, one of
 * who has most is ended for who has fewer, and can be taken up again later. Who has one has nobody to give it up for.
 */
import { AppError } from '../errors.ts';

const RETRY_AFTER_S = 5;
/** Everybody keeps a place for so long: else those who come and go quickly would end those who last, again and again. */
const LEAST_MS = 60_000;
/** So long a tenant that was given the place of another is given no further one. */
const PACE_MS = 10_000;

export interface PlacesOptions {
  /** What they are for: so is the limit called, and the reason for which others are refused. */
  name: 'streams' | 'exports';
  most: number;
  mostPerTenant: number;
  /** The time in milliseconds. */
  now?: () => number;
}

interface Who {
  tenantId: string;
  /** False where X-Tenant-ID alone says who it is, which others may know as well. */
  hasKey: boolean;
}

export interface Holder extends Who {
  /** Is called once at most, and is to end it soon. */
  end: (why: AppError) => void;
}

interface Place extends Holder {
  since: number;
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #now: () => number;
  /** Of each tenant, the one that was taken first stands first. */
  readonly #ofTenants = new Map<string, Set<Place>>();
  /** When tenants were given a place of another, in this order. As many as were ended in `PACE_MS`: no more than there are places. */
  readonly #givenAt = new Map<string, number>();
  #taken = 0;
  /** Those that were ended for others, and are not gone yet: each has to hear what became of it. */
  #leaving = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** How many a tenant has. */
  of(tenantId: string): number {
    return this.#ofTenants.get(tenantId)?.size ?? 0;
  }

  /** Throws when there is none to take. Nobody is ended by asking. */
  check(who: Who): void {
    this.#findSpare(who);
  }

  /** Returns how to give it back; throws when there is none. */
  take(holder: Holder): () => void {
    const { tenantId } = holder;
    const spare = this.#findSpare(holder);
    if (spare) this.#endFor(tenantId, spare);
    const place: Place = { ...holder, since: this.#now() };
    const own = this.#ofTenants.get(tenantId) ?? new Set();
    this.#ofTenants.set(tenantId, own.add(place));
    this.#taken++;
    return () => {
      if (!this.#remove(place)) this.#leaving--;
    };
  }

  /** The one to be ended; null if that is not necessary. */
  #findSpare(who: Who): Place | null {
    const { name, most, mostPerTenant } = this.#options;
    if (this.of(who.tenantId) >= mostPerTenant) throw tooMany(name, mostPerTenant);
    if (this.#taken < most) return null;
    const spare = this.#isInTime(who.tenantId) ? this.#spareFor(who) : null;
    if (!spare) throw full(name, most);
    return spare;
  }

  #isInTime(tenantId: string): boolean {
    const givenAt = this.#givenAt.get(tenantId) ?? Number.NEGATIVE_INFINITY;
    return this.#leaving < this.#options.mostPerTenant && this.#now() - givenAt >= PACE_MS;
  }

  /** Who has most has more than whom it is for even then: two never take it from each other in turn. */
  #spareFor({ tenantId, hasKey }: Who): Place | null {
    const before = this.#now() - LEAST_MS;
    let spare: Place | null = null;
    let most = this.of(tenantId) + 1;
    for (const own of this.#ofTenants.values()) {
      if (own.size <= most) continue;
      const found = spareOf(own, (place) => place.since <= before && (hasKey || !place.hasKey));
      if (found) [spare, most] = [found, own.size];
    }
    return spare;
  }

  #endFor(tenantId: string, spare: Place): void {
    const now = this.#now();
    for (const [other, at] of this.#givenAt) {
      if (now - at < PACE_MS) break;
      this.#givenAt.delete(other);
    }
    this.#givenAt.set(tenantId, now);
    this.#remove(spare);
    this.#leaving++;
    spare.end(neededByOthers(this.#options.name));
  }

  #remove(place: Place): boolean {
    const own = this.#ofTenants.get(place.tenantId);
    if (!own?.delete(place)) return false;
    if (own.size === 0) this.#ofTenants.delete(place.tenantId);
    this.#taken--;
    return true;
  }
}

/** The oldest that may go. What somebody has opened who only knows the tenant's id goes before what the tenant has. */
function spareOf(own: Set<Place>, mayGo: (place: Place) => boolean): Place | null {
  let oldest: Place | null = null;
  for (const place of own) {
    if (!mayGo(place)) continue;
    if (!place.hasKey) return place;
    oldest ??= place;
  }
  return oldest;
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
  // Whoever came back sooner would find those who have the places now keeping theirs.
  return new AppError('unavailable', detail, { retryAfterSeconds: LEAST_MS / 1000, reason: name });
}
