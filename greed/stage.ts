/** The service with its bystander, as one attack meets them: under ordinary load, alone, and struck. */
import type { Deployment } from '../storm/deployment.ts';
import type { Tenant } from '../storm/journal.ts';
import { sleep } from '../storm/waiting.ts';
import type { Bites, Part, Scene } from './attack.ts';
import { setOn } from './attacker/attacker.ts';
import type { Bystander } from './bystander/bystander.ts';
import type { Phase } from './figures.ts';
import { MEMORY_RATIO } from './judgement.ts';
import { type Seen, Watch } from './watch.ts';

export interface Form {
  rounds: number;
  /** Of the bystander for each figure. */
  posts: number;
  ordinaryMs: number;
  /** For an attack to be in full swing. */
  leadMs: number;
}

/** Light: a tenth of what two cores take. */
const PER_SECOND = 50;
const CALM_MS = 30_000;
export const ORDINARY_TENANTS = 3;

/** What one part came to in one round, beside what there was before. */
export interface Struck {
  during: Phase;
  seen: Seen;
  bites: Bites;
  complaints: string[];
}

export class Stage {
  readonly #deployment: Deployment;
  readonly #bystander: Bystander;
  readonly #form: Form;
  readonly #watch: Watch;
  readonly #say: (line: string) => void;
  #ordinaryMb = Number.POSITIVE_INFINITY;

  constructor(deployment: Deployment, bystander: Bystander, form: Form, say: (line: string) => void) {
    this.#deployment = deployment;
    this.#bystander = bystander;
    this.#form = form;
    this.#say = say;
    const { apis, nodes } = deployment;
    this.#watch = new Watch([...apis, ...nodes.filter((node) => !apis.includes(node))]);
  }

  /** Returns how much memory the service takes for it, in MB. What then waits is left waiting. */
  async loadOrdinarily(): Promise<number> {
    const url = this.#deployment.urls()[0] as string;
    const tenants = this.#deployment.tenants.slice(1, 1 + ORDINARY_TENANTS);
    this.#watch.take();
    const callOff = await setOn({ ordinary: { url, tenants: tenants.map(({ id }) => id) } });
    await sleep(this.#form.ordinaryMs);
    const { accepted = 0 } = await callOff();
    const { memoryMb, ended } = this.#watch.take();
    if (ended || accepted === 0)
      throw new Error(`the service did not bear ordinary load: ${ended ?? 'nothing accepted'}`);
    for (const tenant of tenants) await this.#hold(tenant);
    await this.#warmUp();
    await this.#watch.calm(CALM_MS);
    this.#ordinaryMb = memoryMb;
    return memoryMb;
  }

  async measure(phase: string): Promise<Phase> {
    const posted = await this.#bystander.post({ phase, posts: this.#form.posts, perSecond: PER_SECOND });
    return this.#bystander.figures(phase, posted);
  }

  async strike(attack: string, part: Part, given: Omit<Scene, 'isOver'>, phase: string): Promise<Struck> {
    const { deployment, tenant, long } = given;
    const { admin, internals } = deployment;
    await this.#renew();
    await this.#watch.calm(CALM_MS);
    this.#watch.take();
    let isOver = false;
    const target = { url: deployment.urls()[0] as string, tenant, admin, internals, long };
    const callOff = part.strike ? await setOn({ attack, part: part.name, target }) : async () => ({});
    if (part.strike) await sleep(this.#form.leadMs);
    const conclude = await part.alongside?.({ ...given, isOver: () => isOver });
    const posted = await this.#bystander.post({ phase, posts: this.#form.posts, perSecond: PER_SECOND });
    isOver = true;
    const bites = await callOff();
    const during = await this.#bystander.figures(phase, posted).catch(() => {
      this.#say('the database cannot be asked any more');
      return { p50: Infinity, p99: Infinity, processedP95: Infinity, refused: posted.refused };
    });
    const found = await conclude?.();
    // Until all that was accepted meanwhile is processed: what an attack does may show late.
    const seen = this.#watch.take();
    await this.#hold(tenant);
    return { during, seen, bites: { ...bites, ...found?.bites }, complaints: found?.complaints ?? [] };
  }

  /** What the last part ended is there again for this one; and what it left large, as small as at first. */
  async #renew(): Promise<void> {
    for (const node of this.#deployment.nodes)
      if (!node.isRunning || node.memory() > MEMORY_RATIO * this.#ordinaryMb) {
        this.#say('the service is started anew for the next part');
        await node.restart();
        await this.#warmUp();
      }
  }

  /** So that every scope of the bystander is there, and the code compiled: what is measured is no first document. */
  async #warmUp(): Promise<void> {
    await this.#bystander.post({ phase: 'first', posts: 2 * PER_SECOND, perSecond: 2 * PER_SECOND });
  }

  /** What a tenant has left is not processed any more: the next part has nothing to do with it. */
  async #hold(tenant: Tenant): Promise<void> {
    await this.#deployment.asAdmin('/admin/runtime/stop', { tenant, body: {} }).catch(() => {});
  }
}
