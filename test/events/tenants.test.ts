/** What the hub tells tenants: only what is theirs and meant for them, once made for all of them, and at nobody else's cost. */
import { expect, it } from 'vitest';
import { type EventEnvelope, eventKinds, isForTenants, tenantEventTypes } from '../../src/contract/events.ts';
import type { Filter } from '../../src/events/filter.ts';
import { toFrame } from '../../src/events/frames.ts';
import { Hub } from '../../src/events/hub.ts';
import { Past } from '../../src/events/past.ts';

/** Nothing is read back here. */
const past = new Past({ newest: async () => 0, read: () => Promise.reject(new Error('nobody resumes')) }, 1);

let ids = 0;
const event = (tenant_id: string | null, scope_id: string | null, type = 'document.queued'): EventEnvelope => ({
  id: String(++ids),
  type,
  ts: '2026-11-15T09:30:00.000Z',
  tenant_id,
  scope_id,
  payload: { document_id: `"tenant_id":"${tenant_id}",` },
});

/** Somebody who listens from now on, and what came so far. */
async function listen(hub: Hub, filter: Filter) {
  const got: (string | Buffer)[] = [];
  const recipient = {
    send: (text: string | Buffer) => void got.push(text),
    sendPatiently: async () => true,
    gone: new AbortController().signal,
  };
  const leave = await hub.subscribe(filter, await hub.newest(), recipient);
  const data = () => [...got.join('').matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  return { got, leave, data, ids: () => data().map(({ id }) => Number(id)) };
}
const ofTenant = (tenantId: string, more: Partial<Filter> = {}): Filter => ({
  scope: { tenantId },
  types: null,
  isForTenant: true,
  ...more,
});
const newHub = () => {
  ids = 0;
  return new Hub(0, past);
};

it('tells tenants what became of documents, contradictions and scopes, and nothing else', () => {
  expect(tenantEventTypes.every((type) => /^(document|contradiction|scope)\./.test(type))).toBe(true);
  const kept = Object.keys(eventKinds).filter((type) => !isForTenants(type));
  expect(new Set(kept.map((type) => type.split('.')[0]))).toEqual(new Set(['runtime', 'worker', 'tenant', 'key']));
});

it('leaves out whose an event is, and only that', () => {
  ids = 0;
  const whole = event('ten_a', 's');
  const frame = toFrame(whole);
  const { tenant_id, ...rest } = whole;
  expect(frame.tenantText).toBe(`id: 1\nevent: document.queued\ndata: ${JSON.stringify(rest)}\n\n`);
  expect(frame.text).toContain('"tenant_id":"ten_a","scope_id"');
});

it('tells each tenant of its own scopes, in order, and who is limited of those', async () => {
  const hub = newHub();
  const all = await listen(hub, ofTenant('ten_a'));
  const some = await listen(hub, ofTenant('ten_a', { scopeIds: new Set(['two', 'three']) }));
  const none = await listen(hub, ofTenant('ten_a', { scopeIds: new Set() }));
  const one = await listen(hub, ofTenant('ten_a', { scope: { tenantId: 'ten_a', scopeId: 'one' } }));
  const other = await listen(hub, ofTenant('ten_b'));
  const queued = await listen(hub, ofTenant('ten_a', { types: new Set(['document.queued']) }));
  hub.publish(
    [
      event('ten_a', 'one'),
      event('ten_a', 'two'),
      event('ten_b', 'one'),
      event('ten_a', 'one', 'scope.reset'),
      event('ten_a', 'one', 'runtime.paused'),
      event('ten_a', null, 'key.issued'),
      event(null, null, 'worker.started'),
      // Of no scope, whatever it is.
      event('ten_a', null, 'document.queued'),
      event('ten_a', 'three'),
    ].map(toFrame),
  );
  expect(all.ids()).toEqual([1, 2, 4, 9]);
  expect(some.ids()).toEqual([2, 9]);
  expect(none.got).toEqual([]);
  expect(one.ids()).toEqual([1, 4]);
  expect(other.ids()).toEqual([3]);
  expect(queued.ids()).toEqual([1, 2, 9]);
  for (const stream of [all, some, one, other, queued])
    for (const data of stream.data()) expect(Object.keys(data)).toEqual(['id', 'type', 'ts', 'scope_id', 'payload']);
});

it('sends nothing at all, and no empty piece, of what is not for tenants', async () => {
  const hub = newHub();
  const [tenant, operator] = [await listen(hub, ofTenant('ten_a')), await listen(hub, { scope: null, types: null })];
  hub.publish([event('ten_a', 'one', 'runtime.paused')].map(toFrame));
  expect(tenant.got).toEqual([]);
  expect(operator.ids()).toEqual([1]);
});

it('makes what tenants get once for all of them, beside what operators get', async () => {
  const hub = newHub();
  const inScope = { tenantId: 'ten_a', scopeId: 's' };
  const tenants = [await listen(hub, ofTenant('ten_a')), await listen(hub, ofTenant('ten_a'))];
  const ofScope = [
    await listen(hub, ofTenant('ten_a', { scope: inScope })),
    await listen(hub, ofTenant('ten_a', { scope: inScope })),
  ];
  const operator = await listen(hub, { scope: inScope, types: null });
  const frames = [event('ten_a', 's'), event('ten_a', 's')].map(toFrame);
  hub.publish(frames);
  expect(tenants[0]?.got[0]).toBe(tenants[1]?.got[0]);
  expect(ofScope[0]?.got[0]).toBe(ofScope[1]?.got[0]);
  expect(operator.data().map(({ tenant_id }) => tenant_id)).toEqual(['ten_a', 'ten_a']);
  expect(ofScope[0]?.data()).toEqual(tenants[0]?.data());
});

it('does not look at who listens elsewhere', async () => {
  const hub = newHub();
  let looks = 0;
  const watched = (filter: Filter) =>
    new Proxy(filter, {
      get(...args) {
        looks++;
        return Reflect.get(...args);
      },
    });
  for (let n = 0; n < 500; n++) await listen(hub, watched(ofTenant(`ten_${n}`)));
  for (let n = 0; n < 500; n++)
    await listen(hub, watched(ofTenant('ten_a', { scope: { tenantId: 'ten_a', scopeId: `s${n}` } })));
  const own = await listen(hub, ofTenant('ten_a'));
  looks = 0;
  hub.publish([event('ten_a', 'one'), event('ten_a', 'two')].map(toFrame));
  expect([own.ids(), looks]).toEqual([[1, 2], 0]);
});

it('forgets who has left', async () => {
  const hub = newHub();
  const stream = await listen(hub, ofTenant('ten_a'));
  stream.leave();
  hub.publish([event('ten_a', 's')].map(toFrame));
  expect(stream.got).toEqual([]);
});
