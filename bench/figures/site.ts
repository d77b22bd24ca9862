/** The service on a fresh database, as one round of a figure meets it: one process, or one that accepts and some that work. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { requestOf } from '../parts/poster.ts';
import { type Sentence, scopeIdOf, sentencesOf, take, tenantOf } from '../parts/sentences.ts';
import { cloneDatabase, newDatabase, type Stores, type Tenant } from '../parts/stores.ts';
import { ServiceNode } from '../process/node.ts';
import { postInBatches } from './batches.ts';
import type { Progress } from './progress.ts';
import { WARM_UP, WARM_UP_SEED } from './sizes.ts';

export const TENANTS = 10;
const LOOK_EVERY_MS = 250;
/** A look reads all scopes: it takes at most an eleventh of a core of Postgres, however many there are. */
const LOOK_SHARE = 10;
/** Nothing that works is silent for so long. */
const STANDSTILL_MS = 60_000;

export interface SiteOptions {
  /** Two databases may be there at once. */
  name?: string;
  /** Empty for a queue in Postgres. */
  redisUrl?: string;
  /** Processes that only work; with none, the one that accepts works too. */
  workers?: number;
  settings?: Record<string, string>;
}

let template: Promise<{ url: string; tenants: Tenant[] }> | null = null;
const open = new Set<Site>();

/** Of a figure that could not be measured: what it left at work would disturb the next one. */
export async function endOpenSites(): Promise<void> {
  for (const site of open) await site.end();
}

export class Site {
  readonly url: string;
  readonly tenants: Tenant[];
  readonly front: ServiceNode;
  readonly #nodes: ServiceNode[];
  /** One connection for all looks: to open one costs Postgres more than a look. */
  readonly #client: pg.Client;

  private constructor(url: string, tenants: Tenant[], nodes: ServiceNode[], client: pg.Client) {
    this.url = url;
    this.tenants = tenants;
    this.front = nodes[0] as ServiceNode;
    this.#nodes = nodes;
    this.#client = client;
    open.add(this);
  }

  /** With the runtime paused. */
  static async start(stores: Stores, options: SiteOptions = {}): Promise<Site> {
    const { name = 'figure', redisUrl = '', workers = 0, settings = {} } = options;
    template ??= newDatabase(stores.postgresUrl, 'figures template', TENANTS);
    const { url, tenants } = await template;
    const databaseUrl = await cloneDatabase(url, name);
    const start = (role: string) =>
      ServiceNode.start({ databaseUrl, redisUrl, pipeline: 'stages', settings: { ...settings, ROLE: role } });
    const nodes = [await start(workers > 0 ? 'api' : 'all')];
    for (let n = 0; n < workers; n++) nodes.push(await start('worker'));
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return new Site(databaseUrl, tenants, nodes, client);
  }

  get tenantIds(): string[] {
    return this.tenants.map(({ id }) => id);
  }

  requestOf({ scope, name, text }: Sentence): string {
    return requestOf(tenantOf(this.tenants, scope).id, JSON.stringify({ scope_id: scopeIdOf(scope), name, text }));
  }

  /** Resumes the runtime, and has it process some documents in scopes of their own. */
  async warmUp(): Promise<void> {
    const sentences = sentencesOf({ seed: WARM_UP_SEED, scopes: TENANTS, perScope: WARM_UP / TENANTS });
    await postInBatches(this, take(sentences, WARM_UP), { scopeId: (scope) => `warm-up-${scope}` });
    await this.front.control('resume');
    await this.untilProcessed(WARM_UP);
  }

  /**
   * Until so many are processed in all; returns when the last of them was, by the clock of the database, so that looks need
   * not be frequent. Throws when one has failed, or nothing happens any more.
   */
  async untilProcessed(total: number, progress?: Progress): Promise<number> {
    let [last, since] = [-1, performance.now()];
    for (;;) {
      const began = performance.now();
      const { processed, failed } = await this.#count();
      if (failed > 0) throw new Error(`${failed} documents failed`);
      if (processed >= total) return this.#lastFinished();
      progress?.at(processed);
      const now = performance.now();
      if (processed > last) [last, since] = [processed, now];
      else if (now - since > STANDSTILL_MS)
        throw new Error(`${processed} of ${total} are processed, and none for ${STANDSTILL_MS / 1000} s`);
      await sleep(Math.max(LOOK_EVERY_MS, LOOK_SHARE * (now - began)));
    }
  }

  /** From the counters of the scopes: to count the documents would take Postgres a tenth of what it does for them. */
  async #count(): Promise<{ processed: number; failed: number }> {
    const [row] = await this.look(
      'select coalesce(sum(processed), 0)::float8 as processed, coalesce(sum(failed), 0)::float8 as failed from scopes',
    );
    return row;
  }

  async #lastFinished(): Promise<number> {
    const [{ at }] = await this.look('select 1000 * extract(epoch from max(finished_at))::float8 as at from documents');
    return at;
  }

  async waiting(): Promise<number> {
    const [row] = await this.look(
      `select count(*)::float8 as n from documents where state in ('queued', 'processing')`,
    );
    return row.n;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for.
  async look(sql: string, values: unknown[] = []): Promise<any[]> {
    return (await this.#client.query(sql, values)).rows;
  }

  async end(): Promise<void> {
    open.delete(this);
    for (const node of this.#nodes.toReversed()) await node.end();
    await this.#client.end();
  }
}
