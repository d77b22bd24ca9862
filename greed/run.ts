/** One attack on a service of its own: prepared, loaded, then the bystander before and beside each part, in one round or three. */
import { AT_DEFAULTS, deploy } from '../storm/deployment.ts';
import type { Tenant } from '../storm/journal.ts';
import { type Bites, type Part, type Run, titleOf } from './attack.ts';
import { Bystander } from './bystander/bystander.ts';
import { medianOf, type Phase } from './figures.ts';
import type { Row } from './judgement.ts';
import { type Form, ORDINARY_TENANTS, Stage, type Struck } from './stage.ts';

const SHORT: Form = { rounds: 1, posts: 200, ordinaryMs: 3000, leadMs: 500 };
/** Over 2,000 posts in the three rounds. */
const LONG: Form = { rounds: 3, posts: 700, ordinaryMs: 60_000, leadMs: 3000 };

interface Round extends Struck {
  before: Phase;
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
