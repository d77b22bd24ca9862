/** How soon who waits for a document is answered, against how soon its event is delivered: of the same documents, at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenStreams } from '../../events/streams.ts';
import { CONNECTIONS, openLoopOf } from '../../parts/generator.ts';
import { openPoster, requestOf } from '../../parts/poster.ts';
import { amount, medianRatio, percent, say } from '../../parts/report.ts';
import { type Sentence, scopeIdOf, sentencesOf } from '../../parts/sentences.ts';
import { quantile } from '../../parts/statistics.ts';
import type { Stores, Tenant } from '../../parts/stores.ts';
import { doubtOf } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { LATENCY_ROUNDS, LATENCY_S } from '../sizes.ts';
import { type Delays, delaysOf, type Times } from './delays.ts';
import { FOLLOWED, type Followed, streamOfProcessed, waitFor } from './followed.ts';
import { getOf } from './waiters.ts';

/** Of what is processed in all: little, so that nothing queues. */
const PER_S = 50;
const SCOPES = 10;
const SEED = 14;
const LOOK_EVERY_MS = 20;
/** What has not come by then does not come. */
const DELIVERED_MS = 5000;

export async function measureAnswers(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores, { settings: FOLLOWED });
  await site.warmUp();
  const tenant = site.tenants[0] as Tenant;
  const streams = new OpenStreams(site.front.port);
  await streams.open([streamOfProcessed(tenant)]);
  const sentences = sentencesOf({
    seed: SEED,
    scopes: SCOPES,
    perScope: (LATENCY_ROUNDS * LATENCY_S * PER_S) / SCOPES,
  });
  const p99: Record<'answers' | 'deliveries', number[]> = { answers: [], deliveries: [] };
  let busiest = 0;
  for (let round = 1; round <= LATENCY_ROUNDS; round++) {
    const { times, generatorCpu } = await post(site, tenant, streams, sentences);
    const delays = await untilKnown(site, times);
    busiest = Math.max(busiest, generatorCpu);
    p99.answers.push(quantile(delays.answers, 0.99));
    p99.deliveries.push(quantile(delays.deliveries, 0.99));
    say(
      `round ${round}: answers ${describe(delays.answers)}; deliveries ${describe(delays.deliveries)}; ` +
        `of ${amount(delays.answers.length)}, ${delays.late} were asked for too late; generator ${percent(generatorCpu)}`,
    );
  }
  await streams.close();
  await site.end();
  return [{ value: medianRatio(p99.answers, p99.deliveries), ...doubtOf(busiest) }];
}

const describe = (delays: number[]) =>
  `p50 ${quantile(delays, 0.5).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms`;

/** Each document is waited for as soon as it is accepted. Times are those of the clock, which the database has, too. */
async function post(site: Site, tenant: Tenant, streams: OpenStreams, sentences: Iterator<Sentence>) {
  const times = new Map<string, Times>();
  const timesOf = (documentId: string) => {
    const known = times.get(documentId) ?? { askedAt: null, answeredAt: null, deliveredAt: null };
    times.set(documentId, known);
    return known;
  };
  streams.onDocument = (documentId) => {
    timesOf(documentId).deliveredAt = Date.now();
  };
  const asking = openPoster(site.front.port, CONNECTIONS);
  const answers: Promise<void>[] = [];
  const wait = async (accepted: Followed) => {
    const its = timesOf(accepted.document_id);
    its.askedAt = Date.now();
    const { status, text } = await asking.post(getOf(waitFor(tenant, accepted)));
    const at = Date.now();
    if (status === 200 && bodyOf(text).state === 'processed') its.answeredAt = at;
  };
  const { failed, generatorCpu } = await openLoopOf(site.front.port, next, PER_S, LATENCY_S, (text) => {
    answers.push(wait(bodyOf(text)));
  });
  function next(): string {
    const { scope, name, text } = sentences.next().value as Sentence;
    return requestOf(tenant.id, JSON.stringify({ scope_id: scopeIdOf(scope), name, text }));
  }
  if (failed > 0) throw new Error(`${failed} documents were not accepted`);
  await Promise.all(answers);
  asking.close();
  return { times, generatorCpu };
}

// biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for.
const bodyOf = (answer: string): any => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

/** When every document that was waited for is delivered, too. */
async function untilKnown(site: Site, times: Map<string, Times>): Promise<Delays> {
  const waited = [...times].filter(([, { askedAt }]) => askedAt !== null);
  const began = performance.now();
  while (waited.some(([, { deliveredAt }]) => deliveredAt === null)) {
    if (performance.now() - began > DELIVERED_MS) throw new Error('an event was not delivered');
    await sleep(LOOK_EVERY_MS);
  }
  const rows: { document_id: string; at: number }[] = await site.look(
    `select document_id, 1000 * extract(epoch from finished_at)::float8 as at from documents where document_id = any ($1)`,
    [waited.map(([documentId]) => documentId)],
  );
  const settledAt = new Map(rows.map(({ document_id, at }) => [document_id, at]));
  return delaysOf(waited.map(([documentId, its]) => ({ ...its, settledAt: settledAt.get(documentId) as number })));
}
