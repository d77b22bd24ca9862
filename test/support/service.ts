/** The whole service on a real socket and a database of its own, with a client that checks the contract on the way. */
import { Writable } from 'node:stream';
import { readConfig } from '../../src/config.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/domain/keys.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { App } from '../../src/http/deps.ts';
import { createLog } from '../../src/log.ts';
import type { Config } from '../../src/settings.ts';
import type { Database } from '../../src/storage/database.ts';
import { startService } from '../../src/wire.ts';
import { Contract } from './contract.ts';
import { newDatabase } from './database.ts';
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
  close(): Promise<void>;
  admin: string;
  internals: string;
  /** Everything that was logged so far. */
  logged(): string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  newTenant(name?: string): Promise<{ tenantId: string; key: string }>;
}

/** Settings by name, as in the environment; and the pipeline's thread module. */
export interface TestOptions {
  settings?: Partial<Record<keyof Config, string>>;
  pipeline?: URL;
}

/** An api node by default: what a test queues stays queued. */
const defaults: TestOptions['settings'] = {
  ROLE: 'api',
  PORT: '0',
  LOG_LEVEL: 'trace',
  // A busy machine is no reason for a 503.
  DB_TIMEOUT_MS: '60000',
  REQUEST_TIMEOUT_MS: '60000',
  HANDLER_TIMEOUT_MS: '60000',
  TENANT_RATE_PER_S: '100000',
  TENANT_BURST: '100000',
  TENANT_BYTES_PER_S: '1000000000',
  TENANT_READS_PER_S: '100000',
  TENANT_REPORTS_PER_S: '100000',
  WORKERS: '4',
};

export async function startTestService({ settings, pipeline }: TestOptions = {}): Promise<TestService> {
  const databaseUrl = settings?.DATABASE_URL ?? (await newDatabase());
  const lines: string[] = [];
  const log = createLog(
    'trace',
    new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
  );
  const config = readConfig({ ...defaults, ...settings, DATABASE_URL: databaseUrl });
  const service = await startService(config, log, pipeline);
  later(() => service.close());

  const { app, db, url } = service;
  const contract = new Contract(app.swagger());
  return {
    app,
    db,
    databaseUrl,
    url,
    close: () => service.close(),
    admin: (await issueKey(db, 'admin', {}, BY_COMMAND_LINE)).key,
    internals: (await issueKey(db, 'internals', {}, BY_COMMAND_LINE)).key,
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
      // A stream has no end; that it was opened is all there is to see here.
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      if (isJson && text && !text.endsWith('}\n'))
        throw new Error(`${method} ${path}: no newline after …${text.slice(-80)}`);
      const answer = {
        status: response.status,
        headers: response.headers,
        body: isJson && text ? JSON.parse(text) : text,
      };
      contract.check(method, path, answer.status, answer.body);
      return answer;
    },
    async newTenant(name = 'A tenant') {
      const { tenant, key } = await createTenant(db, name, BY_COMMAND_LINE);
      return { tenantId: tenant.tenant_id, key };
    },
  };
}
