/** One attack on a service of its own: prepared, loaded, then the bystander before and beside each part, in one round or three. */
import { AT_DEFAULTS, type Deployment, deploy } from '../storm/deployment.ts';
import type { Tenant } from '../storm/journal.ts';
import { sleep } from '../storm/waiting.ts';
import type { Bites, Part, Run, Scene } from './attack.ts';
import { titleOf } from './attack.ts';
import { setOn } from './attacker/attacker.ts';
import { Bystander } from './bystander/bystander.ts';
import { medianOf, type Phase } from './figures.ts';
import { MEMORY_RATIO, type Row } from './judgement.ts';
import { type Seen, Watch } from './watch.ts';

interface Form {
  rounds: number;
  posts: number;
  ordinaryMs: number;
  /** For an attack to be in full swing. */
  leadMs: number;
}

const SHORT: Form = { rounds: 1, posts: 200, ordinaryMs: 3000, leadMs: 500 };
const LONG: Form = { rounds: 3, posts: 2000, ordinaryMs: 60_000, leadMs: 3000 };
/** Light: a tenth of what two cores take. */
const PER_SECOND = 50;
const CALM_MS = 30_000;
const ORDINARY_TENANTS = 3;

/** What one part came to in one round. */
interface Round {
  before: Phase;
  during: Phase;
  seen: Seen;
  bites: Bites;
  complaints: string[];
}

export async function runAttack({ attack, backend, long, source, say }: Run): Promise<Row[]> {
  const form = long ? LONG : SHORT;
  const deployment = await deploy({
    source,
    backend,
    processes: 1,
    ...(attack.roles && { roles: attack.roles }),
    settings: { ...AT_DEFAULTS, ...(await attack.settings?.()) },
    tenants: 1 + ORDINARY_TENANTS + attack.parts.length * form.rounds,
  });
  const bystander = await Bystander.start(deployment);
  const attackers = deployment.tenants.slice(1 + ORDINARY_TENANTS);
  const stage = new Stage(deployment, bystander, form, say);
  const scenes = attack.parts.map((part, n) => ({
    part,
    rounds: Array.from({ length: form.rounds }, (_, round) => ({
      tenant: attackers[n * form.rounds + round] as Tenant,
      deployment,
      long,
    })),
  }));
  for (const { part, rounds } of scenes)
    for (const scene of rounds) await part.prepare?.({ ...scene, isOver: () => false });
  // As it would have been done by the time that there is so much.
  await deployment.ask('analyze');
  const ordinaryMb = await stage.loadOrdinarily();
  say(`${ordinaryMb.toFixed(0)} MB under full ordinary load`);

  const done = new Map<Part, Round[]>(attack.parts.map((part) => [part, []]));
  for (let round = 0; round < form.rounds; round++) {
    const before = await stage.measure(`before-${round}`);
    say(`before: p50 ${before.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} ms`);
    for (const [n, { part, rounds }] of scenes.entries()) {
      const scene = rounds[round] as (typeof rounds)[number];
      const result = await stage.strike(attack.name, part, scene, `during-${round}-${n}`);
      done.get(part)?.push({ before, ...result });
      say(
        `${part.name || attack.name}: p50 ${result.during.p50.toFixed(1)} ms, p99 ${result.during.p99.toFixed(1)} ms`,
      );
    }
  }
  return [...done].map(([part, rounds]) => ({
    title: titleOf(attack, part),
    backend,
    ordinaryMb,
    ...summary(rounds),
  }));
}

/** The median of what was measured, the worst of what was seen. */
function summary(rounds: Round[]): Round {
  const bites: Bites = {};
  for (const round of rounds)
    for (const [name, times] of Object.entries(round.bites)) bites[name] = (bites[name] ?? 0) + times;
  return {
    before: medianOf(rounds.map(({ before }) => before)),
    during: medianOf(rounds.map(({ during }) => during)),
    seen: {
      healthMs: Math.max(...rounds.map(({ seen }) => seen.healthMs)),
      unhealthy: rounds.reduce((sum, { seen }) => sum + seen.unhealthy, 0),
      memoryMb: Math.max(...rounds.map(({ seen }) => seen.memoryMb)),
      ended: rounds.find(({ seen }) => seen.ended)?.seen.ended ?? null,
    },
    bites,
    complaints: [...new Set(rounds.flatMap(({ complaints }) => complaints))],
  };
}

/** The service with its bystander, and what is done to them. */
class Stage {
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

  async strike(
    attack: string,
    part: Part,
    given: Omit<Scene, 'isOver'>,
    phase: string,
  ): Promise<Omit<Round, 'before'>> {
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
    const seen = this.#watch.take();
    const bites = await callOff();
    const during = await this.#bystander.figures(phase, posted).catch(() => {
      this.#say('the database cannot be asked any more');
      return { p50: Infinity, p99: Infinity, processedP95: Infinity, refused: posted.refused };
    });
    const found = await conclude?.();
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
