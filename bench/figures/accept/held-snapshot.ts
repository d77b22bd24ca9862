/**
 * Whether accepting suffers from an old snapshot that somebody holds, such as a report or a dump. Two services get the same
 * load for as long, one after the other, one of them beside a snapshot; then both are measured in turn, while it is held.
 */
import { CONNECTIONS, openLoopOf } from '../../parts/generator.ts';
import { medianRatio, say } from '../../parts/report.ts';
import { scopeIdOf, sentencesOf, take } from '../../parts/sentences.ts';
import { type Stores, withClient } from '../../parts/stores.ts';
import { bodiesFile, runWrk } from '../../parts/wrk.ts';
import { doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { ROUNDS, SLICE_S, SNAPSHOT_S } from '../sizes.ts';

const PER_SECOND = 400;
/** Few, so that each of their rows is changed often. */
const SCOPES = 10;
const SEED = 12;
const BODIES = 2000;
/** So that there is something to say on the way. */
const STRETCH_S = 30;

export async function measureHeldSnapshot(stores: Stores): Promise<Outcome[]> {
  const without = await Site.start(stores, { name: 'figure without a snapshot' });
  await load(without, 'without');
  // A snapshot keeps the dead rows of its own database alone.
  const held = await Site.start(stores, { name: 'figure with a snapshot' });
  return withClient(held.url, async (client) => {
    await client.query('begin isolation level repeatable read');
    await client.query('select count(*) from documents');
    await load(held, 'with');
    const outcome = await compare(held, without);
    await client.query('rollback');
    await held.end();
    await without.end();
    return [outcome];
  });
}

/** Processed too, since both change the rows of the scopes; paused in the end, since accepting is measured. */
async function load(site: Site, which: string): Promise<void> {
  await site.front.control('resume');
  const sentences = sentencesOf({ seed: SEED, scopes: SCOPES, perScope: (PER_SECOND * SNAPSHOT_S) / SCOPES });
  const next = () => site.requestOf(sentences.next().value);
  const progress = new Progress(`seconds ${which} a snapshot`, SNAPSHOT_S);
  for (let seconds = 0; seconds < SNAPSHOT_S; seconds += STRETCH_S) {
    const { failed, p50 } = await openLoopOf(
      site.front.port,
      next,
      PER_SECOND,
      Math.min(STRETCH_S, SNAPSHOT_S - seconds),
    );
    if (failed > 0) throw new Error(`${failed} documents were not accepted`);
    progress.at(Math.min(SNAPSHOT_S, seconds + STRETCH_S));
    if (seconds + STRETCH_S >= SNAPSHOT_S) say(`${which} a snapshot: p50 of accepting ${p50.toFixed(1)} ms in the end`);
  }
  await site.front.control('pause');
}

async function compare(held: Site, without: Site): Promise<Outcome> {
  const sentences = take(sentencesOf({ seed: SEED, scopes: SCOPES, perScope: BODIES / SCOPES }), BODIES);
  const bodies = bodiesFile(
    sentences.map(({ scope, name, text }) => JSON.stringify({ scope_id: scopeIdOf(scope), name, text })),
  );
  const run = ({ front, tenantIds: tenants }: Site) =>
    runWrk({ port: front.port, connections: CONNECTIONS, seconds: SLICE_S, tenants, bodies });
  const [withs, withouts]: [number[], number[]] = [[], []];
  let generatorCpu = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const [its, others] = [await run(held), await run(without)];
    withs.push(its.perSecond);
    withouts.push(others.perSecond);
    generatorCpu = Math.max(generatorCpu, its.generatorCpu, others.generatorCpu);
    say(
      `round ${round}: accepted ${its.perSecond.toFixed(0)}/s with and ${others.perSecond.toFixed(0)}/s without a snapshot`,
    );
  }
  return { value: medianRatio(withs, withouts), ...doubtOf(generatorCpu) };
}
