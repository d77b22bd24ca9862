/** What a process counts: answers by route and not by address, refusals by reason, and what it does with documents. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newDatabase } from '../support/database.ts';
import { figure, startMonitored, textOf } from '../support/monitored.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const made = () => randomBytes(6).toString('hex');

it('counts answers by route, and refusals by reason', async () => {
  const service = await startTestService({ settings: { TENANT_RATE_PER_S: '1', TENANT_BURST: '2' } });
  const { tenantId, key } = await service.newTenant();
  const post = () => service.call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
  const statuses = [await post(), await post(), await post()].map(({ status }) => status);
  expect(statuses).toEqual([202, 202, 429]);
  for (let n = 0; n < 3; n++) await service.call('GET', `/api/documents/${made()}?scope_id=s`, { tenantKey: key });
  await service.call('DELETE', '/api/ingest');
  await service.call('GET', `/nowhere/${made()}`);
  await service.call('GET', '/admin/tenants', { key: 'nonsense' });

  const text = await textOf(service);
  const answers = (labels: string) => figure(text, `docket_http_request_seconds_count{${labels}}`);
  expect(answers('method="POST",route="/api/ingest",status="2xx"')).toBe(2);
  expect(answers('method="POST",route="/api/ingest",status="4xx"')).toBe(1);
  expect(answers('method="GET",route="/api/documents/{document_id}",status="4xx"')).toBe(3);
  expect(answers('method="other",route="/api/ingest",status="4xx"')).toBe(1);
  expect(answers('method="any",route="none",status="4xx"')).toBe(1);
  expect(answers('method="GET",route="/admin/tenants",status="4xx"')).toBe(1);
  expect(figure(text, 'docket_http_refusals_total{status="429",reason="rate_per_s"}')).toBe(1);
  expect(figure(text, 'docket_http_refusals_total{status="429",reason="backlog"}')).toBe(0);
  expect(
    figure(text, 'docket_http_request_seconds_sum{method="POST",route="/api/ingest",status="2xx"}'),
  ).toBeGreaterThan(0);
});

it('counts a batch of which nothing was accepted once, by what its documents were refused for', async () => {
  const url = new URL(await newDatabase());
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  const service = await startTestService({
    settings: { DATABASE_URL: url.href, DB_TIMEOUT_MS: '2000', HANDLER_TIMEOUT_MS: '3000' },
  });
  const { tenantId } = await service.newTenant();
  const post = (documents: object[]) => service.call('POST', '/api/ingest/batch', { tenantId, body: { documents } });
  const document = { scope_id: 's', name: 'n', text: 't' };
  // Whether it was stored may not be known in time, which is another reason.
  const refused = async () => {
    const counts = (await textOf(service)).matchAll(/^docket_http_refusals_total\{status="503",.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, n]) => sum + Number(n), 0);
  };
  const before = await until(
    async () => {
      proxy.up();
      await until(
        () => post([document]),
        ({ status }) => status === 202,
      );
      const count = await refused();
      proxy.down();
      // While the tenant is remembered, its documents are the first to meet the outage.
      const { status, body } = await post([document, document, document]);
      return { count, status, code: body.code };
    },
    ({ code }) => code === 'batch_rejected',
  );
  expect(before.status).toBe(503);
  expect(await refused()).toBe(before.count + 1);
});

it('counts flushes, settles, caches and how late events are', async () => {
  const { metrics } = await startMonitored();
  const text = await until(metrics, (seen) => figure(seen, 'docket_event_lag_seconds_count') > 0);
  const of = (line: string) => figure(text, line);
  // Posted one after the other; one whose scope is locked at the moment is tried again apart.
  expect(of('docket_flush_documents_count{kind="together"}')).toBe(10);
  expect(of('docket_flush_documents_sum{kind="together"}')).toBe(10);
  expect(of('docket_flush_documents_bucket{kind="together",le="1"}')).toBe(10);
  expect(of('docket_flush_seconds_sum{kind="together"}')).toBeGreaterThan(0);
  expect(of('docket_settle_documents_sum')).toBe(10);
  expect(of('docket_settle_seconds_count')).toBe(of('docket_settle_documents_count'));
  expect(of('docket_cache_misses_total{cache="keys"}')).toBeGreaterThan(0);
  expect(of('docket_cache_hits_total{cache="keys"}')).toBeGreaterThan(0);
  expect(of('docket_cache_hits_total{cache="tenants"}')).toBeGreaterThan(0);
  expect(of('docket_cache_hits_total{cache="scope_indexes"}')).toBeGreaterThan(0);
  expect(of('docket_cache_misses_total{cache="claims"}')).toBeGreaterThanOrEqual(0);
  expect(of('docket_events_behind')).toBeGreaterThanOrEqual(0);
  expect(of('docket_postgres_up')).toBe(1);
  expect(text).toMatch(/^docket_build_info\{version="0\.1\.0",release="\d+",node="v\d+\.\d+\.\d+"\} 1$/m);
  expect(text).toMatch(/^docket_node_info\{node_id="node_[0-9a-f]{10}"\} 1$/m);
});
