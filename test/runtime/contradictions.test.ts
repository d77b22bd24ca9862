/** From two documents to a contradiction, and all that can become of it: the whole service, with the real pipeline. */
import { describe, expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const FEWER = 'Acme Robotics has 1,900 employees.';
const MORE = 'Acme Robotics has 2,310 employees.';

async function startWhole(settings: object = {}) {
  const kernel = withVerbs(await startTestService({ settings: { ROLE: 'all', ...settings } }));
  return {
    ...kernel,
    async contradictions({ key }: Tenant, scopeId: string, query = '') {
      const path = `/api/contradictions?scope_id=${scopeId}${query}`;
      return (await kernel.call('GET', path, { tenantKey: key })).body.contradictions;
    },
    decide: ({ key }: Tenant, scopeId: string, id: string, body: object) =>
      kernel.call('PATCH', `/admin/scopes/${scopeId}/contradictions/${id}`, {
        key: kernel.admin,
        tenantKey: key,
        body: { status: 'resolved', resolution: 'Asked them.', resolved_by: 'm.larsen', ...body },
      }),
    /** Waits until nothing of the scope is left to do. */
    settled: (tenant: Tenant, scopeId: string) =>
      until(
        () => kernel.summary(tenant, scopeId),
        ({ documents }) => documents.queued + documents.processing === 0,
      ),
  };
}

onBothBackends('a contradiction', (backend) => {
  it('is found between two documents, with both sides and a reason; it lowers agreement until it is resolved', async () => {
    const service = await startWhole(backend.settings());
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'acme', FEWER, { document_id: 'old' });
    await service.ingest(tenant, 'acme', `About the firm. ${MORE}`, {
      document_id: 'new',
      source: 'https://acme.test',
    });
    const before = await service.settled(tenant, 'acme');
    const [found, ...rest] = await service.contradictions(tenant, 'acme');
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ origin: 'detected', status: 'open', document_ids: ['new', 'old'] });
    expect(found).toMatchObject({
      claim_a: MORE,
      claim_b: FEWER,
      source_a: 'https://acme.test',
      evidence_a: { document_id: 'new', sentence: MORE, span: { start: 16, end: 16 + MORE.length } },
      evidence_b: { document_id: 'old', sentence: FEWER, span: { start: 0, end: FEWER.length } },
    });
    expect(found.reason).toMatch(/1,900.*2,310|2,310.*1,900/);
    expect(before).toMatchObject({ contradictions: { open: 1 }, convergence: { groups: { disputed: 1 } } });
    expect(before.convergence.blockers).toMatchObject([{ contradiction_id: found.id }]);
    expect((await service.document(tenant, 'acme', 'old')).contradictions).toBe(1);

    const decided = await service.decide(tenant, 'acme', found.id, { upholds: 'a' });
    expect(decided.body).toMatchObject({ status: 'resolved', upholds: 'a' });
    const after = await service.summary(tenant, 'acme');
    expect(after).toMatchObject({ contradictions: { open: 0, resolved: 1 }, convergence: { groups: { disputed: 0 } } });
    expect(after.convergence.score).toBeGreaterThan(before.convergence.score);
    expect(await service.events('acme')).toContain('contradiction.detected');
  });

  it('found together with others is listed as its documents came', async () => {
    const service = await startWhole(backend.settings());
    const tenant = await service.newTenant();
    const later = ['e', 'b', 'd', 'c', 'f'];
    await service.control('pause', tenant);
    await service.ingest(tenant, 'acme', FEWER, { document_id: 'a' });
    for (const id of later) await service.ingest(tenant, 'acme', MORE, { document_id: id });
    await service.control('resume', tenant);
    await service.settled(tenant, 'acme');
    const found: { document_ids: string[] }[] = await service.contradictions(tenant, 'acme');
    expect(found.map(({ document_ids }) => document_ids)).toEqual(later.map((id) => ['a', id]));
  });
});

describe('what becomes of a contradiction', async () => {
  const service = await startWhole();

  async function disputed(scopeId: string) {
    const tenant = await service.newTenant();
    await service.ingest(tenant, scopeId, FEWER, { document_id: 'old' });
    await service.ingest(tenant, scopeId, MORE, { document_id: 'new' });
    await service.settled(tenant, scopeId);
    const [found] = await service.contradictions(tenant, scopeId);
    expect(found).toMatchObject({ status: 'open' });
    return { tenant, id: found.id as string };
  }

  it('a new version that says otherwise retracts it', async () => {
    const { tenant } = await disputed('corrected');
    await service.ingest(tenant, 'corrected', MORE, { document_id: 'old' });
    await service.settled(tenant, 'corrected');
    expect(await service.contradictions(tenant, 'corrected')).toEqual([]);
    expect(await service.summary(tenant, 'corrected')).toMatchObject({
      contradictions: { open: 0, resolved: 0 },
      convergence: { groups: { disputed: 0 } },
    });
    expect(await service.events('corrected')).toContain('contradiction.retracted');
  });

  it('a new version that says the same keeps it, and its resolution', async () => {
    const { tenant, id } = await disputed('kept');
    await service.decide(tenant, 'kept', id, {});
    await service.ingest(tenant, 'kept', `Corrected. ${FEWER}`, { document_id: 'old' });
    await service.settled(tenant, 'kept');
    const shift = 'Corrected. '.length;
    expect(await service.contradictions(tenant, 'kept')).toMatchObject([
      { id, status: 'resolved', evidence_b: { seq: 2, span: { start: shift, end: shift + FEWER.length } } },
    ]);
  });

  it('deleting one of the documents retracts it', async () => {
    const { tenant } = await disputed('deleted');
    await service.call('DELETE', '/api/documents/old?scope_id=deleted', { tenantKey: tenant.key });
    expect(await service.contradictions(tenant, 'deleted')).toEqual([]);
    const { claims } = await service.document(tenant, 'deleted', 'new');
    expect(await service.summary(tenant, 'deleted')).toMatchObject({
      claims: { total: claims },
      contradictions: { open: 0 },
      convergence: { groups: { disputed: 0, shared: 0 } },
    });
  });

  it('a reset leaves nothing of it', async () => {
    const { tenant } = await disputed('reset');
    await service.call('POST', '/admin/scopes/reset/reset', { key: service.admin, tenantKey: tenant.key });
    expect(await service.contradictions(tenant, 'reset')).toEqual([]);
    expect(await service.summary(tenant, 'reset')).toMatchObject({
      claims: { total: 0, groups: 0 },
      convergence: { status: 'empty', score: null, groups: { total: 0, shared: 0, disputed: 0 } },
    });
    await service.ingest(tenant, 'reset', MORE, { document_id: 'old' });
    await service.settled(tenant, 'reset');
    expect(await service.contradictions(tenant, 'reset')).toEqual([]);
    // What is left of the past is purged in the background.
    for (const table of ['contradictions', 'readings', 'claim_keys', 'claim_groups', 'claim_values'])
      await until(
        async () =>
          (
            await service.db.query(
              `select from ${table} join scopes using (scope_key)
                where tenant_id = $1 and ${table}.generation < scopes.generation`,
              [tenant.tenantId],
            )
          ).rowCount,
        (left) => left === 0,
      );
  });

  it.each([
    ['contradicts what it upholds', MORE, true],
    ['agrees with what it upholds', FEWER, false],
    ['is about something else', 'Acme Robotics was founded in 1987.', false],
  ])('a resolution stands until a document from outside %s', async (_, text, reopens) => {
    const { tenant, id } = await disputed('settled');
    await service.decide(tenant, 'settled', id, { upholds: 'b' });
    await service.ingest(tenant, 'settled', text, { document_id: 'witness' });
    await service.settled(tenant, 'settled');
    const all = await service.contradictions(tenant, 'settled');
    const first = all.find((one: { id: string }) => one.id === id);
    expect(first).toMatchObject(
      reopens ? { status: 'open', resolution: null, upholds: null } : { status: 'resolved', upholds: 'b' },
    );
    const events = await service.db.query<{ payload: object }>(
      `select payload from events where type = 'contradiction.reopened' and tenant_id = $1`,
      [tenant.tenantId],
    );
    expect(events.rows.map(({ payload }) => payload)).toMatchObject(reopens ? [{ contradiction_id: id }] : []);
  });

  it('one that was posted lives beside it', async () => {
    const { tenant } = await disputed('both');
    const posted = { scope_id: 'both', claim_a: FEWER, claim_b: MORE, severity: 'critical' };
    const { tenantId } = tenant;
    expect((await service.call('POST', '/api/contradictions', { tenantId, body: posted })).status).toBe(201);
    expect((await service.contradictions(tenant, 'both')).map(({ origin }: { origin: string }) => origin)).toEqual([
      'detected',
      'reported',
    ]);
    const { convergence } = await service.summary(tenant, 'both');
    expect(convergence.blockers[0]).toMatchObject({ severity: 'critical' });
  });

  it('is not found between tenants or scopes', async () => {
    const [one, other] = [await service.newTenant(), await service.newTenant()];
    await service.ingest(one, 'apart', FEWER);
    await service.ingest(other, 'apart', MORE);
    await service.ingest(one, 'elsewhere', MORE);
    for (const [tenant, scopeId] of [
      [one, 'apart'],
      [other, 'apart'],
      [one, 'elsewhere'],
    ] as const) {
      await service.settled(tenant, scopeId);
      expect(await service.contradictions(tenant, scopeId)).toEqual([]);
    }
  });
});
