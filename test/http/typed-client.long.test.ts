/** openapi.yaml is all that a typed client is made of: its types are generated, a client is checked by them, and it reads. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { NODE, newFolder } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const CLIENT = `
import type { components, paths } from './openapi.d.ts';

declare const process: { argv: string[] };
const [, , url = '', key = ''] = process.argv;

interface Get<Parameters, Body> {
  get: { parameters: Parameters; responses: { 200: { content: { 'application/json': Body } } } };
}
type Asked<P extends keyof paths> = paths[P] extends Get<infer Parameters, unknown> ? Omit<Parameters, 'header'> : never;
type Read<P extends keyof paths> = paths[P] extends Get<infer _, infer Body> ? Body : never;

async function get<P extends keyof paths>(template: P, asked: Asked<P>): Promise<Read<P>> {
  const { path = {}, query = {} } = asked as { path?: Record<string, string>; query?: Record<string, string> };
  const filled = template.replaceAll(/\\{(\\w+)\\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''));
  const answer = await fetch(url + filled + '?' + new URLSearchParams(query), { headers: { 'X-Tenant-API-Key': key } });
  if (!answer.ok) {
    const problem = (await answer.json()) as components['schemas']['Problem'];
    throw new Error(problem.code + ': ' + problem.detail);
  }
  return (await answer.json()) as Read<P>;
}

const seen: string[] = [];
const { scopes } = await get('/api/scopes', {});
for (const { scope_id } of scopes) {
  const { documents } = await get('/api/scopes/{scopeId}/documents', { path: { scopeId: scope_id }, query: { state: 'processed' } });
  for (const { document_id } of documents) {
    const { claims } = await get('/api/documents/{document_id}/claims', { path: { document_id }, query: { scope_id } });
    for (const { sentence, value, span } of claims) seen.push([document_id, sentence, value.type, span?.start].join(' | '));
  }
  const { facts } = await get('/api/scopes/{scopeId}/facts', { path: { scopeId: scope_id } });
  for (const { state, documents } of facts) seen.push(['fact', state, documents].join(' | '));
  const { contradictions } = await get('/api/contradictions', { query: { scope_id } });
  for (const one of contradictions) seen.push([one.severity, one.evidence_a?.sentence, one.evidence_b?.sentence].join(' | '));
}
console.log(JSON.stringify(seen));

const ingest: components['schemas']['IngestDocumentRequest'] = { scope_id: 's', name: 'n', text: 't' };
// @ts-expect-error There is no such state.
const wrongState: components['schemas']['DocumentState'] = 'done';
// @ts-expect-error A scope has to be named.
const unnamed: Asked<'/api/contradictions'> = { query: {} };
// @ts-expect-error It may be null.
const claims = (document: components['schemas']['Document']): number => document.claims;
`;

/** Beside this process, which serves what it reads. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(NODE, args, { cwd: folder }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout;
}

it('a client with types of openapi.yaml reads scopes, documents, claims, facts and contradictions', async () => {
  const folder = newFolder();
  const tool = (path: string) => join(process.cwd(), 'node_modules', path);
  const document = join(process.cwd(), 'openapi.yaml');
  await run(
    folder,
    tool('openapi-typescript/bin/cli.js'),
    document,
    '-o',
    'openapi.d.ts',
    '--default-non-nullable=false',
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'client.ts'), CLIENT);
  const strict = [
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--lib',
    'es2024,dom',
  ];
  await run(folder, tool('typescript/bin/tsc'), ...strict, 'client.ts');

  const service = await startTestService({ settings: { ROLE: 'all' } });
  const { tenantId, key } = await service.newTenant();
  for (const [document_id, years] of [
    ['lease-12', 'three'],
    ['lease-13', 'five'],
  ]) {
    const body = { scope_id: 'leases', document_id, name: 'n', text: `The lease runs for ${years} years.` };
    await service.call('POST', '/api/ingest', { tenantId, body });
  }
  const read = async () => (await service.call('GET', '/api/scopes/leases/summary', { tenantKey: key })).body;
  await until(read, ({ documents }) => documents.processed === 2);
  const seen = JSON.parse(await run(folder, 'client.ts', service.url, key));
  expect(seen).toEqual(
    expect.arrayContaining([
      'lease-12 | The lease runs for three years. | number | 0',
      'lease-13 | The lease runs for five years. | number | 0',
      'fact | disputed | 2',
      'medium | The lease runs for three years. | The lease runs for five years.',
    ]),
  );
});
