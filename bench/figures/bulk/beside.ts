/** Whether a light tenant notices that another one streams at full speed: at a steady rate, without and with it in turn. */
import { ask, endChild, startChild } from '../../parts/child.ts';
import { openLoopOf } from '../../parts/generator.ts';
import { medianRatio, percent, say } from '../../parts/report.ts';
import { type Sentence, sentencesOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { LATENCY_ROUNDS, LATENCY_S } from '../sizes.ts';

const PER_S = 100;
const SEED = 7;
/** Who streams, and who posts. */
const [STREAMER, LIGHT] = [0, 1];

/** With the runtime paused: what is measured is accepting. */
export async function measureBesideStream(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  const { port } = site.front;
  const sentences = sentencesOf({ seed: SEED, scopes: 1, perScope: 10_000 });
  const next = (): Sentence => ({ ...sentences.next().value, scope: LIGHT });
  const p50: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  let generatorCpu = 0;
  for (let round = 1; round <= LATENCY_ROUNDS; round++)
    for (const state of ['alone', 'beside'] as const) {
      const stream = state === 'beside' ? await startStream(site) : null;
      const began = performance.now();
      const load = await openLoopOf(port, () => site.requestOf(next()), PER_S, LATENCY_S);
      const lines = stream ? await stream.answered() : 0;
      await stream?.end();
      if (load.failed > 0) throw new Error(`${load.failed} documents were not accepted`);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu);
      p50[state].push(load.p50);
      const pace = (lines / (performance.now() - began)) * 1000;
      say(
        `round ${round}: ${state.padEnd(6)} p50 ${load.p50.toFixed(1)} ms, p99 ${load.p99.toFixed(1)} ms, ` +
          `${pace.toFixed(0)} lines/s beside it, generator ${percent(load.generatorCpu)}`,
      );
    }
  await site.end();
  return [{ value: medianRatio(p50.beside, p50.alone), ...doubtOf(generatorCpu) }];
}

/** In a process of its own: what it needs of a core is not taken from the one that measures. */
async function startStream(site: Site) {
  const args = [`${site.front.port}`, site.tenantIds[STREAMER] as string, bareBodies({ keys: true })];
  const { child } = await startChild(new URL('../../parts/streamer-child.ts', import.meta.url), { args });
  return { answered: () => ask<number>(child, 'how many'), end: () => endChild(child) };
}
