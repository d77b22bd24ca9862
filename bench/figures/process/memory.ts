/** Whether the service keeps something of each document or scope that it has processed: its memory early on and late. */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../parts/proc.ts';
import { amount, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import { median } from '../../parts/statistics.ts';
import type { Stores } from '../../parts/stores.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { MEMORY, QUICK } from '../sizes.ts';

const SEED = 9;
/** At once, so that what is measured is not the backlog. */
const PORTION = QUICK ? 1000 : 10_000;
/** A collection of garbage in between shows in some of the looks. */
const LOOKS = QUICK ? 3 : 15;
const LOOK_EVERY_MS = 1000;

export async function measureMemory(stores: Stores): Promise<Outcome[]> {
  const { documents, scopes, first } = MEMORY;
  const site = await Site.start(stores);
  await site.front.control('resume');
  const sentences = sentencesOf({ seed: SEED, scopes, perScope: documents / scopes });
  const progress = new Progress('documents processed', documents);
  let posted = 0;
  const process = async (portion: number) => {
    await postInBatches(site, take(sentences, portion));
    posted += portion;
    await site.untilProcessed(posted, progress);
  };
  await process(first);
  const early = await settledMemory(site);
  say(`${early.toFixed(0)} MB after ${amount(posted)} documents`);
  while (posted < documents) await process(Math.min(PORTION, documents - posted));
  const late = await settledMemory(site);
  say(`${late.toFixed(0)} MB after ${amount(posted)} documents in ${amount(scopes)} scopes`);
  await site.end();
  return [{ value: late / early }];
}

async function settledMemory(site: Site): Promise<number> {
  const looks: number[] = [];
  while (looks.length < LOOKS) {
    await sleep(LOOK_EVERY_MS);
    looks.push(memoryOf(site.front.pid));
  }
  return median(looks);
}
