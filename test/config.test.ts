import { describe, expect, it } from 'vitest';
import { reachableUrl, readConfig } from '../src/config.ts';

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      ROLE: 'all',
      LOG_LEVEL: 'info',
      ADMIN_API_KEYS: [],
    });
  });

  it('takes what is set, and an empty value as not set', () => {
    const keys = `${'a'.repeat(32)}, ${'b'.repeat(40)}`;
    const config = readConfig({ PORT: ' 0 ', HOST: '', ROLE: 'worker', ADMIN_API_KEYS: keys, DATA_DIR: 'x' });
    expect(config).toMatchObject({ PORT: 0, HOST: '127.0.0.1', ROLE: 'worker', ADMIN_API_KEYS: keys.split(', ') });
    expect(config.DATA_DIR).toBe(`${process.cwd()}/x`);
  });

  it('names every wrong value with what was expected, and repeats no secret', () => {
    const env = {
      PORT: '80a',
      DB_POOL_SIZE: '1',
      ROLE: 'boss',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      ADMIN_API_KEYS: 'short-secret',
      REQUEST_TIMEOUT_MS: '-5',
    };
    const read = () => readConfig(env);
    expect(read).toThrow('PORT=80a: expected a whole number from 0 to 65535');
    expect(read).toThrow('DB_POOL_SIZE=1: expected a whole number from 2 to 200');
    expect(read).toThrow('ROLE=boss: expected one of all, api, worker');
    expect(read).toThrow('LOG_LEVEL=loud: expected one of fatal, error');
    expect(read).toThrow('DATABASE_URL: expected a URL such as postgres://');
    expect(read).toThrow('ADMIN_API_KEYS: expected keys of 32 or more');
    expect(read).toThrow('REQUEST_TIMEOUT_MS=-5: expected a whole number');
    expect(read).not.toThrow(/hunter2|short-secret/);
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:1'],
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['::', 'http://127.0.0.1:1'],
  ['::1', 'http://[::1]:1'],
  ['docket.local', 'http://docket.local:1'],
])('a service on %s is reached at %s', (host, url) => {
  expect(reachableUrl(host, 1)).toBe(url);
});
