/**
 * Scopes with one document each, against one BullMQ job a document with the same stages and one insert of its claims. On
 * both sides everything was accepted and queued before, and what is timed is the processing alone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, endChild } from '../../parts/child.ts';
import { medianRatio, say } from '../../parts/report.ts';
import { type Sentence, sentencesOf, take } from '../../parts/sentences.ts';
import { cloneDatabase, dropDatabase, emptyRedis, newDatabase, query, type Stores } from '../../parts/stores.ts';
import { fillObvious, startJobs } from '../../process/obvious.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { JOBS_ROUNDS, SINGLES, WARM_UP } from '../sizes.ts';

const LOOK_EVERY_MS = 40;
const SEED = 3;

export async function measureJobs(stores: Stores): Promise<Outcome[]> {
  const sentences = take(sentencesOf({ seed: SEED, scopes: SINGLES, perScope: 1 }), SINGLES);
  const jobs = await newDatabase(stores.postgresUrl, 'jobs figure template', 0);
  const contents = sentences.map(({ name, text }) => ({ name, type: 'txt', text }));
  await fillObvious(jobs.url, contents, SINGLES);
  const onPostgres = await compare(stores, 'Postgres', sentences, jobs.url);
  const onRedis = stores.redisUrl ? await compare(stores, 'Redis', sentences, jobs.url) : null;
  await dropDatabase(jobs.url);
  return [
    onRedis ? { value: onRedis } : { missing: 'there is no Redis: apt-get install redis-server' },
    { value: onPostgres },
  ];
}

async function compare(stores: Stores, backend: string, sentences: Sentence[], jobs: string): Promise<number> {
  const redisUrl = backend === 'Redis' ? stores.redisUrl : '';
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 1; round <= JOBS_ROUNDS; round++) {
    const our = await runOurs(stores, redisUrl && (await emptyRedis(redisUrl, 0)), sentences);
    const their = await runJobs(jobs, redisUrl && (await emptyRedis(redisUrl, 1)));
    ours.push(our);
    theirs.push(their);
    say(`round ${round} on ${backend}: ours ${our.toFixed(0)}/s, one job a document ${their.toFixed(0)}/s`);
  }
  return medianRatio(ours, theirs);
}

async function runOurs(stores: Stores, redisUrl: string, sentences: Sentence[]): Promise<number> {
  const site = await Site.start(stores, { redisUrl });
  await site.warmUp();
  await site.front.control('pause');
  await postInBatches(site, sentences, { progress: new Progress('documents accepted', SINGLES) });
  const began = Date.now();
  await site.front.control('resume');
  const ended = await site.untilProcessed(WARM_UP + SINGLES, new Progress('documents processed', WARM_UP + SINGLES));
  await site.end();
  return SINGLES / ((ended - began) / 1000);
}

async function runJobs(template: string, redisUrl: string): Promise<number> {
  const databaseUrl = await cloneDatabase(template, 'jobs figure');
  const { child } = await startJobs(databaseUrl, redisUrl, 'stages');
  await ask(child, `add ${SINGLES}`);
  await ask(child, `warm-up ${WARM_UP}`);
  await query(databaseUrl, 'vacuum analyze');
  const progress = new Progress('jobs done', SINGLES);
  const began = performance.now();
  await ask(child, 'run');
  for (;;) {
    const { done } = await ask<{ done: number }>(child, 'done');
    if (done >= SINGLES) break;
    progress.at(done);
    await sleep(LOOK_EVERY_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  await endChild(child);
  return SINGLES / seconds;
}
