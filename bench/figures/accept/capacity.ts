/** Documents accepted a second, each with an idempotency key of its own, against a bare route with the same bodies. */
import { BareRoute } from '../../parts/bare-route.ts';
import { medianRatio, percent, say } from '../../parts/report.ts';
import type { Stores } from '../../parts/stores.ts';
import { runWrk } from '../../parts/wrk.ts';
import { bareBodies, doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { ROUNDS, SLICE_S } from '../sizes.ts';

const WARM_UP_S = 2;

/** With the runtime paused: what is measured is accepting. */
export async function measureCapacity(stores: Stores, connections: number): Promise<Outcome[]> {
  const bodies = bareBodies({ keys: true });
  const bare = await BareRoute.start(bodies);
  const site = await Site.start(stores);
  const run = (seconds: number) =>
    runWrk({ port: site.front.port, connections, seconds, tenants: site.tenantIds, bodies });
  await run(WARM_UP_S);
  const [ours, bares]: [number[], number[]] = [[], []];
  let [generatorCpu, failed] = [0, 0];
  for (let round = 1; round <= ROUNDS; round++) {
    const [theirs, our] = [await bare.load(connections, SLICE_S), await run(SLICE_S)];
    bares.push(theirs.perSecond);
    ours.push(our.perSecond);
    generatorCpu = Math.max(generatorCpu, theirs.generatorCpu, our.generatorCpu);
    failed += our.failed;
    say(
      `round ${round}: bare route ${theirs.perSecond.toFixed(0)}/s, generator ${percent(theirs.generatorCpu)}; ` +
        `accepted ${our.perSecond.toFixed(0)}/s, generator ${percent(our.generatorCpu)}, ${our.failed} failed`,
    );
  }
  await bare.end();
  await site.end();
  const doubt = failed > 0 ? { doubt: `void: ${failed} requests failed` } : doubtOf(generatorCpu);
  return [{ value: medianRatio(ours, bares), ...doubt }];
}
