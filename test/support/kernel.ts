/** A service that processes, and what a test asks of it. */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueBackend } from './backends.ts';
import { later } from './later.ts';
import { type Answer, startTestService, type TestOptions, type TestService } from './service.ts';
import { until } from './until.ts';

export const OBEDIENT = new URL('./threads/obedient.ts', import.meta.url);

export interface Tenant {
  tenantId: string;
  key: string;
}

export interface TestKernel extends TestService {
  ingest(tenant: Tenant, scopeId: string, text: string, more?: object): Promise<Answer>;
  summary(tenant: Tenant, scopeId: string): Promise<Answer['body']>;
  document(tenant: Tenant, scopeId: string, documentId: string): Promise<Answer['body']>;
  control(action: string, tenant?: Tenant, scopeId?: string): Promise<Answer>;
  /** Waits until the scope has so many processed. */
  processed(tenant: Tenant, scopeId: string, n: number, withinMs?: number): Promise<Answer['body']>;
  /** The types of a scope's events in order, with what they are about. */
  events(scopeId: string): Promise<string[]>;
}

const quick: NonNullable<TestOptions['settings']> = {
  ROLE: 'all',
  RETRY_BASE_MS: '100',
  DOCUMENT_ATTEMPTS: '3',
  DOCUMENT_TIMEOUT_MS: '60000',
  DOCUMENT_MEMORY_MB: '64',
};

/** Quick to try again, with documents that say what happens to them. */
export async function startTestKernel(backend: QueueBackend, settings: TestOptions['settings'] = {}) {
  const service = await startTestService({
    pipeline: OBEDIENT,
    settings: { ...quick, ...backend.settings(), ...settings },
  });
  return withVerbs(service);
}

/** A document that is in hand until it is let go. */
export function newHeld(): { text: string; letGo(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'docket-held-'));
  const letGo = () => rmSync(folder, { recursive: true, force: true });
  later(letGo);
  const file = join(folder, 'held');
  closeSync(openSync(file, 'w'));
  return { text: `hold ${file}`, letGo };
}

export function withVerbs(service: TestService): TestKernel {
  const { call, admin, db } = service;
  const kernel: TestKernel = {
    ...service,
    ingest: ({ tenantId }, scope_id, text, more) =>
      call('POST', '/api/ingest', { tenantId, body: { scope_id, name: 'n', text, ...more } }),
    summary: async ({ key }, scopeId) => (await call('GET', `/api/scopes/${scopeId}/summary`, { tenantKey: key })).body,
    document: async ({ key }, scopeId, documentId) =>
      (await call('GET', `/api/documents/${documentId}?scope_id=${scopeId}`, { tenantKey: key })).body,
    control: (action, tenant, scopeId) =>
      call('POST', `/admin/runtime/${action}`, {
        key: admin,
        ...(tenant && { tenantKey: tenant.key }),
        ...(scopeId && { body: { scope_id: scopeId } }),
      }),
    processed: (tenant, scopeId, n, withinMs) =>
      until(
        () => kernel.summary(tenant, scopeId),
        ({ documents }) => documents.processed === n,
        withinMs,
      ),
    async events(scopeId) {
      const { rows } = await db.query<{ type: string; payload: { document_id?: string } }>(
        'select type, payload from events where scope_id = $1 order by event_id',
        [scopeId],
      );
      return rows.map(({ type, payload }) => [type, payload.document_id].join(' ').trim());
    },
  };
  return kernel;
}
