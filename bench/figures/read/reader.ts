/** Fills scopes on the way that all documents take, and times requests that read them, over one connection. */
import { Agent, get } from 'node:http';
import { amount } from '../../parts/report.ts';
import { scopeIdOf, tenantOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { postInBatches } from '../batches.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';

export class Reader {
  readonly #site: Site;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #filled = 0;

  private constructor(site: Site) {
    this.#site = site;
  }

  static async start(stores: Stores): Promise<Reader> {
    const site = await Site.start(stores, { settings: { TENANT_READS_PER_S: '100000' } });
    await site.front.control('resume');
    return new Reader(site);
  }

  /** A portion at a time, so that nothing grows but the scope. */
  async fill(scope: number, documents: number, portion: number, textOf: (nth: number) => string): Promise<void> {
    const all = this.#filled + documents;
    const progress = new Progress(`documents processed, for a scope of ${amount(documents)}`, all);
    for (let from = 0; from < documents; from += portion) {
      const size = Math.min(portion, documents - from);
      const texts = Array.from({ length: size }, (_, at) => ({
        ...{ scope, name: `Note ${from + at}`, text: textOf(from + at) },
      }));
      await postInBatches(this.#site, texts);
      this.#filled += size;
      await this.#site.untilProcessed(this.#filled, progress);
    }
  }

  /** When all are filled. */
  async analyze(): Promise<void> {
    await this.#site.look('analyze');
  }

  // biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for.
  async read(scope: number, path: string): Promise<any> {
    return this.#site.front.call('GET', pathOf(scope, path), tenantOf(this.#site.tenants, scope));
  }

  /** Of one request until its last byte, in ms. */
  async timeOf(scope: number, path: string): Promise<number> {
    const { front, tenants } = this.#site;
    const url = front.url + pathOf(scope, path);
    const headers = front.headers('/api', tenantOf(tenants, scope));
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: this.#agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
        response.resume().once('end', () => resolve(performance.now() - began));
      });
      request.once('error', reject);
    });
  }

  async end(): Promise<void> {
    this.#agent.destroy();
    await this.#site.end();
  }
}

/** SCOPE stands for the id of the scope. */
const pathOf = (scope: number, path: string) => `/api/${path.replace('SCOPE', scopeIdOf(scope))}`;
