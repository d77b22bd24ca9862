/** GET /internals/kernel/convergence, its alias, and what summary and metrics show of it. */
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { call, internals, admin } = service;
const path = '/internals/kernel/convergence';

async function agreed(scopeId: string) {
  const tenant = await service.newTenant();
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,900 employees.', { document_id: 'a' });
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,900 employees.', { document_id: 'b' });
  await service.processed(tenant, scopeId, 2);
  return tenant;
}

describe('200', () => {
  it('says how far scopes have converged, with pressure, blockers and history', async () => {
    const tenant = await agreed('agreed');
    const { body } = await call('GET', `${path}?tenant_id=${tenant.tenantId}`, { key: internals });
    expect(body.scopes).toHaveLength(1);
    expect(body.scopes[0]).toMatchObject({
      tenant_id: tenant.tenantId,
      scope_id: 'agreed',
      status: 'converged',
      score: 1,
      disagreement: 0,
      batches_to_go: 0,
      dimensions: { agreement: { score: 1, weight: 0.55, pressure: 0 }, coverage: { score: 1, weight: 0.25 } },
      blockers: [],
    });
    expect(body.scopes[0].history.at(-1)).toMatchObject({ score: 1 });
    expect(await service.events('agreed')).toContain('scope.converged');
  });

  it('summary and metrics show the same', async () => {
    const tenant = await agreed('shown');
    const { body } = await call('GET', `${path}?tenant_id=${tenant.tenantId}`, { key: internals });
    const { tenant_id, scope_id, history, ...shown } = body.scopes[0];
    expect((await service.summary(tenant, 'shown')).convergence).toEqual(shown);
    const metrics = await call('GET', '/admin/scopes/shown/metrics', { key: admin, tenantKey: tenant.key });
    const { status, score, disagreement, rate, batches_to_go } = shown;
    expect(metrics.body.convergence).toEqual({ status, score, disagreement, rate, batches_to_go, history });
  });

  it('tells of a scope that had converged and has not any more', async () => {
    const tenant = await agreed('reopened');
    await service.ingest(tenant, 'reopened', 'Acme Robotics has 2,310 employees.', { document_id: 'c' });
    const { convergence } = await service.processed(tenant, 'reopened', 3);
    expect(convergence.status).not.toBe('converged');
    expect(convergence.dimensions.agreement.score).toBeLessThan(1);
    expect(convergence.blockers.length).toBeGreaterThan(0);
    expect(await service.events('reopened')).toContain('scope.reopened');
  });

  it('is empty before anything was read', async () => {
    const tenant = await service.newTenant();
    await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: 'empty' } });
    const { body } = await call('GET', `${path}?scope_id=empty`, { key: internals });
    expect(body.scopes).toMatchObject([{ status: 'empty', score: null, dimensions: null, measured_at: null }]);
  });

  it('has every scope once, page by page', async () => {
    const tenant = await service.newTenant();
    for (let n = 0; n < 5; n++)
      await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: `page-${n}` } });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `${path}?tenant_id=${tenant.tenantId}&limit=2${cursor}`, { key: internals });
      seen.push(...body.scopes.map(({ scope_id }: { scope_id: string }) => scope_id));
      if (!body.next_cursor) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen.sort()).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
  });

  it('has its deprecated alias', async () => {
    const { status, headers } = await call('GET', '/internals/convergence', { key: internals });
    expect([status, headers.get('link')]).toEqual([200, `<${path}>; rel="successor-version"`]);
  });
});

it('401 without a key, 403 with an admin key', async () => {
  expect((await call('GET', path)).status).toBe(401);
  expect((await call('GET', path, { key: admin })).status).toBe(403);
});
