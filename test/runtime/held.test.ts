/** What is held on purpose is no trouble: it raises no age, fails no health, and is counted as what it is. */
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const api = withVerbs(await startTestService({ settings: { LANE_LEASE_MS: '500' } }));

async function figures(): Promise<Record<string, number>> {
  const { body } = await api.call('GET', '/internals/metrics', { key: api.internals });
  const found = [...(body as string).matchAll(/^(docket_[a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)];
  return Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]));
}
const lanes = async () => {
  const found = await figures();
  return ['in_work', 'waiting', 'held'].map((state) => found[`docket_lanes{state="${state}"}`]);
};
const oldest = async () => (await figures()).docket_oldest_waiting_seconds;
const health = async () => {
  const asked = ['/admin/control-plane/health', '/internals/kernel/control-plane/health', '/internals/kernel/health'];
  const answers = await Promise.all(asked.map((path) => api.call('GET', path, { key: api.internals })));
  return answers.map(({ status, body }) => [status, body.checks.workers.status, body.held]);
};
const all = <Value>(value: Value) => [value, value, value];

describe.each(['runtime', 'tenant', 'scope'])('a %s that is paused or stopped', (level) => {
  it('holds its work back, which is counted and raises no alarm, until it runs again', async () => {
    const tenant = await api.newTenant();
    const control = (action: string) =>
      api.control(action, level === 'runtime' ? undefined : tenant, level === 'scope' ? 'work' : undefined);
    await api.ingest(tenant, 'work', 'ok');
    await until(health, (answers) => answers.every(([status]) => status === 503));
    expect(await lanes()).toEqual([0, 1, 0]);
    expect(await oldest()).toBeGreaterThan(0);

    for (const action of ['pause', 'stop']) {
      await control(action);
      expect(await lanes()).toEqual([0, 0, 1]);
      expect(await oldest()).toBe(0);
      expect((await figures()).docket_backlog_documents).toBe(1);
      expect(await health()).toEqual(all([200, 'up', 1]));
      const { body } = await api.call('GET', '/internals/kernel/hatchery/snapshot', { key: api.internals });
      expect(body.load).toMatchObject({ backlog: 1, oldest_age_ms: 0 });
    }

    // Beside what is held, the rest is looked at as before.
    const other = await api.newTenant();
    if (level !== 'runtime') {
      await api.ingest(other, 'work', 'ok');
      await until(health, (answers) => answers.every(([status]) => status === 503));
      expect(await health()).toEqual(all([503, 'down', 1]));
      expect(await lanes()).toEqual([0, 1, 1]);
      expect(await oldest()).toBeGreaterThan(0);
      await api.call('DELETE', '/admin/scopes/work', { key: api.admin, tenantKey: other.key });
    }

    await control('start');
    await until(health, (answers) => answers.every(([status]) => status === 503));
    expect(await lanes()).toEqual([0, 1, 0]);
    await api.call('DELETE', '/admin/scopes/work', { key: api.admin, tenantKey: tenant.key });
    expect(await health()).toEqual(all([200, 'up', 0]));
  });
});
