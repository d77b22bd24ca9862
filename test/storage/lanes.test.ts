/** Leases and their fence: whoever no longer holds a lane writes nothing, and nobody waits for the dead. */
import { describe, expect, it } from 'vitest';
import { noteBatch } from '../../src/domain/batches.ts';
import { deleteDocument } from '../../src/domain/documents.ts';
import { NOTHING_FOUND } from '../../src/runtime/findings.ts';
import {
  type Lease,
  type Result,
  updateDocumentsClaimed,
  updateLanesMadeReady,
  updateLeaseExtended,
  updateNextLaneTakenAcrossTenants,
} from '../../src/storage/lanes.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { WEIGHTS } from '../support/weights.ts';

const service = withVerbs(await startTestService());
const { db } = service;
const LEASE_MS = 60_000;

const take = (holder: string, leaseMs = LEASE_MS, mostPerTenant = 10) =>
  updateNextLaneTakenAcrossTenants(db, holder, leaseMs, mostPerTenant);
const claim = (lease: Lease, most = 100) => updateDocumentsClaimed(db, lease, most, 1_000_000);
const processed = (documents: { seq: number }[]) =>
  documents.map(({ seq }) => ({ seq, tried: true, error: null, retry_ms: null }));
const settle = (lease: Lease, results: Result[]) => noteBatch(db, lease, results, NOTHING_FOUND, WEIGHTS);
const expire = () => db.query("update lanes set ready_at = now() - interval '1 ms' where holder is not null");

async function taken(holder: string): Promise<Lease> {
  const lease = await take(holder);
  if (!lease) throw new Error('there was no lane to take');
  return lease;
}

/** A tenant with a scope of so many documents. Nothing of other tests is left to be taken. */
async function prepare(documents: number) {
  await db.query('delete from lanes');
  const tenant = await service.newTenant();
  for (let n = 0; n < documents; n++) await service.ingest(tenant, 'scope', 'ok', { document_id: `d${n}` });
  return tenant;
}

describe('a lease', () => {
  it('is held by one at a time, and its batch is settled once', async () => {
    const tenant = await prepare(3);
    const lease = await taken('first');
    expect(await take('second')).toBeNull();
    const batch = await claim(lease);
    expect(batch.map(({ document_id }) => document_id)).toEqual(['d0', 'd1', 'd2']);
    expect(await settle(lease, processed(batch))).toMatchObject({ processed: 3, more: false });
    expect(await settle(lease, processed(batch))).toBeNull();
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ processed: 3, queued: 0 });
  });

  it('that ran out writes nothing, claims nothing and cannot be extended, also before another took the lane', async () => {
    const tenant = await prepare(2);
    const lease = await taken('frozen');
    const batch = await claim(lease);
    await expire();
    expect(await updateLeaseExtended(db, lease, LEASE_MS)).toBe(false);
    expect(await claim(lease)).toEqual([]);
    expect(await settle(lease, processed(batch))).toBeNull();
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({
      queued: 2,
      processing: 0,
      processed: 0,
    });

    const next = await taken('next');
    expect(await settle(lease, processed(batch))).toBeNull();
    expect(await settle(next, processed(await claim(next)))).toMatchObject({ processed: 2 });
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ queued: 0, processed: 2 });
  });

  it('has a document less in work when one is deleted under it', async () => {
    const tenant = await prepare(3);
    await claim(await taken('busy'));
    await deleteDocument(db, tenant.tenantId, 'scope', 'd1');
    const { documents } = await service.summary(tenant, 'scope');
    expect(documents).toMatchObject({ total: 2, queued: 0, processing: 2 });
  });

  it('goes on while it is extended', async () => {
    await prepare(1);
    const lease = (await take('worker', 60_000)) as Lease;
    for (const seconds of [120, 180]) {
      expect(await updateLeaseExtended(db, lease, seconds * 1000)).toBe(true);
      const { rows } = await db.query<{ left: number }>(
        'select extract(epoch from ready_at - clock_timestamp())::float8 as left from lanes where holder is not null',
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.left).toBeGreaterThan(seconds - 60);
      expect(rows[0]?.left).toBeLessThanOrEqual(seconds);
    }
    expect(await settle(lease, processed(await claim(lease)))).toMatchObject({ processed: 1 });
  });

  it.each([
    [
      'reset',
      (tenant: { key: string }) =>
        service.call('POST', '/admin/scopes/scope/reset', { key: service.admin, tenantKey: tenant.key }),
    ],
    [
      'deleted',
      (tenant: { key: string }) =>
        service.call('DELETE', '/admin/scopes/scope', { key: service.admin, tenantKey: tenant.key }),
    ],
  ])(
    'is fenced off when its scope is %s, and the same documents posted again are not touched',
    async (_how, remove) => {
      const tenant = await prepare(2);
      const lease = await taken('worker');
      const batch = await claim(lease);
      await remove(tenant);
      await service.ingest(tenant, 'scope', 'ok', { document_id: 'd0' });
      expect(await settle(lease, processed(batch))).toBeNull();
      expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ total: 1, queued: 1, processed: 0 });
    },
  );

  it('settles the rest when a document was deleted in the middle of the batch', async () => {
    const tenant = await prepare(3);
    const lease = await taken('worker');
    const batch = await claim(lease);
    await service.call('DELETE', '/api/documents/d1?scope_id=scope', { tenantKey: tenant.key });
    expect(await settle(lease, processed(batch))).toMatchObject({ processed: 2 });
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ total: 2, processed: 2, queued: 0 });
    expect(await take('worker')).toBeNull();
  });
});

describe('a worker that vanished', () => {
  it('makes suspects of its batch, which are taken one at a time', async () => {
    await prepare(4);
    const lost = await taken('lost');
    expect(await claim(lost, 3)).toHaveLength(3);
    await expire();
    for (const left of [3, 2, 1]) {
      const lease = await taken('next');
      expect(lease.suspects).toBe(left);
      await settle(lease, processed(await claim(lease, 1)));
    }
    expect((await taken('next')).suspects).toBe(0);
  });

  it('costs a document that it had alone an attempt', async () => {
    const tenant = await prepare(1);
    for (const attempts of [1, 2]) {
      await claim(await taken('lost'));
      await expire();
      await taken('next');
      expect(await service.document(tenant, 'scope', 'd0')).toMatchObject({ attempts });
      await db.query("update lanes set holder = null, claimed = '{}', ready_at = now()");
    }
  });
});

describe('turns', () => {
  it('are taken by tenants one after the other, however many scopes each has', async () => {
    await db.query('delete from lanes');
    const [many, few] = [await service.newTenant(), await service.newTenant()];
    for (let n = 0; n < 6; n++) await service.ingest(many, `many-${n}`, 'ok');
    await service.ingest(few, 'few', 'ok');
    await service.ingest(few, 'few-too', 'ok');
    const order = [];
    for (let n = 0; n < 5; n++) order.push((await taken('worker')).scope_id);
    // Whoever was served first, they alternate until one has nothing left.
    expect([...order].sort()).toEqual(['few', 'few-too', 'many-0', 'many-1', 'many-2']);
    const tenants = order.slice(0, 4).map((scope) => scope.startsWith('few'));
    expect(tenants[0]).not.toBe(tenants[1]);
    expect(tenants[2]).not.toBe(tenants[3]);
  });

  it('are taken by the lanes of a tenant one after the other', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (let n = 0; n < 2; n++)
      for (const scope of ['a', 'b', 'c']) await service.ingest(tenant, `turn-${scope}`, 'ok');
    const order = [];
    for (let n = 0; n < 6; n++) {
      const lease = await taken('worker');
      order.push(lease.scope_id);
      await settle(lease, processed(await claim(lease, 1)));
    }
    expect(order).toEqual(['turn-a', 'turn-b', 'turn-c', 'turn-a', 'turn-b', 'turn-c']);
  });

  it('end at the cap on lanes in work of a tenant, which others do not feel', async () => {
    await db.query('delete from lanes');
    const [greedy, other] = [await service.newTenant(), await service.newTenant()];
    for (let n = 0; n < 5; n++) await service.ingest(greedy, `greedy-${n}`, 'ok');
    const first = (await take('worker', LEASE_MS, 2)) as Lease;
    expect(await take('worker', LEASE_MS, 2)).not.toBeNull();
    expect(await take('worker', LEASE_MS, 2)).toBeNull();
    await service.ingest(other, 'other', 'ok');
    expect(await take('worker', LEASE_MS, 2)).toMatchObject({ scope_id: 'other' });
    expect(await settle(first, [])).toMatchObject({ processed: 0 });
    expect(await take('worker', LEASE_MS, 2)).toMatchObject({ tenant_id: greedy.tenantId });
  });

  it('are not overrun by many at once', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (let n = 0; n < 10; n++) await service.ingest(tenant, `crowd-${n}`, 'ok');
    const leases = await Promise.all(Array.from({ length: 20 }, (_, n) => take(`worker-${n}`, LEASE_MS, 4)));
    const got = leases.filter((lease) => lease !== null);
    expect(got).toHaveLength(4);
    expect(new Set(got.map(({ scope_id }) => scope_id)).size).toBe(4);
  });

  it('come back to a tenant that had nothing for a while', async () => {
    const tenant = await prepare(1);
    const lease = await taken('worker');
    await settle(lease, processed(await claim(lease)));
    const { rows } = await db.query('select busy from tenant_turns where tenant_id = $1', [tenant.tenantId]);
    expect(rows).toEqual([{ busy: false }]);
    await service.ingest(tenant, 'scope', 'ok');
    expect(await take('worker')).toMatchObject({ tenant_id: tenant.tenantId });
  });
});

describe('a clock that went back an hour', () => {
  const anHour = "interval '1 hour'";

  it('keeps nobody from a lane that is ready', async () => {
    await prepare(2);
    await db.query(
      `update lanes set ready_at = ready_at + ${anHour}; update tenant_turns set served_at = now() + ${anHour}`,
    );
    expect(await take('worker')).toBeNull();
    await updateLanesMadeReady(db, LEASE_MS);
    expect(await claim(await taken('worker'))).toHaveLength(2);
    const { rows } = await db.query('select max(served_at) <= now() as past from tenant_turns where busy');
    expect(rows).toEqual([{ past: true }]);
  });

  it('does not leave a lane to a worker that is no more, nor take it from one that lives', async () => {
    await prepare(1);
    const lease = await taken('worker');
    await db.query(`update lanes set ready_at = ready_at + ${anHour}`);
    await updateLanesMadeReady(db, LEASE_MS);
    expect(await updateLeaseExtended(db, lease, LEASE_MS)).toBe(true);
    const { rows } = await db.query(`select ready_at < now() + interval '2 minutes' as soon from lanes`);
    expect(rows).toEqual([{ soon: true }]);
  });

  it('does not put off what is to be tried again', async () => {
    await prepare(1);
    const lease = await taken('worker');
    const [first] = await claim(lease);
    await settle(lease, [{ seq: first?.seq as number, tried: true, error: 'later', retry_ms: 1000 }]);
    await db.query(
      `update lanes set ready_at = ready_at + ${anHour}; update documents set not_before = not_before + ${anHour}`,
    );
    await updateLanesMadeReady(db, LEASE_MS);
    expect(await claim(await taken('worker'))).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('ends at a size, and has at least one document', async () => {
    const tenant = await prepare(0);
    for (let n = 0; n < 3; n++) await service.ingest(tenant, 'big', 'x'.repeat(1000));
    const lease = await taken('worker');
    const sizes = [10, 1999, 2000, 1_000_000];
    const counts = [];
    for (const bytes of sizes) counts.push((await updateDocumentsClaimed(db, lease, 100, bytes)).length);
    expect(counts).toEqual([1, 1, 2, 3]);
  });

  it('has what is due to be tried again in its place, and not what is not', async () => {
    const tenant = await prepare(3);
    const lease = await taken('worker');
    const [first, second] = await claim(lease, 2);
    await settle(lease, [
      { seq: first?.seq as number, tried: true, error: 'later', retry_ms: 0 },
      { seq: second?.seq as number, tried: true, error: 'much later', retry_ms: 3_600_000 },
    ]);
    await service.ingest(tenant, 'scope', 'ok', { document_id: 'd3' });
    const batch = await claim(await taken('worker'));
    expect(batch.map(({ document_id }) => document_id)).toEqual(['d0', 'd2', 'd3']);
  });
});
