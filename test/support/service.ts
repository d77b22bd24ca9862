/** The whole app on a real socket and a database of its own, with a client that checks the contract on the way. */
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { type AppOptions, buildApp } from '../../src/app.ts';
import { Committer } from '../../src/domain/accept/committer.ts';
import { Admission } from '../../src/domain/admission.ts';
import { Health } from '../../src/domain/health.ts';
import { Keyring } from '../../src/domain/keyring.ts';
import { issueKey } from '../../src/domain/keys.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { App } from '../../src/http/deps.ts';
import { createLog } from '../../src/log.ts';
import type { Database } from '../../src/storage/database.ts';
import type { TenantLimits } from '../../src/storage/tenants.ts';
import { Contract } from './contract.ts';
import { connect, newDatabase } from './database.ts';
import { later } from './later.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
  body: any;
}

export interface CallOptions {
  /** A bearer key. */
  key?: string;
  /** A tenant's id. */
  tenantId?: string;
  /** A tenant's key. */
  tenantKey?: string;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestService {
  app: App;
  db: Database;
  databaseUrl: string;
  url: string;
  keyring: Keyring;
  admin: string;
  internals: string;
  /** Everything that was logged so far. */
  logged(): string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  newTenant(name?: string): Promise<{ tenantId: string; key: string }>;
}

const defaults: AppOptions = { servesApi: true, requestTimeoutMs: 5000, handlerTimeoutMs: 5000, maxConnections: 1000 };

interface TestOptions extends Partial<AppOptions> {
  databaseUrl?: string;
  limits?: TenantLimits;
  requireTenantKey?: boolean;
}

export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const databaseUrl = options.databaseUrl ?? (await newDatabase());
  const db = connect(databaseUrl);
  const lines: string[] = [];
  const log = createLog(
    'trace',
    new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
  );
  const keyring = new Keyring({ db, adminKeys: [], internalsKeys: [], onError: () => {} });
  const accepter = new Committer({ db, onAwakened: () => {} });
  const admission = new Admission(db, { rate_per_s: 100_000, burst: 100_000, backlog: 1_000_000, ...options.limits });
  const requireTenantKey = options.requireTenantKey ?? false;
  const app = await buildApp(
    { ...defaults, ...options },
    { db, keyring, health: new Health(db), accepter, admission, requireTenantKey },
    log,
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  later(async () => {
    await app.close();
    await accepter.close();
    await keyring.close();
  });

  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const contract = new Contract(app.swagger());
  return {
    app,
    db,
    databaseUrl,
    url,
    keyring,
    admin: (await issueKey(db, 'admin')).key,
    internals: (await issueKey(db, 'internals')).key,
    logged: () => lines.join(''),
    async call(method, path, { key, tenantId, tenantKey, body, headers = {} } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(tenantId !== undefined && { 'x-tenant-id': tenantId }),
          ...(tenantKey !== undefined && { 'x-tenant-api-key': tenantKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const answer = {
        status: response.status,
        headers: response.headers,
        body: isJson && text ? JSON.parse(text) : text,
      };
      contract.check(method, path, answer.status, answer.body);
      return answer;
    },
    async newTenant(name = 'A tenant') {
      const { tenant, key } = await createTenant(db, name);
      return { tenantId: tenant.tenant_id, key };
    },
  };
}
