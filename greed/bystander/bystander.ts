/** A tenant that does nothing out of the ordinary: what accepting it takes, and how soon its documents are processed. */
import { ask, type ChildProcess, endChild, startChild } from '../../bench/parts/child.ts';
import type { Deployment } from '../../storm/deployment.ts';
import { closeLater } from '../../storm/ending.ts';
import type { Tenant } from '../../storm/journal.ts';
import { until } from '../../storm/waiting.ts';
import { figuresOf, type Phase } from '../figures.ts';
import type { Posted, Wish } from './posts.ts';

/** What is not processed by then counts as never: five leases of a lane and a bit. */
const PROCESSED_MS = 90_000;

type Served = Pick<Deployment, 'tenants' | 'urls' | 'ask'>;

export class Bystander {
  readonly #deployment: Served;
  readonly #tenant: Tenant;
  readonly #child: ChildProcess;
  #posted = 0;

  private constructor(deployment: Served, child: ChildProcess) {
    this.#deployment = deployment;
    this.#tenant = deployment.tenants[0] as Tenant;
    this.#child = child;
  }

  /** The first tenant is it. */
  static async start(deployment: Served): Promise<Bystander> {
    const { child } = await startChild(new URL('process.ts', import.meta.url));
    closeLater(() => endChild(child));
    return new Bystander(deployment, child);
  }

  async post(wish: Pick<Wish, 'phase' | 'posts' | 'perSecond'>): Promise<Posted> {
    const url = this.#deployment.urls()[0] as string;
    const from = this.#posted;
    this.#posted += wish.posts;
    return ask<Posted>(this.#child, { ...wish, url, tenant: this.#tenant, from });
  }

  /** Waits until all that was accepted in a phase is processed. */
  async figures(phase: string, posted: Posted): Promise<Phase> {
    let times = await this.#processed(phase);
    await until(async () => {
      times = await this.#processed(phase);
      return times.every(Number.isFinite);
    }, PROCESSED_MS);
    return figuresOf(posted, times);
  }

  /** By the clock of the database, from acceptance on; never for what has failed. */
  async #processed(phase: string): Promise<number[]> {
    const rows = await this.#deployment.ask(
      `select case when d.state = 'processed' then 1000 * extract(epoch from finished_at - queued_at)::float8 end as ms
         from documents d join scopes using (scope_key, generation)
        where tenant_id = $1 and document_id like $2`,
      [this.#tenant.id, `${phase}-%`],
    );
    return rows.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
  }
}
