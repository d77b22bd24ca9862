/** Many documents in and all of them out again by the packed client, in an old Node and in a browser. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { installPacked, runInBrowser, startSite, writeTour } from '../support/packed.ts';
import { startTestService } from '../support/service.ts';

const COUNT = 1300;
const TOUR = `
import { Docket } from 'docket-client';

async function* documents() {
  for (let n = 0; n < ${COUNT}; n++) yield { name: 'Lease ' + n, text: 'Lease ' + n + ' runs for ' + (n % 5) + ' years.' };
}

export async function tour({ url, tenantId, key, scopeId }) {
  const docket = new Docket({ url, tenantId, key });
  const statuses = new Set();
  const lines = [];
  for await (const { line, status } of docket.ingestMany(documents(), { scopeId })) {
    statuses.add(status);
    lines.push(line);
  }
  await docket.wait(scopeId, { timeoutMs: 300000 });
  const kinds = {};
  let end;
  for await (const line of docket.export(scopeId, { include: ['documents', 'texts', 'claims'] })) {
    kinds[line.kind] = (kinds[line.kind] ?? 0) + 1;
    if (line.kind === 'end') end = line;
  }
  let bytes = 0;
  for await (const piece of docket.exportBytes(scopeId, { include: ['documents'] })) bytes += piece.length;
  return {
    statuses: [...statuses],
    isInOrder: lines.every((line, i) => line === i + 1),
    lines: lines.length,
    documents: kinds.document,
    isCounted: kinds.claim === end.counts.claims && kinds.document === end.counts.documents,
    hasBytes: bytes > 100 * ${COUNT},
  };
}
`;
const SEEN = {
  statuses: [202],
  isInOrder: true,
  lines: COUNT,
  documents: COUNT,
  isCounted: true,
  hasBytes: true,
};

const installed = await installPacked();
writeTour(installed, TOUR);

it('in the oldest Node that it is for', async () => {
  const service = await startTestService({ settings: { ROLE: 'all' } });
  const given = { url: service.url, scopeId: 'leases', ...(await service.newTenant()) };
  expect(JSON.parse(await installed.runInNode('main.mjs', JSON.stringify(given)))).toEqual(SEEN);
});

inBrowser('in a page of another origin', () => {
  it('as in Node', async () => {
    const site = await startSite(installed);
    const service = await startTestService({ settings: { ROLE: 'all', CORS_ORIGINS: site.origin } });
    site.given = { url: service.url, scopeId: 'leases', ...(await service.newTenant()) };
    expect(await runInBrowser(site.origin)).toEqual(SEEN);
  });
});
