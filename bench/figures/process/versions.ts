/** Whether a new version costs more of a document that has very many: from its post until it is processed, one by one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { amount, medianRatio, say } from '../../parts/report.ts';
import { sentencesOf, take } from '../../parts/sentences.ts';
import { quantile } from '../../parts/statistics.ts';
import type { Stores, Tenant } from '../../parts/stores.ts';
import type { Outcome } from '../figure.ts';
import { Site } from '../site.ts';
import { VERSIONS, VERSIONS_SAMPLES } from '../sizes.ts';

const SEED = 6;
const LOOK_EVERY_MS = 2;
/** A version that takes longer is never processed. */
const PROCESSED_MS = 30_000;

type Side = keyof typeof VERSIONS;

export async function measureVersions(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  await site.warmUp();
  const tenant = site.tenants[0] as Tenant;
  const texts = take(sentencesOf({ seed: SEED, scopes: 1, perScope: 2 * VERSIONS_SAMPLES }), 2 * VERSIONS_SAMPLES + 4);
  const next = () => texts.pop()?.text as string;
  const times: Record<Side, number[]> = { few: [], many: [] };
  for (const side of ['few', 'many'] as const) {
    // It makes the scope.
    await newVersion(site, tenant, { side, document: 'another', text: next() });
    await addVersions(site, side);
    await newVersion(site, tenant, { side, document: 'report', text: next() });
  }
  for (let sample = 0; sample < VERSIONS_SAMPLES; sample++)
    for (const side of ['few', 'many'] as const)
      times[side].push(await newVersion(site, tenant, { side, document: 'report', text: next() }));
  await site.end();
  for (const side of ['few', 'many'] as const) {
    const ms = (share: number) => quantile(times[side], share).toFixed(1);
    say(`a document with ${amount(VERSIONS[side])} versions: p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms`);
  }
  return [{ value: medianRatio(times.many, times.few) }];
}

/** As the caller sees it, in ms. */
async function newVersion(
  site: Site,
  tenant: Tenant,
  { side, document, text }: { side: Side; document: string; text: string },
): Promise<number> {
  const body = { scope_id: side, document_id: document, name: 'A report', text };
  const began = performance.now();
  const { seq } = await site.front.call('POST', '/api/ingest', tenant, body);
  for (;;) {
    const [row] = await site.look(
      `select d.state from scopes s join documents d on d.scope_key = s.scope_key and d.generation = s.generation
        where s.tenant_id = $1 and s.scope_id = $2 and d.seq = $3`,
      [tenant.id, side, seq],
    );
    const ms = performance.now() - began;
    if (row?.state === 'processed') return ms;
    if (ms > PROCESSED_MS) throw new Error(`a version is ${row?.state} after ${PROCESSED_MS} ms`);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * As if they had been accepted and superseded before: over HTTP, 100,000 would take longer than all the rest. Their seqs lie
 * below those that the scope gives out, so that nothing has to be known of how it counts them.
 */
async function addVersions(site: Site, side: Side): Promise<void> {
  const versions = `from scopes cross join generate_series(1, ${VERSIONS[side]}) n where scope_id = '${side}'`;
  const seq = `n - 1 - ${VERSIONS[side]}`;
  await site.look(
    `insert into document_contents (scope_key, generation, seq, name, type, text)
     select scope_key, generation, ${seq}, 'A report', 'txt', 'Version ' || n || ' of a report.' ${versions}`,
  );
  await site.look(
    `insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, accepted_at, finished_at)
     select scope_key, generation, ${seq}, 'report', n, 'superseded', sha256(n::text::bytea), now(), now() ${versions}`,
  );
  await site.look('vacuum analyze');
}
