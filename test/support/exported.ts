/** Reads an export as a client would, and holds every line of it against the contract, and its end against what came before. */
import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Tenant } from './kernel.ts';
import type { Answer, TestService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
export type Line = any;

/** Throws for a line that the contract does not have. */
export function lineChecker({ app }: TestService): (line: Line) => void {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(app.swagger(), 'openapi');
  const validate = ajv.getSchema('openapi#/components/schemas/ExportLine');
  return (line) => {
    if (!validate?.(line)) throw new Error(`${JSON.stringify(line)}: ${ajv.errorsText(validate?.errors)}`);
  };
}

export const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

export function askExport(service: TestService, { key }: Tenant, scopeId: string, query = ''): Promise<Answer> {
  return service.call('GET', `/api/scopes/${scopeId}/export${query}`, { tenantKey: key });
}

export interface Exported {
  lines: Line[];
  end: Line;
  of(kind: string): Line[];
}

/** One that is complete. */
export async function readExport(service: TestService, tenant: Tenant, scopeId: string, query = ''): Promise<Exported> {
  const { status, headers, body } = await askExport(service, tenant, scopeId, query);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const all = linesOf(body);
  const check = lineChecker(service);
  for (const line of all) check(line);
  const end = all.at(-1);
  expect(end.kind).toBe('end');
  const lines = all.slice(0, -1);
  const before = body.slice(0, body.lastIndexOf('\n', body.length - 2) + 1);
  expect(end.sha256).toBe(createHash('sha256').update(before).digest('hex'));
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  expect(end.counts).toEqual({
    ...{ documents: of('document').length, claims: of('claim').length },
    ...{ facts: of('fact').length, contradictions: of('contradiction').length },
  });
  return { lines, end, of };
}

/** Documents with large texts, as if they had been posted: so many that no system takes them before anybody reads. */
export async function addLargeDocuments(service: TestService, { tenantId }: Tenant, scopeId: string, count: number) {
  await service.call('POST', '/api/ingest', {
    tenantId,
    body: { scope_id: scopeId, name: 'first', text: 'first', document_id: 'd-0' },
  });
  await service.db.query(
    `with numbered as (
       select scope_key, generation, n as seq from scopes, generate_series(1, $3::int - 1) n where tenant_id = $1 and scope_id = $2
     ), contents as (
       insert into document_contents (scope_key, generation, seq, name, type, text)
       select scope_key, generation, seq, 'large', 'txt', repeat('x', 100000) from numbered
     ), documents as (
       insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
       select scope_key, generation, seq, 'd-' || seq, 1, 'pending', '' from numbered
     )
     update scopes set next_seq = $3, pending = pending + $3 - 1 where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, count],
  );
}
