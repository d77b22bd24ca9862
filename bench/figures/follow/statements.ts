/** Whether it costs Postgres anything that very many wait, while documents come to their scopes and others' are processed. */
import { StatementCount } from '../../events/statements.ts';
import { openLoopOf } from '../../parts/generator.ts';
import { amount, medianRatio, percent, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { doubtOf } from '../bare.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Site, TENANTS } from '../site.ts';
import { LATENCY_S, ROUNDS } from '../sizes.ts';
import { FOLLOWED, FOLLOWERS, listQueued, waitFor } from './followed.ts';
import { OpenWaiters } from './waiters.ts';

const PER_S = 50;
const SCOPES = 50;
const SEED = 15;
/** Whose documents are waited for, and stay queued: a tenth of all that are posted are its, too. */
const WAITING = 0;
const SIDES = [1, FOLLOWERS] as const;
/** Documents in all, roughly: a slice for each side in each round, and one before them. */
const EXPECTED = (SIDES.length * ROUNDS + 1) * LATENCY_S * PER_S;

export async function measureStatements(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores, { settings: FOLLOWED });
  await site.warmUp();
  await site.front.control('pause', site.tenants[WAITING]);
  // Scopes belong to tenants in turn, and these are to be of one.
  const scopes = SCOPES / TENANTS;
  const sentences = take(sentencesOf({ seed: SEED, scopes, perScope: FOLLOWERS / scopes }), FOLLOWERS);
  await postInBatches(
    site,
    sentences.map((one) => ({ ...one, scope: one.scope * TENANTS + WAITING })),
  );
  const waiters = new OpenWaiters(site.front);
  try {
    return [await compare(site, waiters, await StatementCount.open(stores, site.url))];
  } finally {
    waiters.leave();
    await site.end();
  }
}

async function compare(site: Site, waiters: OpenWaiters, counting: StatementCount): Promise<Outcome> {
  const wanted = (await listQueued(site)).map(({ tenant, ...document }) => waitFor(tenant, document));
  const sentences = sentencesOf({ seed: SEED + 1, scopes: SCOPES, perScope: EXPECTED / SCOPES });
  const next = () => site.requestOf(sentences.next().value);
  const rates = new Map<number, number[]>(SIDES.map((side) => [side, []]));
  let busiest = 0;
  // Connections are opened and statements prepared before anything is counted.
  await openLoopOf(site.front.port, next, PER_S, LATENCY_S);
  for (let round = 1; round <= ROUNDS; round++)
    // In turn, so that whatever drifts meets both.
    for (const side of round % 2 === 0 ? SIDES.toReversed() : SIDES) {
      await waiters.open(wanted.slice(0, side));
      await counting.begin();
      const began = performance.now();
      const { failed, generatorCpu } = await openLoopOf(site.front.port, next, PER_S, LATENCY_S);
      const tookS = (performance.now() - began) / 1000;
      const { all, of } = await counting.look();
      if (failed > 0 || waiters.refused) throw new Error(`${failed} documents were not accepted; ${waiters.refused}`);
      await waiters.close();
      rates.get(side)?.push(all / tookS);
      busiest = Math.max(busiest, generatorCpu);
      const purposes = Object.entries(of).map(([purpose, count]) => `${purpose} ${(count / tookS).toFixed(1)}`);
      say(
        `round ${round}: ${`${amount(side)} waiting`.padEnd(14)} ${(all / tookS).toFixed(1)} statements a second ` +
          `(${purposes.join(', ')}); ${amount(waiters.again)} asked again so far; generator ${percent(generatorCpu)}`,
      );
    }
  return { value: medianRatio(rates.get(FOLLOWERS) as number[], rates.get(1) as number[]), ...doubtOf(busiest) };
}
