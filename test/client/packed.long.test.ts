/** The client as npm pack makes it: its files, its types, and a tour against the real service, in an old Node and in a browser. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { installPacked, runInBrowser, startSite, writeTour } from '../support/packed.ts';
import { startTestService } from '../support/service.ts';

const TOUR = `
import { ConnectionError, Docket, NotFoundError } from 'docket-client';

export async function tour({ url, tenantId, key, scopeId }) {
  const docket = new Docket({ url, tenantId, key, retryMs: 20, maxRetries: 2 });
  const lease = (document_id, years) =>
    docket.ingest({ scope_id: scopeId, document_id, name: 'Lease', text: 'The lease runs for ' + years + ' years.' });
  const { idempotency_key } = await lease('lease-12', 'three');
  await lease('lease-13', 'five');
  const { documents } = await docket.wait(scopeId, { timeoutMs: 300000 });
  const claims = [];
  for await (const { claim_a, claim_b } of docket.contradictions(scopeId, { limit: 1 })) claims.push(claim_a, claim_b);
  const events = [];
  for await (const event of docket.events({ scopeId, types: ['document.*'], lastEventId: '0' })) {
    events.push(event.type);
    if (events.length === 4) break;
  }
  const lost = await docket.document(scopeId, 'lease-14').catch((error) => error);
  const nobody = await new Docket({ url: 'http://127.0.0.1:9', tenantId, retryMs: 1, maxRetries: 1 })
    .health()
    .catch((error) => error);
  return {
    key: idempotency_key.length,
    processed: documents.processed,
    claims: claims.sort(),
    events: events.sort(),
    lost: [lost instanceof NotFoundError, lost.code, lost.status],
    nobody: [nobody instanceof ConnectionError, nobody.attempts],
  };
}
`;
const SEEN = {
  key: 32,
  processed: 2,
  claims: ['The lease runs for five years.', 'The lease runs for three years.'],
  events: ['document.processed', 'document.processed', 'document.queued', 'document.queued'],
  lost: [true, 'not_found', 404],
  nobody: [true, 2],
};

const CONSUMER = `
import { Docket, DocketError, ValidationError, type Contradiction, type DocketEvent } from 'docket-client';

declare const docket: Docket;
const found: Contradiction[] = await docket.contradictions('s', { severity: 'critical' }).toArray();
const version: string = (await docket.health()).version;
export const told = (event: DocketEvent): string => {
  switch (event.type) {
    case 'document.failed':
      return event.payload.error;
    case 'gap':
      return event.missing_up_to;
    default:
      return event.id + found.length + version;
  }
};
export const why = (error: unknown) =>
  error instanceof ValidationError ? error.errors.map(({ path }) => path) : error instanceof DocketError ? error.code : null;
for await (const { name, claims } of docket.documents('s', { state: 'processed' })) {
  const text: string = name;
  // @ts-expect-error It may be null.
  const count: number = claims;
}
// @ts-expect-error There is no such state.
docket.documents('s', { state: 'done' });
// @ts-expect-error A document has a name.
await docket.ingest({ scope_id: 's', text: 't' });
// @ts-expect-error Only failed documents have an error.
export const wrong = (event: DocketEvent) => event.payload.error;
`;

const installed = await installPacked();
const { folder, files } = installed;

it('has what is needed, and no dependency', () => {
  expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
  for (const file of files) expect(file).toMatch(/^(README\.md|package\.json|dist\/[\w-]+\.(js|d\.ts))$/);
  const { dependencies, engines } = JSON.parse(
    readFileSync(join(folder, 'node_modules/docket-client/package.json'), 'utf8'),
  );
  expect([dependencies, engines]).toEqual([undefined, { node: '>=20' }]);
});

it('has types that a strict consumer compiles with, and that find mistakes', async () => {
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  await installed.compile('consumer.ts');
});

it('has a README whose examples compile', async () => {
  const readme = readFileSync('client/README.md', 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example);
  expect(examples.length).toBeGreaterThan(3);
  const given = `import type { DocumentLine } from 'docket-client';
declare const process: { env: Record<string, string | undefined> };
declare const documents: AsyncIterable<DocumentLine>;
declare const signal: AbortSignal;
`;
  // What an example declares by a name that another has is in a block of its own.
  const [first, ...others] = examples;
  writeFileSync(join(folder, 'readme.ts'), given + first + others.map((example) => `{\n${example}}\n`).join(''));
  await installed.compile('readme.ts');
});

it('works in the oldest Node that it is for', async () => {
  const service = await startTestService({ settings: { ROLE: 'all' } });
  const given = { url: service.url, scopeId: 'leases', ...(await service.newTenant()) };
  writeTour(installed, TOUR);
  expect(JSON.parse(await installed.runInNode('main.mjs', JSON.stringify(given)))).toEqual(SEEN);
});

inBrowser('in a page of another origin', () => {
  it('works as it does in Node', async () => {
    const site = await startSite(installed);
    const service = await startTestService({ settings: { ROLE: 'all', CORS_ORIGINS: site.origin } });
    site.given = { url: service.url, scopeId: 'leases', ...(await service.newTenant()) };
    writeTour(installed, TOUR);
    expect(await runInBrowser(site.origin)).toEqual(SEEN);
  });
});
