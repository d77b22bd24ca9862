/** Who may ask for what, and how much: decided before a body is read. A tenant's limits are its own or the configured ones. */
import { AppError, type Limit } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import { listTenantStandings, type TenantLimits, type TenantStanding } from '../storage/tenants.ts';
import { Buckets, type Pace } from './buckets.ts';
import { Remember } from './remember.ts';

/** How long a tenant's limits and backlog are remembered: by so much may a cap be overshot, or a deletion be late. */
const REMEMBER_MS = 2000;
const MAX_REMEMBERED = 10_000;
/** A backlog shrinks as fast as documents are processed, so nobody knows when; soon enough to ask again. */
const BACKLOG_RETRY_S = 5;
/** What may be done at once after a pause, where that is no limit of its own: as much as in so many seconds. */
const BURST_S = 2;
/** What an answer may have for one read: nearly every one has less, and the largest page of a list costs as much as 16. */
const READ_BYTES = 64 * 1024;

type Limits = Required<TenantLimits>;

interface Known extends Pick<TenantStanding, 'backlog'> {
  limits: Limits;
  /** Its id alone does not post for it. */
  needsKey: boolean;
  /** Accepted since the backlog was read. */
  since: number;
}

export class Admission {
  readonly #tenants: Remember<Known>;
  readonly #documents = new Buckets();
  readonly #bytes = new Buckets();
  readonly #reads = new Buckets();
  readonly #reports = new Buckets();

  constructor(db: Queryable, defaults: Limits) {
    const load = async (tenantIds: string[]) => {
      const standings = await listTenantStandings(db, tenantIds);
      return new Map(
        standings.map(({ tenant_id, backlog, limits, has_narrowed_keys }) => [
          tenant_id,
          { backlog, limits: { ...defaults, ...limits }, needsKey: has_narrowed_keys, since: 0 },
        ]),
      );
    };
    this.#tenants = new Remember(load, REMEMBER_MS, MAX_REMEMBERED);
  }

  /**
   * Throws for a tenant that does not exist, whose key is needed and did not come, that posts too fast, or has too much
   * waiting. Takes one document's worth. At once, for a tenant that is known.
   */
  admitDocument(tenantId: string, bytes: number, hasKey: boolean): void | Promise<void> {
    const known = this.#tenants.find(tenantId);
    if (known instanceof Promise) return known.then((found) => this.#admitDocument(tenantId, found, bytes, hasKey));
    this.#admitDocument(tenantId, known, bytes, hasKey);
  }

  #admitDocument(tenantId: string, found: Known | null, bytes: number, hasKey: boolean): void {
    const tenant = orUnknown(found);
    if (!hasKey) refuseIdAlone(tenant);
    const { limits } = tenant;
    const { backlog } = limits;
    if (tenant.backlog + tenant.since >= backlog) {
      const detail = `${backlog} documents of this tenant wait to be processed; wait until some are.`;
      const limit = { name: 'backlog', quota: backlog, perSecond: false };
      throw new AppError('too_many_requests', detail, { retryAfterSeconds: BACKLOG_RETRY_S, limit });
    }
    // Who is refused for its bytes has not posted a document.
    refuse(this.#documents.wait(tenantId, documentPace(limits)), 'rate_per_s', limits);
    refuse(this.#bytes.take(tenantId, paceOf(limits.bytes_per_s), bytes), 'bytes_per_s', limits);
    this.#documents.take(tenantId, documentPace(limits), 1);
    tenant.since++;
  }

  /** For a request that turned out to hold more documents than the one that was admitted: refused if others were faster. */
  async admitMore(tenantId: string, documents: number): Promise<void> {
    const tenant = await this.#find(tenantId);
    const { limits } = tenant;
    const wait = this.#documents.take(tenantId, documentPace(limits), documents, 0);
    refuse(wait, 'rate_per_s', limits);
    tenant.since += documents;
  }

  /** For the bytes of a stream, as they come. */
  admitBytes(tenantId: string, bytes: number): void | Promise<void> {
    const known = this.#tenants.find(tenantId);
    if (known instanceof Promise) return known.then((found) => this.#admitBytes(tenantId, found, bytes));
    this.#admitBytes(tenantId, known, bytes);
  }

  #admitBytes(tenantId: string, found: Known | null, bytes: number): void {
    const { limits } = orUnknown(found);
    refuse(this.#bytes.take(tenantId, paceOf(limits.bytes_per_s), bytes), 'bytes_per_s', limits);
  }

  /** For a body whose length nobody knew when it was admitted. */
  async chargeBytes(tenantId: string, bytes: number): Promise<void> {
    const { limits } = await this.#find(tenantId);
    this.#bytes.take(tenantId, paceOf(limits.bytes_per_s), bytes, Number.NEGATIVE_INFINITY);
  }

  /** For what is read, or deleted, with the tenant's key. */
  async admitRead(tenantId: string): Promise<void> {
    const { limits } = await this.#find(tenantId);
    refuse(this.#reads.take(tenantId, paceOf(limits.reads_per_s), 1), 'reads_per_s', limits);
  }

  /** For an answer, as soon as its length is known: the tenant goes into debt, and reads on when that is paid back. */
  async chargeAnswer(tenantId: string, bytes: number): Promise<void> {
    if (bytes <= READ_BYTES) return;
    const { limits } = await this.#find(tenantId);
    const more = Math.ceil(bytes / READ_BYTES) - 1;
    this.#reads.take(tenantId, paceOf(limits.reads_per_s), more, Number.NEGATIVE_INFINITY);
  }

  /**
   * For a page of a long answer, which is a read at least, however little was found. Returns after how many seconds the next one may
   * come: the tenant's other requests find half of what may be read at once, however long this one is.
   */
  async chargePage(tenantId: string, bytes: number): Promise<number> {
    const { limits } = await this.#find(tenantId);
    const pace = paceOf(limits.reads_per_s);
    this.#reads.take(tenantId, pace, Math.max(1, bytes / READ_BYTES), Number.NEGATIVE_INFINITY);
    return this.#reads.wait(tenantId, pace, pace.atOnce / 2);
  }

  async admitReport(tenantId: string, bytes: number, hasKey: boolean): Promise<void> {
    const tenant = await this.#find(tenantId);
    if (!hasKey) refuseIdAlone(tenant);
    const { limits } = tenant;
    const pace = paceOf(limits.reports_per_s);
    refuse(this.#reports.wait(tenantId, pace), 'reports_per_s', limits);
    refuse(this.#bytes.take(tenantId, paceOf(limits.bytes_per_s), bytes), 'bytes_per_s', limits);
    this.#reports.take(tenantId, pace, 1);
  }

  get counts(): { hits: number; misses: number } {
    return this.#tenants.counts;
  }

  /** After its limits or its keys were changed, or it was deleted. */
  forget(tenantId: string): void {
    this.#tenants.forget(tenantId);
  }

  async #find(tenantId: string): Promise<Known> {
    return orUnknown(await this.#tenants.find(tenantId));
  }
}

function orUnknown(tenant: Known | null): Known {
  if (!tenant) throw new AppError('unauthorized', 'X-Tenant-ID is not a tenant.');
  return tenant;
}

/** What a key may not do, its holder is not to do with the id of its tenant. */
function refuseIdAlone({ needsKey }: Known): void {
  if (!needsKey) return;
  const detail =
    'This tenant has keys that may not do everything, so X-Tenant-ID alone does not post for it; send X-Tenant-API-Key, too.';
  throw new AppError('unauthorized', detail);
}

const documentPace = ({ rate_per_s, burst }: Limits): Pace => ({ perSecond: rate_per_s, atOnce: burst });
const paceOf = (perSecond: number): Pace => ({ perSecond, atOnce: BURST_S * perSecond });

/** What a tenant may do so often a second. */
const PACES = {
  rate_per_s: (quota: number) => `post ${quota} documents`,
  bytes_per_s: (quota: number) => `post ${quota} bytes`,
  reads_per_s: (quota: number) => `make ${quota} such requests`,
  reports_per_s: (quota: number) => `report ${quota} contradictions`,
};

function refuse(retryAfterSeconds: number, name: keyof typeof PACES, limits: Limits): void {
  if (retryAfterSeconds === 0) return;
  const quota = limits[name];
  const detail = `This tenant may ${PACES[name](quota)} a second; slow down.`;
  const limit: Limit = { name, quota, perSecond: true, ...(name === 'bytes_per_s' && { unit: 'bytes' }) };
  throw new AppError('too_many_requests', detail, { retryAfterSeconds, limit });
}
