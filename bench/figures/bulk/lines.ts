/** Documents accepted a second, each with an idempotency key of its own: by one stream, and by one request each on many connections. */
import { readFileSync } from 'node:fs';
import { medianRatio, percent, say } from '../../parts/report.ts';
import type { Stores } from '../../parts/stores.ts';
import { linesWithKeys, streamLines } from '../../parts/streamer.ts';
import { hasWrk, KEY_MARK, runWrk } from '../../parts/wrk.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { ROUNDS, SLICE_S } from '../sizes.ts';

const CONNECTIONS = 256;
const WARM_UP_S = 2;

/** With the runtime paused: what is measured is accepting, of one tenant, whichever way it takes. */
export async function measureLines(stores: Stores): Promise<Outcome[]> {
  if (!hasWrk) return [{ missing: 'not measured: wrk is missing' }];
  const bodies = bareBodies({ keys: true });
  const texts = readFileSync(bodies, 'utf8').split('\n');
  const site = await Site.start(stores);
  const { port } = site.front;
  const tenantId = site.tenantIds[0] as string;
  const post = (seconds: number) => runWrk({ port, connections: CONNECTIONS, seconds, tenants: [tenantId], bodies });
  const stream = (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    return streamLines({
      ...{ port, tenantId, next: linesWithKeys(texts, KEY_MARK) },
      goesOn: () => performance.now() < until,
    });
  };
  await post(WARM_UP_S);
  await stream(WARM_UP_S);
  const [streams, posts]: [number[], number[]] = [[], []];
  let [generatorCpu, failed] = [0, 0];
  for (let round = 1; round <= ROUNDS; round++) {
    const [posted, streamed] = [await post(SLICE_S), await stream(SLICE_S)];
    posts.push(posted.perSecond);
    streams.push(streamed.perSecond);
    generatorCpu = Math.max(generatorCpu, posted.generatorCpu, streamed.generatorCpu);
    failed += posted.failed + streamed.failed;
    say(
      `round ${round}: POST ${posted.perSecond.toFixed(0)}/s, generator ${percent(posted.generatorCpu)}; ` +
        `stream ${streamed.perSecond.toFixed(0)}/s, generator ${percent(streamed.generatorCpu)}, ${failed} failed`,
    );
  }
  await site.end();
  const doubt = failed > 0 ? { doubt: `void: ${failed} documents were not accepted` } : doubtOf(generatorCpu);
  return [{ value: medianRatio(streams, posts), ...doubt }];
}
