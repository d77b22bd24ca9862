/** How fast a scope is exported, beside what Postgres needs to hand out the same rows: in turn, each over one connection. */
import { get } from 'node:http';
import pg from 'pg';
import { CopyOut } from '../../src/storage/copy-out.ts';
import type { Outcome } from '../figures/figure.ts';
import { Site } from '../figures/site.ts';
import { EXPORTED, ROUNDS } from '../figures/sizes.ts';
import { fill } from '../parts/fill.ts';
import { amount, medianRatio, say } from '../parts/report.ts';
import { sentencesOf, take } from '../parts/sentences.ts';
import type { Stores, Tenant } from '../parts/stores.ts';

const SCOPE = 'exported';
const SEED = 22;
/** Enough of them that no two in a row are alike. */
const CONTENTS = 1000;

export async function measureExport(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores, { settings: { TENANT_READS_PER_S: '1000000' } });
  const [tenant] = site.tenants as [Tenant];
  const sentences = take(sentencesOf({ seed: SEED, scopes: 1, perScope: CONTENTS }), CONTENTS);
  const contents = sentences.map(({ name, text }) => ({ name, type: 'txt', text }));
  await fill(site.url, { scopes: [{ tenant_id: tenant.id, scope_id: SCOPE, documents: EXPORTED }], contents });
  await asProcessed(site);
  const seconds: Record<'copy' | 'export', number[]> = { copy: [], export: [] };
  // The first of each finds nothing in the caches.
  for (let round = 0; round <= ROUNDS; round++) {
    const [copied, exported] = [await timeOfCopy(site.url), await timeOfExport(site, tenant)];
    if (round === 0) continue;
    seconds.copy.push(copied);
    seconds.export.push(exported);
    const rate = (s: number) => `${amount(Math.round(EXPORTED / s))} a second`;
    say(`round ${round}: ${rate(copied)} by COPY, ${rate(exported)} by export`);
  }
  await site.end();
  return [{ value: medianRatio(seconds.copy, seconds.export) }];
}

/** With all that a line shows of a document that is done. */
async function asProcessed(site: Site): Promise<void> {
  await site.look(
    `update documents set state = 'processed', attempts = 1, claims = 1, started_at = queued_at + interval '3 ms',
            finished_at = queued_at + interval '9 ms'`,
  );
  await site.look('update scopes set processed = queued, queued = 0, queued_from = next_seq');
  await site.look('delete from lanes');
  await site.look('vacuum full analyze documents');
}

const ROWS = `select document_id, version, seq, name, type, source, provenance, state, attempts, error, accepted_at, queued_at,
    started_at, finished_at, not_before, claims, warnings, text
  from documents join document_contents using (scope_key, generation, seq)
 where scope_key = (select scope_key from scopes where scope_id = '${SCOPE}') and generation = 1`;

async function timeOfCopy(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const began = performance.now();
  const copied = client.query(new CopyOut(`copy (${ROWS}) to stdout`));
  let bytes = 0;
  for await (const piece of copied) bytes += (piece as Buffer).length;
  const seconds = (performance.now() - began) / 1000;
  await client.end();
  if (copied.tag !== `COPY ${EXPORTED}`) throw new Error(`COPY said ${copied.tag} after ${bytes} bytes`);
  return seconds;
}

async function timeOfExport({ front }: Site, tenant: Tenant): Promise<number> {
  const path = `/api/scopes/${SCOPE}/export?include=documents,texts`;
  const began = performance.now();
  let last: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    const request = get(front.url + path, { headers: front.headers(path, tenant) }, (response) => {
      response.on('data', (piece: Buffer) => {
        last = piece;
      });
      response.once('end', resolve).once('error', reject);
    });
    request.once('error', reject);
  });
  const seconds = (performance.now() - began) / 1000;
  const end = last.toString().trimEnd().split('\n').at(-1) as string;
  if (!end.includes(`"documents":${EXPORTED},`)) throw new Error(`the export ended with ${end.slice(0, 300)}`);
  return seconds;
}
