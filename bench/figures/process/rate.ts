/** Documents a second on their whole way, from the first post until the last is processed, against a bare route. */
import { BareRoute } from '../../parts/bare-route.ts';
import { CONNECTIONS } from '../../parts/generator.ts';
import { postAll } from '../../parts/poster.ts';
import { amount, medianRatio, percent, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site, type SiteOptions } from '../site.ts';
import { CROWDED, FIFTY, ONE, PAIRS, ROUNDS, SLICE_S, WARM_UP } from '../sizes.ts';

const SHAPES = {
  fifty: { scopes: 50, documents: FIFTY },
  pairs: { scopes: PAIRS / 2, documents: PAIRS },
  one: { scopes: 1, documents: ONE },
  crowded: { scopes: 30, documents: CROWDED.documents },
};

/** What switches the cache of the index off. */
const WITHOUT_CACHE = { INDEX_CACHE_MB: '0' };

export async function measureWithoutCache(stores: Stores): Promise<Outcome[]> {
  return measureRate(stores, 'fifty', { settings: WITHOUT_CACHE });
}

export async function measureCrowded(stores: Stores): Promise<Outcome[]> {
  return measureRate(stores, 'crowded', { settings: { INDEX_CACHE_MB: `${CROWDED.room}` } });
}

/** On a queue in Postgres, as the service comes. */
export async function measureRate(
  stores: Stores,
  shape: keyof typeof SHAPES,
  options: SiteOptions = {},
): Promise<Outcome[]> {
  const bare = await BareRoute.start(bareBodies());
  const [ours, bares]: [number[], number[]] = [[], []];
  let generatorCpu = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const load = await bare.load(CONNECTIONS, SLICE_S);
    const { perSecond, drainedPerSecond } = await processAll(stores, { ...SHAPES[shape], round, options });
    generatorCpu = Math.max(generatorCpu, load.generatorCpu);
    bares.push(load.perSecond);
    ours.push(perSecond);
    say(
      `round ${round}: bare route ${load.perSecond.toFixed(0)}/s, generator ${percent(load.generatorCpu)}; ` +
        `processed ${perSecond.toFixed(0)}/s, and ${drainedPerSecond.toFixed(0)}/s after the last was accepted`,
    );
  }
  await bare.end();
  return [{ value: medianRatio(ours, bares), ...doubtOf(generatorCpu) }];
}

interface Run {
  scopes: number;
  documents: number;
  round: number;
  options: SiteOptions;
}

async function processAll(stores: Stores, { scopes, documents, round, options }: Run) {
  const site = await Site.start(stores, options);
  await site.warmUp();
  const sentences = take(sentencesOf({ seed: round, scopes, perScope: documents / scopes }), documents);
  const requests = sentences.map((sentence) => site.requestOf(sentence));
  const began = Date.now();
  await postAll(site.front.port, requests, CONNECTIONS);
  const left = await site.waiting();
  const accepted = Date.now();
  const ended = await site.untilProcessed(
    WARM_UP + documents,
    new Progress(`documents processed in ${amount(scopes)} scopes`, WARM_UP + documents),
  );
  await site.end();
  return {
    perSecond: documents / ((ended - began) / 1000),
    drainedPerSecond: left / ((ended - accepted) / 1000),
  };
}
