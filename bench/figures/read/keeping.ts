/** What it costs to keep facts readable while documents are processed: the CPU of a document with that and without it, in turn. */
import { readFileSync } from 'node:fs';
import { cpuOf, cpuOfTree, postmasterOf } from '../../parts/proc.ts';
import { medianRatio, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { FIFTY, ONE, ROUNDS, WARM_UP } from '../sizes.ts';

/** In fifty scopes what was read last is all there is; in one scope, most of it is filed. */
const SHAPES = [
  { scopes: 50, documents: FIFTY },
  { scopes: 1, documents: ONE },
];
const WITHOUT = readFileSync(new URL('without-facts.sql', import.meta.url), 'utf8');

interface Run {
  scopes: number;
  documents: number;
  round: number;
  isKept: boolean;
}

export async function measureKeeping(stores: Stores): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const shape of SHAPES) {
    const [kept, without]: [number[], number[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      // In turn, so that whatever drifts meets both.
      for (const isKept of round % 2 === 0 ? [true, false] : [false, true])
        (isKept ? kept : without).push(await cpuOfDocument(stores, { ...shape, round, isKept }));
      say(
        `round ${round}, ${shape.scopes} scopes: a document takes ${kept.at(-1)?.toFixed(0)} µs of CPU with facts and ` +
          `${without.at(-1)?.toFixed(0)} µs without`,
      );
    }
    outcomes.push({ value: medianRatio(without, kept) });
  }
  return outcomes;
}

/** Of the service and of Postgres, in µs. Processing keeps both cores busy, so that it is as fast as it needs little of this. */
async function cpuOfDocument(stores: Stores, { scopes, documents, round, isKept }: Run): Promise<number> {
  const site = await Site.start(stores);
  if (!isKept) await site.look(WITHOUT);
  await site.warmUp();
  await site.front.control('pause');
  await postInBatches(site, take(sentencesOf({ seed: round, scopes, perScope: documents / scopes }), documents));
  const postmaster = await postmasterOf(site.url);
  const used = () => cpuOfTree(postmaster) + cpuOf(site.front.pid);
  const before = used();
  await site.front.control('resume');
  await site.untilProcessed(WARM_UP + documents, new Progress('documents processed', WARM_UP + documents));
  const micros = ((used() - before) / documents) * 1e6;
  await site.end();
  return micros;
}
