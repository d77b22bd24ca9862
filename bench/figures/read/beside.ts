/** Whether those who post notice that another tenant reads facts on all its connections: at a steady rate, without and with it in turn. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CONNECTIONS, openLoopOf } from '../../parts/generator.ts';
import { medianRatio, percent, say } from '../../parts/report.ts';
import { type Sentence, scopeIdOf, sentencesOf, take, tenantOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { hasWrk } from '../../parts/wrk.ts';
import { doubtOf } from '../bare.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { LATENCY_ROUNDS, LATENCY_S, READ } from '../sizes.ts';

/** Of what is accepted when nothing else is done: little, since reading has the machine, too. */
const PER_S = 200;
const SEED = 6;
/** Who reads, and who posts. */
const [READER, POSTER] = [0, 1];

export async function measureBeside(stores: Stores): Promise<Outcome[]> {
  if (!hasWrk) return [{ missing: 'not measured: wrk is missing' }];
  const site = await Site.start(stores, { settings: { TENANT_READS_PER_S: '100000' } });
  await site.front.control('resume');
  const sentences = sentencesOf({ seed: SEED, scopes: 1, perScope: READ.few });
  const next = (scope: number): Sentence => ({ ...sentences.next().value, scope });
  await postInBatches(
    site,
    take(sentences, READ.few).map((sentence) => ({ ...sentence, scope: READER })),
  );
  await site.untilProcessed(READ.few);
  await site.front.control('pause');
  const p50: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  let generatorCpu = 0;
  for (let round = 1; round <= LATENCY_ROUNDS; round++)
    for (const state of ['alone', 'beside'] as const) {
      const reading = state === 'beside' ? readFacts(site) : null;
      const load = await openLoopOf(site.front.port, () => site.requestOf(next(POSTER)), PER_S, LATENCY_S);
      reading?.kill();
      if (reading) await once(reading, 'close');
      if (load.failed > 0) throw new Error(`${load.failed} documents were not accepted`);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu);
      p50[state].push(load.p50);
      say(`round ${round}: ${state.padEnd(6)} p50 ${load.p50.toFixed(1)} ms, generator ${percent(load.generatorCpu)}`);
    }
  await site.end();
  return [{ value: medianRatio(p50.beside, p50.alone), ...doubtOf(generatorCpu) }];
}

/** Until it is ended. */
function readFacts({ front, tenants }: Site) {
  const url = `${front.url}/api/scopes/${scopeIdOf(READER)}/facts`;
  const header = `X-Tenant-API-Key: ${tenantOf(tenants, READER).key}`;
  return spawn('wrk', ['-t1', `-c${CONNECTIONS}`, '-d600s', '-H', header, url], { stdio: 'ignore' });
}
