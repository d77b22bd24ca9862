/** Whoever waits hears of what it waits for, also of what happened while it was reading. */
import { expect, it } from 'vitest';
import { deleted, done, given, Watch } from '../../src/events/watch.ts';

let id = 0;
const event = (
  type: string,
  payload: Record<string, unknown> = {},
  scope_id: string | null = 's',
  tenant_id = 't',
) => ({
  id: `${++id}`,
  type,
  ts: '',
  tenant_id,
  scope_id,
  payload,
});

function listening(wanted: string[]) {
  const watch = new Watch(() => {});
  const { scope, leave } = watch.enter('t', 's');
  const since = scope.now;
  let rung = 0;
  const listen = (from = since) => scope.listen(wanted, from, () => rung++);
  return { watch, scope, leave, listen, rung: () => rung };
}

it.each([
  ['document.processed', { seq: 5 }, done(5)],
  ['document.failed', { seq: 5 }, done(5)],
  ['document.superseded', { seq: 5 }, done(5)],
  ['document.accepted', { seq: 5 }, given(5)],
  ['document.queued', { seq: 5 }, given(5)],
  ['document.deleted', { document_id: 'd' }, deleted('d')],
])('%s is heard by those who wait for it, and by nobody else', (type, payload, wanted) => {
  const { watch, listen, rung } = listening([wanted]);
  listen();
  watch.publish([
    event(type, { seq: 6, document_id: 'e' }),
    event(type, payload, 'other'),
    event(type, payload, 's', 'u'),
  ]);
  expect(rung()).toBe(0);
  watch.publish([event('contradiction.detected', payload), event(type, payload)]);
  expect(rung()).toBe(1);
});

it.each([
  ['scope.reset', 's'],
  ['scope.deleted', 's'],
  ['tenant.deleted', null],
])('%s is heard by all in the scope, whatever they wait for', (type, scope) => {
  const { watch, listen, rung } = listening([done(1)]);
  listen();
  watch.publish([event(type, {}, scope, 'u'), event(type, {}, scope ?? 'elsewhere', scope ? 'u' : 'tt')]);
  expect(rung()).toBe(0);
  watch.publish([event(type, {}, scope)]);
  expect(rung()).toBe(1);
});

it('what came between is rung at once, and what came before is not', () => {
  const { watch, scope, listen, rung } = listening([done(1), deleted('d')]);
  watch.publish([event('document.processed', { seq: 2 })]);
  listen()();
  expect(rung()).toBe(0);
  watch.publish([event('document.processed', { seq: 1 })]);
  listen()();
  expect(rung()).toBe(1);
  listen(scope.now)();
  expect(rung()).toBe(1);
});

it('who cannot know any more whether it was told is rung', () => {
  const { watch, scope, listen, rung } = listening([done(1)]);
  watch.publish(Array.from({ length: 1001 }, (_, n) => event('document.processed', { seq: n + 2 })));
  listen()();
  expect(rung()).toBe(1);
  listen(scope.now)();
  expect(rung()).toBe(1);
});

it('is heard for as long as somebody is there', () => {
  let woken = 0;
  const watch = new Watch(() => woken++);
  const [one, two] = [watch.enter('t', 's'), watch.enter('t', 's')];
  expect([watch.isHeard, woken, one.scope === two.scope]).toEqual([true, 1, true]);
  one.leave();
  expect(watch.isHeard).toBe(true);
  two.leave();
  expect(watch.isHeard).toBe(false);
});
