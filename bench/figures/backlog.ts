/** One tenant's documents that wait in many scopes: work enough to keep the service busy while others are measured. */
import { amount, say } from '../parts/report.ts';
import { type Sentence, sentencesOf, take } from '../parts/sentences.ts';
import { postInBatches } from './batches.ts';
import { Progress } from './progress.ts';
import { type Site, TENANTS } from './site.ts';
import { BACKLOG } from './sizes.ts';

/** Each a lane. */
const SCOPES = 50;
const SEED = 5;

/** The tenant whose they are; all others have nothing waiting. */
export const BUSY = 0;

export class Backlog {
  readonly #site: Site;
  readonly #sentences: Generator<Sentence, never>;

  constructor(site: Site) {
    this.#site = site;
    this.#sentences = sentencesOf({ seed: SEED, scopes: SCOPES, perScope: (2 * BACKLOG) / SCOPES });
  }

  /** While nothing of it is being processed. */
  async fill(): Promise<void> {
    const missing = BACKLOG - (await this.#site.waiting());
    if (missing <= 0) return;
    say(`  ${amount(missing)} documents of a busy tenant are accepted`);
    // Scopes belong to tenants in turn, and these are to be of one.
    const sentences = take(this.#sentences, missing).map((one) => ({ ...one, scope: one.scope * TENANTS + BUSY }));
    await postInBatches(this.#site, sentences, { progress: new Progress('documents accepted', missing) });
  }

  /** Whoever was measured beside it was measured beside nothing, if none is left. */
  async check(): Promise<void> {
    if ((await this.#site.waiting()) === 0) throw new Error('the backlog ran out, so processing was not saturated');
  }
}
