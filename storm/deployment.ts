/** The service as it is struck: one process with all of it embedded, or two api and two worker processes over one Postgres. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { closeLater } from './ending.ts';
import { newFolder } from './folder.ts';
import { type Call, call } from './http.ts';
import type { Tenant } from './journal.ts';
import { Node, type Role } from './node.ts';
import { ask, embeddedIn, endPostmaster, type OwnOptions, OwnPostgres, type Struck } from './stores/postgres.ts';
import { OwnRedis } from './stores/redis.ts';
import { until } from './waiting.ts';

export type Backend = 'postgres' | 'redis';

export interface DeploymentOptions {
  source: string;
  backend: Backend;
  processes: 1 | 4;
  /** Not set: those of `processes`. */
  roles?: Role[];
  settings?: Record<string, string>;
  tenants?: number;
  /** A Postgres of the storm's own even for one process, so that something can be put in front of it. */
  postgres?: Partial<OwnOptions> & { urlOf?: (postgres: OwnPostgres) => Promise<string> };
  /** Where the embedded one keeps its data; a folder of the run's own when not given. */
  dataDir?: string;
  env?: Record<string, string>;
}

export interface Deployment {
  folder: string;
  nodes: Node[];
  apis: Node[];
  workers: Node[];
  postgres: Struck;
  redis: OwnRedis | null;
  tenants: Tenant[];
  admin: string;
  internals: string;
  urls(): string[];
  /** Starts another one beside those that there are, with the same settings and maybe of other code. */
  add(role: Role, source: string): Promise<Node>;
  /** Sends nobody there any more; it may be ended. */
  retire(node: Node): void;
  ask(sql: string, values?: unknown[]): ReturnType<typeof ask>;
  asAdmin(path: string, options?: Call & { tenant?: Tenant }): ReturnType<typeof call>;
}

/** The limits of a tenant are not what is tried here. */
const SETTINGS = {
  TENANT_RATE_PER_S: '100000',
  TENANT_BURST: '100000',
  TENANT_BYTES_PER_S: '1000000000',
  TENANT_READS_PER_S: '100000',
  TENANT_REPORTS_PER_S: '100000',
  TENANT_LANES: '100',
  TENANT_STREAMS: '2000',
  MAX_STREAMS: '5000',
  LOG_LEVEL: 'info',
};

/** For those who try just these limits: an empty setting is one that is not set. */
export const AT_DEFAULTS: Record<string, string> = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));

export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const folder = newFolder('run');
  const redis = options.backend === 'redis' ? await OwnRedis.start(folder) : null;
  const roles: Role[] = options.roles ?? (options.processes === 1 ? ['all'] : ['api', 'api', 'worker', 'worker']);
  const isOwn = roles.length > 1 || options.postgres !== undefined;
  const own = isOwn ? await OwnPostgres.start({ folder: join(folder, 'own'), ...options.postgres }) : null;
  const dataDir = options.dataDir ?? join(folder, 'data');
  // Its service is killed before, and leaves it behind.
  if (!own) closeLater(() => endPostmaster(embeddedIn(dataDir)));
  const admin = `storm-admin-${randomBytes(20).toString('hex')}`;
  const internals = `storm-internals-${randomBytes(20).toString('hex')}`;
  const env = {
    ...SETTINGS,
    ADMIN_API_KEYS: admin,
    INTERNALS_API_KEYS: internals,
    DATA_DIR: dataDir,
    ...(own && { DATABASE_URL: (await options.postgres?.urlOf?.(own)) ?? own.url() }),
    ...(redis && { REDIS_URL: redis.url }),
    ...options.settings,
    ...options.env,
  };

  const nodes = await Promise.all(
    roles.map((role, n) => Node.make(role, options.source, join(folder, `node-${n}-${role}.log`), env)),
  );
  // One after the other: the first one makes the tables.
  for (const node of nodes) await node.start();

  const postgres = own ?? embeddedIn(dataDir);
  const apis = nodes.filter(({ role }) => role !== 'worker');
  const workers = nodes.filter(({ role }) => role !== 'api');
  const deployment: Deployment = {
    folder,
    nodes,
    apis,
    workers,
    postgres,
    redis,
    tenants: [],
    admin,
    internals,
    urls: () => apis.map(({ url }) => url),
    async add(role, source) {
      const node = await Node.make(role, source, join(folder, `node-${nodes.length}-${role}.log`), env);
      await node.start();
      nodes.push(node);
      if (role !== 'worker') apis.push(node);
      if (role !== 'api') workers.push(node);
      return node;
    },
    retire(node) {
      for (const list of [apis, workers]) if (list.includes(node)) list.splice(list.indexOf(node), 1);
    },
    ask: (sql, values) => ask(postgres, sql, values),
    asAdmin: (path, { tenant, headers, ...rest } = {}) =>
      call(`${(apis.find(({ isRunning }) => isRunning) ?? apis[0])?.url}${path}`, {
        ...rest,
        headers: {
          authorization: `Bearer ${admin}`,
          ...(tenant && { 'x-tenant-api-key': tenant.key }),
          ...headers,
        },
      }),
  };
  for (let n = 0; n < (options.tenants ?? 3); n++) {
    const { status, body } = await deployment.asAdmin('/admin/tenants', { body: { name: `Tenant ${n}` } });
    if (status !== 201) throw new Error(`a tenant could not be made: ${status} ${JSON.stringify(body)}`);
    deployment.tenants.push({ id: body.tenant_id, key: body.api_key });
  }
  return deployment;
}

/** The whole runtime; asked until it is so. */
export async function setRuntime({ asAdmin }: Deployment, action: 'pause' | 'resume'): Promise<void> {
  const isDone = async () => (await asAdmin(`/admin/runtime/${action}`, { body: {} })).status === 200;
  if (!(await until(isDone, 30_000))) throw new Error(`the runtime did not ${action}`);
}

/** The id by which a node signs what it holds. */
export async function nodeIdOf({ internals }: Deployment, node: Node): Promise<string> {
  const { body } = await call(`${node.url}/internals/kernel/hatchery/snapshot`, {
    headers: { authorization: `Bearer ${internals}` },
  });
  return body.node_id;
}
