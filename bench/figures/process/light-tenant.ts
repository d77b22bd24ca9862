/** How long a light tenant waits until its documents are processed, alone and beside a tenant that saturates the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openLoopOf } from '../../parts/generator.ts';
import { requestOf } from '../../parts/poster.ts';
import { amount, say } from '../../parts/report.ts';
import { type Sentence, sentencesOf } from '../../parts/sentences.ts';
import { quantile } from '../../parts/statistics.ts';
import type { Stores, Tenant } from '../../parts/stores.ts';
import { Backlog, BUSY } from '../backlog.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { LATENCY_ROUNDS, LATENCY_S } from '../sizes.ts';

const PER_SECOND = 20;
const SCOPES = 5;
const SEED = 8;
const GET_BUSY_MS = 1500;
const LOOK_EVERY_MS = 100;
/** What is not processed by then, never will be. */
const PROCESSED_MS = 120_000;

export async function measureLightTenant(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  const [busy, light] = [site.tenants[BUSY], site.tenants[BUSY + 1]] as [Tenant, Tenant];
  const backlog = new Backlog(site);
  const sentences = sentencesOf({ seed: SEED, scopes: SCOPES, perScope: LATENCY_ROUNDS * LATENCY_S * PER_SECOND });
  await site.warmUp();
  await site.front.control('pause', busy);
  const waits: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  for (let round = 1; round <= LATENCY_ROUNDS; round++) {
    await backlog.fill();
    waits.alone.push(...(await measure(site, light, sentences, `alone-${round}`)));
    await site.front.control('resume', busy);
    await sleep(GET_BUSY_MS);
    waits.beside.push(...(await measure(site, light, sentences, `beside-${round}`)));
    await backlog.check();
    await site.front.control('pause', busy);
    say(`round ${round}: alone ${describe(waits.alone)}; beside ${describe(waits.beside)}`);
  }
  await site.end();
  return [{ value: quantile(waits.beside, 0.95) / quantile(waits.alone, 0.95) }];
}

const describe = (waits: number[]) =>
  `p50 ${quantile(waits, 0.5).toFixed(0)} ms, p95 ${quantile(waits, 0.95).toFixed(0)} ms of ${amount(waits.length)}`;

/** By the clock of the database, from acceptance on, in ms. */
async function measure(site: Site, tenant: Tenant, sentences: Iterator<Sentence>, phase: string): Promise<number[]> {
  let n = 0;
  const next = () => {
    const { scope, name, text } = sentences.next().value as Sentence;
    const body = { scope_id: `light-${scope}`, document_id: `${phase}-${n++}`, name, text };
    return requestOf(tenant.id, JSON.stringify(body));
  };
  const { failed, sent } = await openLoopOf(site.front.port, next, PER_SECOND, LATENCY_S);
  if (failed > 0) throw new Error(`${failed} documents of the light tenant were not accepted`);
  const began = performance.now();
  for (;;) {
    const rows: { ms: number }[] = await site.look(
      `select 1000 * extract(epoch from finished_at - accepted_at)::float8 as ms from documents
        where document_id like $1 and state = 'processed'`,
      [`${phase}-%`],
    );
    if (rows.length === sent) return rows.map(({ ms }) => ms);
    if (performance.now() - began > PROCESSED_MS) throw new Error(`${sent - rows.length} documents are not processed`);
    await sleep(LOOK_EVERY_MS);
  }
}
