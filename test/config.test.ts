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

describe('TRUST_PROXY', () => {
  const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).TRUST_PROXY;

  it('is a list of addresses and networks, and empty by default', () => {
    expect(read('')).toEqual([]);
    const proxies = ['loopback', '10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1', 'uniquelocal'];
    expect(read(proxies.join(' , '))).toEqual(proxies);
  });

  it.each([
    'true',
    '1',
    '*',
    'proxy.example.com',
    '10.0.0.0/33',
    '10.0.0',
    '2001:db8::/129',
    '1.2.3.4/x',
    'loopback/8',
    ',',
  ])('refuses %s', (proxies) => expect(() => read(proxies)).toThrow(/TRUST_PROXY=.*: expected addresses or networks/));
});

describe('CORS_ORIGINS', () => {
  const read = (CORS_ORIGINS: string) => readConfig({ CORS_ORIGINS }).CORS_ORIGINS;

  it('is a list of origins, and none by default', () => {
    expect(read('')).toEqual([]);
    const origins = ['https://app.example.com', 'http://localhost:5173', 'http://[::1]:8081', 'https://10.0.0.1:8443'];
    expect(read(origins.join(' , '))).toEqual(origins);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://*.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://App.example.com',
    'HTTPS://app.example.com',
    'https://app.example.com:443',
    'http://app.example.com:80',
    'https://app.example.com:0',
    'https://app.example.com:',
    'https://user@app.example.com',
    'https://app..example.com',
    'ftp://app.example.com',
    'https://a.example.com https://b.example.com',
    'https://a.example.com,,https://b.example.com',
  ])('is refused at the start: %s', (text) => {
    expect(() => read(text)).toThrow(`CORS_ORIGINS=${text}: expected origins as browsers send them`);
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
