/** Random histories: of callers alone, and of callers and workers. */
import fc from 'fast-check';
import type { Post } from './model.ts';
import type { Operation } from './model-orders.ts';
import type { Work } from './model-work.ts';

/** What is done at the same time. */
export type Moment = Operation[];

const is = <Value>(value: Value) => fc.constant(value);
const of = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
type Weighted<Value = Operation> = [weight: number, arbitrary: fc.Arbitrary<Value>];
const mix = <Value>(...parts: Weighted<Value>[]) =>
  fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** One of them more often than the other, so that more happens to it. */
const scope = of('one', 'one', 'two');
const id = of('a', 'a', 'b');
const posting = (key: fc.Arbitrary<string | null>) => {
  const address = { scope, id: fc.option(id), key };
  return mix<Post>(
    [2, fc.record({ kind: is('ingest' as const), text: of('x', 'y'), ...address })],
    [1, fc.record({ kind: is('store' as const), text: fc.constantFrom('x', 'y', null), ...address })],
  );
};
const reading = fc.record({ kind: is('read' as const), scope, id });
const deleting = fc.record({ kind: is('delete' as const), scope, id });
const resetting = fc.record({ kind: of('reset', 'delete scope'), scope });
const triggering = fc.record({ kind: is('trigger' as const), scope, retryFailed: fc.boolean() });

const caller = mix<Operation>(
  [12, posting(fc.option(of('k', 'l')))],
  [3, reading],
  [3, deleting],
  [2, resetting],
  [2, triggering],
);
/** Four at a time have 24 orders, and more would find no more. */
export const accepting: fc.Arbitrary<Moment[]> = fc.array(fc.array(caller, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});

const fate: fc.Arbitrary<Work['fate']> = fc.oneof(
  { weight: 4, arbitrary: fc.array(of('done', 'error', 'again'), { minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.constantFrom<Work['fate']>(['done'], ['error']) },
  { weight: 2, arbitrary: fc.constantFrom<Work['fate']>('vanish', 'called off') },
);
const working = (crowded: boolean, worker: fc.Arbitrary<string> = of('v', 'w')) =>
  fc.record({ kind: is('work' as const), worker, fate, turns: fc.constantFrom(1, 2, 2), crowded: is(crowded) });
const leaseEnding = fc.record({ kind: is('lease ends' as const), scope });
const retrying = fc.record({ kind: is('retries due' as const), scope });
/** Fewer keys and less that wipes all out, so that more is processed. */
const posts = posting(fc.constantFrom(null, null, null, null, 'k', 'l'));
const client = mix<Operation>([10, posts], [2, reading], [2, deleting], [1, resetting], [2, triggering]);

const moments = (operations: Operation[]) => operations.map((operation): Moment => [operation]);
const some = (maxLength: number, ...parts: Weighted[]) => fc.array(mix(...parts), { maxLength }).map(moments);
/** A step of a turn that is to go on. */
const go = (work: Work): Moment => [{ ...work, fate: ['done'] }];
const ends = ({ scope }: Post): Operation => ({ kind: 'lease ends', scope });
/** The two steps of a turn, after something to do, and with something before the last that may cost it what it has. */
const turn = fc
  .tuple(some(2, [6, posts], [4, retrying], [1, triggering]), working(false), some(2, [3, client], [1, leaseEnding]))
  .map(([before, work, between]) => [...before, go(work), ...between, [work]]);
/** One worker is too slow, another takes its lane, and the first comes back at some time. */
const takeover = fc
  .tuple(posts, working(false, is('v')), working(false, is('w')), some(2, [1, client]), fc.nat({ max: 3 }))
  .map(([post, slow, other, between, late]) => {
    const meanwhile = [go(other), ...between, [other]];
    return [[post], go(slow), [ends(post)], ...meanwhile.toSpliced(late, 0, [slow])];
  });
/** A worker vanishes with its documents, and so does the next one, before somebody comes to an end. */
const vanishing = fc
  .tuple(posts, working(false), fc.integer({ min: 1, max: 3 }), some(1, [1, client]))
  .map(([post, work, times, between]) => {
    const vanish: Moment[] = [go(work), [{ ...work, fate: 'vanish' }], [ends(post)]];
    return [[post], ...Array(times).fill(vanish).flat(), go(work), ...between, [work]];
  });
/** A worker comes to the end of its turn, or to whatever is its next step, while others are at it too. */
const crowd = fc
  .tuple(
    some(2, [1, posts]),
    working(false, is('v')),
    fc.option(working(true, is('w'))),
    fc.array(client, { minLength: 1, maxLength: 2 }),
  )
  .map(([before, v, w, others]) => {
    const atOnce = [{ ...v, crowded: true }, w, ...others].filter((operation) => operation !== null);
    return [...before, go(v), atOnce];
  });
/** Most of the time one after the other. */
export const processing: fc.Arbitrary<Moment[]> = fc
  .noBias(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: some(1, [4, client], [1, leaseEnding], [1, retrying], [1, working(false)]) },
        { weight: 5, arbitrary: turn },
        { weight: 2, arbitrary: takeover },
        { weight: 1, arbitrary: vanishing },
        { weight: 2, arbitrary: crowd },
      ),
      { minLength: 1, maxLength: 8 },
    ),
  )
  .map((chunks) => chunks.flat());
