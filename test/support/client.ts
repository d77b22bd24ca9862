/** Clients of tenants of a service, which note what they were answered, and may go through a proxy that cuts them off. */
import { Docket, type DocketOptions } from '../../client/src/index.ts';
import type { Tenant } from './kernel.ts';
import { startProxy } from './proxy.ts';
import type { TestService } from './service.ts';

export interface TestClient {
  docket: Docket;
  tenant: Tenant;
  /** Every attempt so far, such as `GET /api/health`. */
  attempts: string[];
  /** Of every answer so far, in order. */
  statuses: number[];
}

/** Quick to try again. */
export const QUICK = { retryMs: 20 };

export async function newClient(
  service: TestService,
  { tenant, ...options }: Partial<DocketOptions> & { tenant?: Tenant } = {},
): Promise<TestClient> {
  const whose = tenant ?? (await service.newTenant());
  const statuses: number[] = [];
  const attempts: string[] = [];
  const noting: typeof fetch = async (...args) => {
    attempts.push(`${args[1]?.method} ${new URL(String(args[0])).pathname}`);
    const response = await fetch(...args);
    statuses.push(response.status);
    return response;
  };
  const docket = new Docket({ url: service.url, ...whose, ...QUICK, fetch: noting, ...options });
  return { docket, tenant: whose, attempts, statuses };
}

/** One whose connections can be cut. */
export async function newCutClient(
  service: TestService,
  options: Parameters<typeof newClient>[1] = {},
): Promise<TestClient & { proxy: Awaited<ReturnType<typeof startProxy>> }> {
  const { hostname, port } = new URL(service.url);
  const proxy = await startProxy({ host: hostname, port: Number(port) });
  return { ...(await newClient(service, { url: `http://127.0.0.1:${proxy.port}`, ...options })), proxy };
}

/** How many documents are stored in a scope, every version counted. */
export async function storedIn({ db }: TestService, scopeId: string): Promise<number> {
  const { rows } = await db.query<{ n: string }>(
    'select count(*) as n from documents join scopes using (scope_key) where scope_id = $1',
    [scopeId],
  );
  return Number(rows[0]?.n);
}
