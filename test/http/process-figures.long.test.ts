/** No figure comes of anything that a caller makes up. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { later } from '../support/later.ts';
import { figure, textOf } from '../support/monitored.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const seriesOf = (text: string) => text.split('\n').flatMap((line) => /^(docket_\w+(\{.*\})?) /.exec(line)?.[1] ?? []);
const made = () => randomBytes(6).toString('hex');

it('has as many figures after ten thousand made-up requests as before', async () => {
  const service = await startTestService();
  const { app, url } = service;
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
  const shapes = [
    () => `/${made()}`,
    () => `/api/${made()}/${made()}`,
    () => `/api/documents/${made()}?scope_id=${made()}&${made()}=1`,
    () => `/api/scopes/${made()}/summary`,
    () => `/admin/tenants/${made()}/scopes/${made()}/documents`,
    () => `/internals/kernel/${made()}`,
    () => `/%${made()}`,
    () => `/api/documents/${made().repeat(300)}`,
  ];
  const ask = async (n: number) => {
    for (let i = 0; i < n; i++) {
      const [method, shape] = [methods[i % methods.length], shapes[i % shapes.length]];
      await app.inject({ method: method as 'GET', url: shape?.() as string });
    }
  };
  // Each of them once; refusals for want of a key are held back for a moment when there are many of them.
  await ask(methods.length * shapes.length);
  const before = seriesOf(await textOf(service));
  await Promise.all(Array.from({ length: 100 }, () => ask(100)));
  for (const method of ['PROPFIND', 'MKCOL', 'LOCK']) await fetch(`${url}/${made()}`, { method });
  const text = await textOf(service);
  const after = seriesOf(text);
  expect(after.filter((line) => !before.includes(line) && !line.includes('"/internals/metrics"'))).toEqual([]);
  expect(new Set(after).size).toBe(after.length);
  expect(text.length).toBeLessThan(200_000);
  const total = [...text.matchAll(/^docket_http_request_seconds_count\{.*\} (\d+)$/gm)];
  expect(total.reduce((sum, [, n]) => sum + Number(n), 0)).toBeGreaterThan(10_000);
});

it('answers whoever reads, beside hundreds who ask and do not', async () => {
  const service = await startTestService();
  const { hostname, port } = new URL(service.url);
  const request = `GET /internals/metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.internals}\r\n\r\n`;
  for (let n = 0; n < 300; n++) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    later(() => socket.destroy());
    socket.pause();
    socket.write(request.repeat(10));
  }
  const count = 'docket_http_request_seconds_count{method="GET",route="/internals/metrics",status="2xx"}';
  // Each of them had at least one answer made for it.
  const text = await until(
    () => textOf(service),
    (seen) => figure(seen, count) > 300,
  );
  expect(figure(text, 'docket_postgres_up')).toBe(1);
});
