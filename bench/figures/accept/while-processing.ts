/** Whether those who post notice that the service is busy processing: at a steady rate, paused and saturated in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS, openLoopOf } from '../../parts/generator.ts';
import { medianRatio, percent, say } from '../../parts/report.ts';
import { sentencesOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { runWrk } from '../../parts/wrk.ts';
import { Backlog, BUSY } from '../backlog.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Site, TENANTS } from '../site.ts';
import { LATENCY_ROUNDS, LATENCY_S, SLICE_S } from '../sizes.ts';

/** Of what it accepts when it does nothing else: a moderate rate, since processing needs the machine too. */
const LOAD = 0.35;
const GET_BUSY_MS = 1000;
const SCOPES = 50;
const SEED = 2;
/** Documents in all, roughly. */
const EXPECTED = 100_000;

export async function measureWhileProcessing(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  const { port } = site.front;
  await site.warmUp();
  await site.front.control('pause');
  const bodies = bareBodies();
  const capacity = await runWrk({ port, connections: CONNECTIONS, seconds: SLICE_S, tenants: site.tenantIds, bodies });
  const steady = LOAD * capacity.perSecond;
  const backlog = new Backlog(site);
  const next = requestsBeside(site);
  const p99: Record<'paused' | 'saturated', number[]> = { paused: [], saturated: [] };
  let generatorCpu = 0;
  for (let round = 1; round <= LATENCY_ROUNDS; round++)
    for (const state of ['paused', 'saturated'] as const) {
      await backlog.fill();
      if (state === 'saturated') {
        await site.front.control('resume');
        await sleep(GET_BUSY_MS);
      }
      const load = await openLoopOf(port, next, steady, LATENCY_S);
      if (load.failed > 0) throw new Error(`${load.failed} documents were not accepted`);
      await backlog.check();
      await site.front.control('pause');
      p99[state].push(load.p99);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu);
      say(
        `round ${round}: ${state.padEnd(9)} p99 ${load.p99.toFixed(1)} ms, p50 ${load.p50.toFixed(1)} ms at ` +
          `${steady.toFixed(0)}/s, generator ${percent(load.generatorCpu)}`,
      );
    }
  await site.end();
  return [{ value: medianRatio(p99.saturated, p99.paused), ...doubtOf(generatorCpu) }];
}

/** Of all tenants but the busy one, no sentence twice. */
function requestsBeside(site: Site): () => string {
  const sentences = sentencesOf({ seed: SEED, scopes: SCOPES, perScope: EXPECTED / SCOPES });
  return () => {
    for (;;) {
      const sentence = sentences.next().value;
      if (sentence.scope % TENANTS !== BUSY) return site.requestOf(sentence);
    }
  };
}
