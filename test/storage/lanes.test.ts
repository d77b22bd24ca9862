/** Leases and their fence: whoever no longer holds a lane writes nothing, and nobody waits for the dead. */
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { deleteDocument } from '../../src/domain/document-deletion.ts';
import { settleLanes } from '../../src/domain/settle/settle.ts';
import type { Result } from '../../src/storage/batches.ts';
import {
  type Lease,
  type TakenLane,
  type TakeOptions,
  updateLanesHandedBack,
  updateLanesMadeReady,
  updateLanesTakenAcrossTenants,
  updateLeasesExtended,
} from '../../src/storage/lanes.ts';
import { convergence } from '../support/convergence.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { settleTaken, workOf } from '../support/settle.ts';

const service = withVerbs(await startTestService());
const { db } = service;
const LEASE_MS = 60_000;

const all: Omit<TakeOptions, 'holder'> = {
  leaseMs: LEASE_MS,
  turnsPerTenant: 10,
  lanes: 100,
  documents: 100,
  bytes: 1_000_000,
};
const take = (holder: string, options: Partial<TakeOptions> = {}) =>
  updateLanesTakenAcrossTenants(db, { ...all, ...options, holder });
const processed = ({ documents }: TakenLane) =>
  documents.map(({ seq }) => ({ seq, tried: true, error: null, retry_ms: null }));
const settle = (lane: TakenLane, results: Result[]) => settleTaken(db, lane, results);
const extend = (lease: Lease, leaseMs = LEASE_MS) => updateLeasesExtended(db, lease, [lease.scope_key], leaseMs);
const expire = () => db.query("update lanes set ready_at = now() - interval '1 ms' where holder is not null");

/** One lane and no more. */
async function taken(holder: string, options: Partial<TakeOptions> = {}): Promise<TakenLane> {
  const [lane, ...others] = await take(holder, options);
  if (!lane || others.length > 0) throw new Error(`${lane ? 1 + others.length : 0} lanes were taken`);
  return lane;
}

/** A tenant with a scope of so many documents. Nothing of other tests is left to be taken. */
async function prepare(documents: number) {
  await db.query('delete from lanes');
  const tenant = await service.newTenant();
  for (let n = 0; n < documents; n++) await service.ingest(tenant, 'scope', 'ok', { document_id: `d${n}` });
  return tenant;
}

it('tells whether a turn was too short for what was due in its lanes', async () => {
  const tenant = await prepare(3);
  await service.ingest(tenant, 'other', 'This one is longer.', { document_id: 'd3' });
  const isCut = async (options: Partial<TakeOptions>) => {
    const lanes = await take('worker', options);
    await updateLanesHandedBack(db, lanes);
    return [...new Set(lanes.map(({ is_cut }) => is_cut))];
  };
  expect(await isCut({})).toEqual([false]);
  expect(await isCut({ bytes: 10 })).toEqual([true]);
});

describe('a lease', () => {
  it('is held by one at a time, and its batch is settled once', async () => {
    const tenant = await prepare(3);
    const lane = await taken('first');
    expect(await take('second')).toEqual([]);
    expect(lane.documents.map(({ document_id }) => document_id)).toEqual(['d0', 'd1', 'd2']);
    expect(await settle(lane, processed(lane))).toMatchObject({ processed: 3 });
    expect(await settle(lane, processed(lane))).toBe('lost');
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ processed: 3, queued: 0 });
  });

  it('that ran out writes nothing and cannot be extended, also before another took the lane', async () => {
    const tenant = await prepare(2);
    const lane = await taken('frozen');
    await expire();
    expect(await extend(lane)).toBe(false);
    expect(await settle(lane, processed(lane))).toBe('lost');
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({
      queued: 2,
      processing: 0,
      processed: 0,
    });

    for (const left of [1, 0]) {
      const next = await taken('next');
      expect(await settle(lane, processed(lane))).toBe('lost');
      expect(await settle(next, processed(next))).toMatchObject({ processed: 1 });
      expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ queued: left, processed: 2 - left });
    }
  });

  it('has a document less in work when one is deleted under it', async () => {
    const tenant = await prepare(3);
    await taken('busy');
    await deleteDocument(db, tenant.tenantId, 'scope', 'd1', BY_COMMAND_LINE);
    const { documents } = await service.summary(tenant, 'scope');
    expect(documents).toMatchObject({ total: 2, queued: 0, processing: 2 });
  });

  it('goes on while it is extended', async () => {
    await prepare(1);
    const lane = await taken('worker', { leaseMs: 60_000 });
    for (const seconds of [120, 180]) {
      expect(await extend(lane, seconds * 1000)).toBe(true);
      const { rows } = await db.query<{ left: number }>(
        'select extract(epoch from ready_at - clock_timestamp())::float8 as left from lanes where holder is not null',
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.left).toBeGreaterThan(seconds - 60);
      expect(rows[0]?.left).toBeLessThanOrEqual(seconds);
    }
    expect(await settle(lane, processed(lane))).toMatchObject({ processed: 1 });
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
      const lane = await taken('worker');
      await remove(tenant);
      await service.ingest(tenant, 'scope', 'ok', { document_id: 'd0' });
      expect(await settle(lane, processed(lane))).toBe('lost');
      expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ total: 1, queued: 1, processed: 0 });
    },
  );

  it('settles the rest when a document was deleted in the middle of the batch', async () => {
    const tenant = await prepare(3);
    const lane = await taken('worker');
    await service.call('DELETE', '/api/documents/d1?scope_id=scope', { tenantKey: tenant.key });
    expect(await settle(lane, processed(lane))).toMatchObject({ processed: 2 });
    expect((await service.summary(tenant, 'scope')).documents).toMatchObject({ total: 2, processed: 2, queued: 0 });
    expect(await take('worker')).toEqual([]);
  });
});

describe('a worker that vanished', () => {
  it('makes suspects of its batch, which are taken one at a time', async () => {
    await prepare(4);
    expect((await taken('lost', { documents: 3 })).documents).toHaveLength(3);
    await expire();
    for (const left of [3, 2, 1]) {
      const lane = await taken('next');
      expect([lane.suspects, lane.documents.length]).toEqual([left, 1]);
      await settle(lane, processed(lane));
    }
    expect((await taken('next')).suspects).toBe(0);
  });

  it('makes suspects of each of its lanes, which are taken alone, one tenant after the other', async () => {
    await db.query('delete from lanes');
    const tenants = [await service.newTenant(), await service.newTenant()];
    for (const tenant of tenants) for (const scope of ['a', 'b']) await service.ingest(tenant, scope, 'ok');
    const lost = await take('lost');
    expect(lost).toHaveLength(4);
    await expire();
    await service.ingest(tenants[0] as (typeof tenants)[0], 'new', 'ok');
    const order = [];
    for (let n = 0; n < 4; n++) order.push(await taken('next'));
    expect(order.map(({ suspects }) => suspects)).toEqual([1, 1, 1, 1]);
    expect(order[0]?.tenant_id).not.toBe(order[1]?.tenant_id);
    expect(order[2]?.tenant_id).not.toBe(order[3]?.tenant_id);
    expect((await taken('next')).scope_id).toBe('new');
    for (const lane of lost) expect(await settle(lane, processed(lane))).toBe('lost');
  });

  it('costs a document that it had alone an attempt', async () => {
    const tenant = await prepare(1);
    for (const attempts of [1, 2]) {
      await taken('lost');
      await expire();
      await taken('next');
      expect(await service.document(tenant, 'scope', 'd0')).toMatchObject({ attempts });
      await db.query("update lanes set holder = null, claimed = '{}', ready_at = now()");
    }
  });
});

describe('turns', () => {
  it('have the lanes of a tenant after those of the one before, as long as there is room', async () => {
    await db.query('delete from lanes');
    const [many, few] = [await service.newTenant(), await service.newTenant()];
    for (let n = 0; n < 6; n++) await service.ingest(many, `many-${n}`, 'ok');
    for (const scope of ['few', 'few-too']) await service.ingest(few, scope, 'ok');
    const lanes = await take('worker');
    expect(lanes.map(({ scope_id }) => scope_id).sort()).toEqual(
      ['few', 'few-too', ...Array.from({ length: 6 }, (_, n) => `many-${n}`)].sort(),
    );
    expect(new Set(lanes.map(({ epoch }) => epoch)).size).toBe(1);
    expect(lanes.flatMap(({ documents }) => documents)).toHaveLength(8);
  });

  it('are not shared by those who have little with one who would fill the rest', async () => {
    await db.query('delete from lanes');
    const [light, heavy, late] = [await service.newTenant(), await service.newTenant(), await service.newTenant()];
    await service.ingest(light, 'light', 'ok');
    for (let n = 0; n < 9; n++) await service.ingest(heavy, `heavy-${n % 3}`, 'ok');
    await service.ingest(late, 'late', 'ok');
    const order = [light, heavy, late].map(({ tenantId }) => tenantId);
    await db.query(
      `update tenant_turns set served_at = now() + (array_position($1, tenant_id) - 4) * interval '1 s' where tenant_id = any ($1)`,
      [order],
    );
    const turns = [];
    for (let n = 0; n < 3; n++) turns.push((await take('worker', { documents: 5 })).map(({ scope_id }) => scope_id));
    expect(turns).toEqual([['light', 'late'], ['heavy-0', 'heavy-1'], ['heavy-2']]);
  });

  it('are taken by tenants one after the other, however many scopes each has', async () => {
    await db.query('delete from lanes');
    const [many, few] = [await service.newTenant(), await service.newTenant()];
    for (let n = 0; n < 6; n++) await service.ingest(many, `many-${n}`, 'ok');
    await service.ingest(few, 'few', 'ok');
    await service.ingest(few, 'few-too', 'ok');
    const order = [];
    for (let n = 0; n < 5; n++) order.push((await taken('worker', { documents: 1 })).scope_id);
    // Whoever was served first, they alternate until one has nothing left.
    expect([...order].sort()).toEqual(['few', 'few-too', 'many-0', 'many-1', 'many-2']);
    const tenants = order.slice(0, 4).map((scope) => scope.startsWith('few'));
    expect(tenants[0]).not.toBe(tenants[1]);
    expect(tenants[2]).not.toBe(tenants[3]);
  });

  it('are taken by tenants one after the other, also where the documents of one use up the bytes of a turn', async () => {
    await db.query('delete from lanes');
    for (const scope of ['a', 'b', 'c']) {
      const tenant = await service.newTenant();
      for (let n = 0; n < 3; n++) await service.ingest(tenant, scope, 'x'.repeat(1000));
    }
    const order = [];
    for (let n = 0; n < 9; n++) {
      const lane = await taken('worker', { bytes: 1500 });
      order.push(lane.scope_id);
      await settle(lane, processed(lane));
    }
    // Whoever was served first, each has a turn before anybody has the next one.
    for (const n of [0, 3, 6]) expect(order.slice(n, n + 3).sort()).toEqual(['a', 'b', 'c']);
  });

  it('leave those tenants in their order who took part in one', async () => {
    await db.query('delete from lanes');
    const scopes = ['a', 'b', 'c', 'd'];
    for (const scope of scopes) await service.ingest(await service.newTenant(), scope, 'ok');
    const lanes = await take('worker');
    const { rows } = await db.query<{ scope_id: string }>(
      'select scope_id from lanes join tenant_turns using (tenant_id) order by served_at',
    );
    expect(lanes).toHaveLength(scopes.length);
    expect(rows.map(({ scope_id }) => scope_id)).toEqual(lanes.map(({ scope_id }) => scope_id));
  });

  it('are taken by the lanes of a tenant one after the other', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (let n = 0; n < 2; n++)
      for (const scope of ['a', 'b', 'c']) await service.ingest(tenant, `turn-${scope}`, 'ok');
    const order = [];
    for (let n = 0; n < 6; n++) {
      const lane = await taken('worker', { documents: 1 });
      order.push(lane.scope_id);
      await settle(lane, processed(lane));
    }
    expect(order).toEqual(['turn-a', 'turn-b', 'turn-c', 'turn-a', 'turn-b', 'turn-c']);
  });

  it('end at the cap on turns of a tenant, which others do not feel', async () => {
    await db.query('delete from lanes');
    const [greedy, other] = [await service.newTenant(), await service.newTenant()];
    for (let n = 0; n < 5; n++) await service.ingest(greedy, `greedy-${n}`, 'ok');
    const options = { turnsPerTenant: 2, documents: 2 };
    const first = await take('worker', options);
    expect(first).toHaveLength(2);
    expect(await take('worker', options)).toHaveLength(2);
    expect(await take('worker', options)).toEqual([]);
    await service.ingest(other, 'other', 'ok');
    expect(await taken('worker', options)).toMatchObject({ scope_id: 'other' });
    for (const lane of first) expect(await settle(lane, processed(lane))).toMatchObject({ processed: 1 });
    expect(await taken('worker', options)).toMatchObject({ tenant_id: greedy.tenantId });
  });

  it('are not overrun by many at once', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (let n = 0; n < 10; n++) await service.ingest(tenant, `crowd-${n}`, 'ok');
    const options = { turnsPerTenant: 4, documents: 1 };
    const turns = await Promise.all(Array.from({ length: 20 }, (_, n) => take(`worker-${n}`, options)));
    const got = turns.flat();
    expect(got).toHaveLength(4);
    expect(new Set(got.map(({ scope_id }) => scope_id)).size).toBe(4);
  });

  it('come back to a tenant that had nothing for a while', async () => {
    const tenant = await prepare(1);
    const lane = await taken('worker');
    await settle(lane, processed(lane));
    const { rows } = await db.query('select busy from tenant_turns where tenant_id = $1', [tenant.tenantId]);
    expect(rows).toEqual([{ busy: false }]);
    await service.ingest(tenant, 'scope', 'ok');
    expect(await taken('worker')).toMatchObject({ tenant_id: tenant.tenantId });
  });
});

describe('a clock that went back an hour', () => {
  const anHour = "interval '1 hour'";

  it('keeps nobody from a lane that is ready', async () => {
    await prepare(2);
    await db.query(
      `update lanes set ready_at = ready_at + ${anHour}; update tenant_turns set served_at = now() + ${anHour}`,
    );
    expect(await take('worker')).toEqual([]);
    await updateLanesMadeReady(db, LEASE_MS);
    expect((await taken('worker')).documents).toHaveLength(2);
    const { rows } = await db.query('select max(served_at) <= now() as past from tenant_turns where busy');
    expect(rows).toEqual([{ past: true }]);
  });

  it('does not leave a lane to a worker that is no more, nor take it from one that lives', async () => {
    await prepare(1);
    const lease = await taken('worker');
    await db.query(`update lanes set ready_at = ready_at + ${anHour}`);
    await updateLanesMadeReady(db, LEASE_MS);
    expect(await extend(lease)).toBe(true);
    const { rows } = await db.query(`select ready_at < now() + interval '2 minutes' as soon from lanes`);
    expect(rows).toEqual([{ soon: true }]);
  });

  it('does not put off what is to be tried again', async () => {
    await prepare(1);
    const lease = await taken('worker');
    const [first] = lease.documents;
    await settle(lease, [{ seq: first?.seq as number, tried: true, error: 'later', retry_ms: 1000 }]);
    await db.query(
      `update lanes set ready_at = ready_at + ${anHour}; update documents set not_before = not_before + ${anHour}`,
    );
    await updateLanesMadeReady(db, LEASE_MS);
    expect((await taken('worker')).documents).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('ends at a size, and has at least one document', async () => {
    const tenant = await prepare(0);
    for (let n = 0; n < 3; n++) await service.ingest(tenant, 'big', 'x'.repeat(1000));
    const counts = [];
    for (const bytes of [10, 1999, 2000, 1_000_000]) {
      const lane = await taken('worker', { bytes });
      counts.push(lane.documents.length);
      await updateLanesHandedBack(db, [lane]);
    }
    expect(counts).toEqual([1, 1, 2, 3]);
  });

  it('ends there over all lanes, and leaves those of which nothing fits', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (const scope of ['a', 'b', 'c']) await service.ingest(tenant, scope, 'x'.repeat(1000));
    expect((await take('worker', { bytes: 2500 })).map(({ scope_id }) => scope_id)).toEqual(['a', 'b']);
    expect((await take('worker', { bytes: 2500 })).map(({ scope_id }) => scope_id)).toEqual(['c']);
  });

  it('has what is due to be tried again in its place, and not what is not', async () => {
    const tenant = await prepare(3);
    const lane = await taken('worker', { documents: 2 });
    const [first, second] = lane.documents;
    await settle(lane, [
      { seq: first?.seq as number, tried: true, error: 'later', retry_ms: 0 },
      { seq: second?.seq as number, tried: true, error: 'much later', retry_ms: 3_600_000 },
    ]);
    await service.ingest(tenant, 'scope', 'ok', { document_id: 'd3' });
    const { documents } = await taken('worker');
    expect(documents.map(({ document_id }) => document_id)).toEqual(['d0', 'd2', 'd3']);
  });
});

describe('settling a turn', () => {
  it('leaves out what was lost, what somebody else has locked, and what has changed since; the others are written', async () => {
    await db.query('delete from lanes');
    const tenant = await service.newTenant();
    for (const scope of ['fine', 'lost', 'locked', 'moved']) await service.ingest(tenant, scope, 'ok');
    const lanes = await take('worker');
    const { scope_key: lost } = lanes.find(({ scope_id }) => scope_id === 'lost') as Lease;
    await db.query('update lanes set epoch = epoch + 1000000 where scope_key = $1', [lost]);
    await db.query("update scopes set revision = revision + 1 where tenant_id = $1 and scope_id = 'moved'", [
      tenant.tenantId,
    ]);
    const works = lanes.map((lane) => workOf(lane, processed(lane)));
    await db.transaction(async (tx) => {
      await tx.query("select from scopes where tenant_id = $1 and scope_id = 'locked' for update", [tenant.tenantId]);
      const outcomes = await settleLanes(db, lanes[0] as Lease, works, {
        convergence,
        unfiledKeys: 1000,
        patienceMs: 50,
      });
      const of = (scope: string) => outcomes[lanes.findIndex(({ scope_id }) => scope_id === scope)];
      expect(of('fine')).toMatchObject({ processed: 1 });
      expect([of('lost'), of('locked'), of('moved')]).toEqual(['lost', 'locked', 'moved']);
    });
    for (const [scope, count] of [
      ['fine', 1],
      ['lost', 0],
      ['locked', 0],
      ['moved', 0],
    ] as const)
      expect((await service.summary(tenant, scope)).documents).toMatchObject({ processed: count });
  });
});
