/**
 * Whether those who post notice that very many wait and follow. Two services get the same load in turn, one of them with
 * followers: a service that had some reads its log for a minute after they left, and would not be one without.
 */
import { OpenStreams } from '../../events/streams.ts';
import { CONNECTIONS } from '../../parts/generator.ts';
import { cpuOf } from '../../parts/proc.ts';
import { amount, medianRatio, percent, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { hasWrk, runWrk } from '../../parts/wrk.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { ROUNDS, SLICE_S } from '../sizes.ts';
import { FOLLOWED, FOLLOWERS, listQueued, streamOf, waitFor } from './followed.ts';
import { OpenWaiters } from './waiters.ts';

const SEED = 13;

type Side = 'followed' | 'alone';

export async function measureAccepting(stores: Stores): Promise<Outcome[]> {
  if (!hasWrk) return [{ missing: 'not measured: wrk is missing' }];
  const sites: Record<Side, Site> = {
    alone: await startSite(stores, 'alone'),
    followed: await startSite(stores, 'followed'),
  };
  const streams = new OpenStreams(sites.followed.front.port);
  const waiters = new OpenWaiters(sites.followed.front);
  try {
    await follow(sites.followed, streams, waiters);
    const outcome = await compare(sites);
    if (streams.cut > 0 || waiters.refused) throw new Error(`${streams.cut} streams were cut off; ${waiters.refused}`);
    say(`${amount(waiters.again)} requests were asked again, since their time was over`);
    return [outcome];
  } finally {
    waiters.leave();
    await streams.close();
    for (const site of Object.values(sites)) await site.end();
  }
}

async function compare(sites: Record<Side, Site>): Promise<Outcome> {
  const rates: Record<Side, number[]> = { alone: [], followed: [] };
  let busiest = 0;
  for (let round = 1; round <= ROUNDS; round++)
    // In turn, so that whatever drifts meets both.
    for (const side of round % 2 === 0 ? (['followed', 'alone'] as const) : (['alone', 'followed'] as const)) {
      const { perSecond, generatorCpu, followersCpu, cpuMicros } = await load(sites[side]);
      rates[side].push(perSecond);
      busiest = Math.max(busiest, generatorCpu, followersCpu);
      say(
        `round ${round}: ${side.padEnd(8)} ${perSecond.toFixed(0).padStart(6)}/s, ${cpuMicros.toFixed(0)} µs of the service a document; ` +
          `generator ${percent(generatorCpu)}, followers ${percent(followersCpu)}`,
      );
    }
  return { value: medianRatio(rates.followed, rates.alone), ...doubtOf(busiest) };
}

/** Paused, with a document that waits in each of the scopes. */
async function startSite(stores: Stores, side: Side): Promise<Site> {
  const site = await Site.start(stores, { name: `figure ${side}`, settings: FOLLOWED });
  await site.warmUp();
  await site.front.control('pause');
  await postInBatches(site, take(sentencesOf({ seed: SEED, scopes: FOLLOWERS, perScope: 1 }), FOLLOWERS));
  await load(site);
  return site;
}

/** Every scope has one who waits and a stream; those who post reach fifty of the scopes. */
async function follow(site: Site, streams: OpenStreams, waiters: OpenWaiters): Promise<void> {
  const followed = await listQueued(site);
  await streams.open(followed.map(({ tenant, scope_id }) => streamOf(tenant, scope_id)));
  await waiters.open(followed.map(({ tenant, ...document }) => waitFor(tenant, document)));
  say(`${amount(followed.length)} requests wait and as many streams are open`);
}

async function load({ front, tenantIds: tenants }: Site) {
  const [before, its, began] = [process.cpuUsage(), cpuOf(front.pid), performance.now()];
  const slice = await runWrk({
    port: front.port,
    connections: CONNECTIONS,
    seconds: SLICE_S,
    tenants,
    bodies: bareBodies(),
  });
  if (slice.failed > 0) throw new Error(`${slice.failed} documents were not accepted`);
  const { user, system } = process.cpuUsage(before);
  return {
    ...slice,
    // All that this process does meanwhile is to read streams.
    followersCpu: (user + system) / 1000 / (performance.now() - began),
    cpuMicros: ((cpuOf(front.pid) - its) / slice.accepted) * 1e6,
  };
}
