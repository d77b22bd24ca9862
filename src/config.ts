/** Reads the settings once at start, and says all that is wrong with them. The only reader of process.env. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { StartError } from './errors.ts';
import { type Config, expectation, settings } from './settings.ts';

/** The configuration, or a StartError that names every wrong value and what was expected instead. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settings.properties)) {
    const text = env[name]?.trim();
    const value = text ? parse(schema, text) : schema.default;
    if (value === undefined) continue;
    if (Value.Check(schema, value) && !isAllZero(value) && (name !== 'TRUST_PROXY' || areAddresses(value)))
      values[name] = value;
    else wrong.push(`  ${name}${schema.secret ? '' : `=${text}`}: expected ${expectation(schema)}`);
  }
  if (wrong.length > 0) throw new StartError(`the environment has wrong values:\n${wrong.join('\n')}`);
  const config = values as Config;
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) };
}

/** Weights of nothing. */
const isAllZero = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((item) => item === 0);

/** As far as a pattern cannot tell. */
function areAddresses(value: unknown): boolean {
  return (value as string[]).every((text) => {
    const [address = '', bits = '0'] = text.split('/');
    const version = isIP(address);
    return version === 0 ? /^[a-z]+$/.test(text) : Number(bits) <= (version === 4 ? 32 : 128);
  });
}

/** What a command that calls the service shows there. No settings of the service: only the command line reads them. */
export function readClientKeys(env: NodeJS.ProcessEnv = process.env): {
  key?: string;
  tenantKey?: string;
  tenantId?: string;
} {
  const read = (name: string, what: string) => {
    const text = env[name]?.trim();
    // Not left to fetch, which would print it.
    if (text && !isHeaderValue(text)) throw new StartError(`${name}: expected ${what}, on one line`);
    return text;
  };
  const key = read('DOCKET_KEY', 'a key');
  const tenantKey = read('DOCKET_TENANT_KEY', 'a key');
  const tenantId = read('DOCKET_TENANT_ID', 'the id of a tenant');
  return { ...(key && { key }), ...(tenantKey && { tenantKey }), ...(tenantId && { tenantId }) };
}

/** Where those commands find the service, unless they are told. */
export const readClientUrl = (env: NodeJS.ProcessEnv = process.env) => env.DOCKET_URL?.trim() || undefined;

export const isHeaderValue = (text: string) => /^[\x21-\x7e]+$/.test(text);

function parse(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (schema.type === 'array') {
    const items = text.split(',').map((item) => item.trim());
    return schema.items.type === 'number' ? items.map((item) => (item ? Number(item) : item)) : items;
  }
  return text;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Where a person on this machine reaches the service. */
export function reachableUrl(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
