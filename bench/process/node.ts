/** A node of the service under test, and what the benches ask of it. */
import { type ChildProcess, endChild, startChild } from '../parts/child.ts';
import { query, type Tenant } from '../parts/stores.ts';

const ADMIN_KEY = 'bench-admin-key-of-no-other-use-0000';
const INTERNALS_KEY = 'bench-internals-key-of-no-other-use-0';

/** As `npm start` has it. */
const NODE_OPTIONS = ['--no-memory-reducer', '--heap-growing-percent=100', '--max-semi-space-size=16'];

const NO_OP = new URL('no-op-thread.ts', import.meta.url);

export interface NodeSettings {
  databaseUrl: string;
  /** Empty for a queue in Postgres. */
  redisUrl: string;
  /** Its own one unless nothing is to be read. */
  pipeline: 'stages' | 'no-op';
  settings?: Record<string, string>;
}

/** Not what is measured here. */
const UNLIMITED = {
  TENANT_RATE_PER_S: '1000000',
  TENANT_BURST: '10000000',
  TENANT_BYTES_PER_S: '1000000000',
  TENANT_BACKLOG: '1000000000',
};

export class ServiceNode {
  readonly #child: ChildProcess;
  readonly #databaseUrl: string;
  readonly url: string;

  private constructor(child: ChildProcess, databaseUrl: string, url: string) {
    this.#child = child;
    this.#databaseUrl = databaseUrl;
    this.url = url;
  }

  /** With the runtime paused: nothing is processed before `resume`. */
  static async start({ databaseUrl, redisUrl, pipeline, settings = {} }: NodeSettings): Promise<ServiceNode> {
    await query(databaseUrl, `update runtime set state = 'paused'`);
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      ...(redisUrl && { REDIS_URL: redisUrl }),
      ADMIN_API_KEYS: ADMIN_KEY,
      INTERNALS_API_KEYS: INTERNALS_KEY,
      ...UNLIMITED,
      ...settings,
    };
    const args = pipeline === 'no-op' ? [NO_OP.href] : [];
    const script = new URL('service.ts', import.meta.url);
    const { child, ready } = await startChild<{ url: string }>(script, { args, env, execArgv: NODE_OPTIONS });
    return new ServiceNode(child, databaseUrl, ready.url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Of the whole runtime, or of one tenant. */
  async control(action: 'pause' | 'resume', tenant?: Tenant): Promise<void> {
    await this.call('POST', `/admin/runtime/${action}`, tenant);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for.
  async call(method: string, path: string, tenant?: Tenant, body?: unknown): Promise<any> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers(path, tenant), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  }

  headers(path: string, tenant?: Tenant): Record<string, string> {
    const operator = path.startsWith('/internals') ? INTERNALS_KEY : ADMIN_KEY;
    return {
      ...(!path.startsWith('/api') && { authorization: `Bearer ${operator}` }),
      ...(tenant && { 'x-tenant-id': tenant.id, 'x-tenant-api-key': tenant.key }),
    };
  }

  /** From the counters of the scopes. */
  async processed(): Promise<number> {
    const [row] = await query(this.#databaseUrl, 'select sum(processed)::float8 as n from scopes');
    return row.n;
  }

  async backlog(): Promise<number> {
    const [row] = await query(this.#databaseUrl, 'select sum(queued + retrying)::float8 as n from scopes');
    return row.n;
  }

  /** Turns so far, and how long they took in all. */
  async turns(): Promise<{ count: number; seconds: number }> {
    const text: string = await this.call('GET', '/internals/metrics');
    const figure = (name: string) => Number(new RegExp(`^docket_batch_seconds_${name} (.+)$`, 'm').exec(text)?.[1]);
    return { count: figure('count'), seconds: figure('sum') };
  }

  end(): Promise<void> {
    return endChild(this.#child);
  }
}
