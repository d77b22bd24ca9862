/** What Postgres works for a document in fifty scopes, accepting included, in bare requests. */
import { BareRoute } from '../../parts/bare-route.ts';
import { CONNECTIONS } from '../../parts/generator.ts';
import { postAll } from '../../parts/poster.ts';
import { cpuOf, cpuOfTree, postmasterOf } from '../../parts/proc.ts';
import { medianRatio, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { bareBodies } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { FIFTY, ROUNDS, SLICE_S, WARM_UP } from '../sizes.ts';

const SCOPES = 50;

/** Of Postgres and of the service, for a document, in µs. */
interface Cpu {
  postgres: number;
  service: number;
}

export async function measurePostgresCpu(stores: Stores): Promise<Outcome[]> {
  const bare = await BareRoute.start(bareBodies());
  const [ours, bares]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    const { cpuMicros } = await bare.load(CONNECTIONS, SLICE_S);
    const { accepting, processing } = await runRound(stores, round);
    bares.push(cpuMicros);
    ours.push(accepting.postgres + processing.postgres);
    say(
      `round ${round}: a bare request ${cpuMicros.toFixed(0)} µs; a document takes Postgres ${micros(accepting, processing, 'postgres')}` +
        ` and the service ${micros(accepting, processing, 'service')}`,
    );
  }
  await bare.end();
  return [{ value: medianRatio(ours, bares) }];
}

const micros = (accepting: Cpu, processing: Cpu, whose: keyof Cpu) =>
  `${accepting[whose].toFixed(0)} µs to accept and ${processing[whose].toFixed(0)} µs to process`;

async function runRound(stores: Stores, round: number): Promise<{ accepting: Cpu; processing: Cpu }> {
  const site = await Site.start(stores);
  await site.warmUp();
  await site.front.control('pause');
  const sentences = take(sentencesOf({ seed: round, scopes: SCOPES, perScope: FIFTY / SCOPES }), FIFTY);
  const requests = sentences.map((sentence) => site.requestOf(sentence));
  const postmaster = await postmasterOf(site.url);
  const during = async (work: () => Promise<void>): Promise<Cpu> => {
    const before = [cpuOfTree(postmaster), cpuOf(site.front.pid)] as const;
    await work();
    return {
      postgres: ((cpuOfTree(postmaster) - before[0]) / FIFTY) * 1e6,
      service: ((cpuOf(site.front.pid) - before[1]) / FIFTY) * 1e6,
    };
  };
  const accepting = await during(() => postAll(site.front.port, requests, CONNECTIONS));
  const processing = await during(async () => {
    await site.front.control('resume');
    await site.untilProcessed(WARM_UP + FIFTY, new Progress('documents processed', WARM_UP + FIFTY));
  });
  await site.end();
  return { accepting, processing };
}
