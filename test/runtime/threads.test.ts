/** Threads work in pieces, those of tenants in turn, and what comes of a batch is the same as if it were one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { ThreadDocument, ThreadResult } from '../../src/runtime/thread.ts';
import { Threads } from '../../src/runtime/threads.ts';

const OBEDIENT = new URL('../support/threads/obedient.ts', import.meta.url);
const PIPELINE = new URL('../../src/runtime/pipeline-thread.ts', import.meta.url);
/** Takes longer than a piece: each such document is one by itself. */
const LONG = 'wait 30';
/** What has so much text is read apart. */
const PADDING = 'x'.repeat(20_000);

let threads: Threads | undefined;
afterEach(() => threads?.stop());

async function start(
  module = OBEDIENT,
  { threads: many = 1, onIdleDeath = (_: unknown) => {} } = {},
): Promise<Threads> {
  threads = new Threads({ threads: many, module, documentTimeoutMs: 60_000, memoryMb: 64, onIdleDeath });
  threads.start();
  await threads.ready;
  return threads;
}

const watcher = { signal: new AbortController().signal, onProgress: () => {} };
const documents = (texts: string[]): ThreadDocument[] => texts.map((text) => ({ name: 'n', type: 'txt', text }));

function said(result: ThreadResult<{ claims: string }> | null): string | null {
  if (result === null) return null;
  return 'error' in result ? `error: ${result.error}` : JSON.parse(result.outcome.claims).text;
}

it('tells of a thread that dies with nothing in hand, and another takes its place', async () => {
  const { promise: died, resolve: onIdleDeath } = Promise.withResolvers<unknown>();
  const { read } = bound(await start(OBEDIENT, { onIdleDeath }));
  expect((await read('one', ['later'])).results.map(said)).toEqual(['later']);
  expect(await died).toMatchObject({ message: 'it threw later' });
  expect((await read('one', ['ok'])).results.map(said)).toEqual(['ok']);
});

it('a document of another tenant waits for a piece of a long batch, and not for all of it', async () => {
  const { read } = bound(await start());
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const long = read('heavy', Array(40).fill(LONG), { ...watcher, onProgress: begun.resolve }).then(() =>
    order.push('heavy'),
  );
  await begun.promise;
  const light = read('light', ['ok', 'ok']).then(() => order.push('light'));
  await Promise.all([long, light]);
  expect(order).toEqual(['light', 'heavy']);
});

it('a tenant with one batch does not wait for all those of a tenant with many', async () => {
  const { read } = bound(await start());
  const order: string[] = [];
  const ask = (tenant: string) => read(tenant, [LONG]).then(() => order.push(tenant));
  await Promise.all([...Array.from({ length: 10 }, () => ask('heavy')), ask('light')]);
  expect(order.indexOf('light')).toBe(1);
});

it('a short document does not wait for a long one of another tenant that is being read', async () => {
  const { read } = bound(await start());
  const folder = await mkdtemp(join(tmpdir(), 'docket-test-'));
  const held = join(folder, 'held');
  await writeFile(held, '');
  const begun = Promise.withResolvers<void>();
  const long = read('heavy', [`hold ${held} ${PADDING}`], { ...watcher, onProgress: begun.resolve });
  await begun.promise;
  expect((await read('light', ['ok'])).results.map(said)).toEqual(['ok']);
  await rm(folder, { recursive: true });
  expect((await long).results).toHaveLength(1);
});

it('all documents of a batch are read, in their order, whatever becomes of each', async () => {
  const { read } = bound(await start());
  const text = fc.constantFrom('ok', 'fine', 'throw oh', LONG, 'wait 5', `ok ${PADDING}`);
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
      const { results, ms } = await read('ten_1', texts);
      expect(results.map(said)).toEqual(texts.map((one) => (one === 'throw oh' ? 'error: oh' : one)));
      expect(ms).not.toBeNull();
    }),
    { numRuns: 10 },
  );
});

it('one that ends its thread is named, what was read in pieces before it is kept, and what comes after is taken again', async () => {
  const { read } = bound(await start());
  const { results, ms } = await read('ten_1', [LONG, LONG, 'exit', 'ok']);
  expect(results.map(said)).toEqual([LONG, LONG, 'error: Reading it ended its thread.', null]);
  expect(ms).toBeNull();
});

it('says that it goes on after each piece', async () => {
  const { read } = bound(await start());
  let times = 0;
  await read('ten_1', Array(4).fill(LONG), { ...watcher, onProgress: () => times++ });
  expect(times).toBeGreaterThanOrEqual(4);
});

it('a batch that is called off while it waits for its turn is given up, and the others go on', async () => {
  const { read } = bound(await start());
  const others = read('ten_1', Array(5).fill(LONG));
  const calledOff = new AbortController();
  const waiting = read('ten_2', ['ok'], { ...watcher, signal: calledOff.signal });
  calledOff.abort(new Error('no longer wanted'));
  await expect(waiting).rejects.toThrow('no longer wanted');
  expect((await others).results).toHaveLength(5);
});

it('a batch that waits when the threads are stopped is given up', async () => {
  const { read } = bound(await start());
  const both = Promise.allSettled([read('ten_1', Array(50).fill(LONG)), read('ten_1', Array(50).fill(LONG))]);
  await threads?.stop();
  for (const { status } of await both) expect(status).toBe('rejected');
});

it('a document is compared with each of the others, in pieces as in one', async () => {
  const running = await start(PIPELINE);
  const { read } = bound(running);
  const firm = (n: number) => `Firm${'abcdefghij'.charAt(n)} Foods`;
  const table = (factor: number) =>
    Array.from({ length: 10 }, (_, n) => `${firm(n)} has ${factor * (103 + n)} employees.`).join('\n\n');
  const { results } = await read('ten_1', [table(1), table(1), table(3), table(5)]);
  const claims = results.map((result) => (result && 'outcome' in result ? result.outcome.claims : ''));
  // Longer than what is sent in a piece, so that each pair is one.
  const padded = claims.map((text) => text + ' '.repeat(200_000));
  const comparisons = [
    { own: 0, others: [1, 2, 3] },
    { own: 2, others: [] },
    { own: 2, others: [3, 1] },
  ];
  const whole = await running.compare('ten_1', comparisons, claims, watcher);
  const inPieces = await running.compare('ten_1', comparisons, padded, watcher);
  expect(inPieces.results).toEqual(whole.results);
  const places = whole.results.map(
    (one) => one && 'outcome' in one && [...new Set(one.outcome.map(({ other }) => other))],
  );
  expect(places).toEqual([[1, 2], [], [0, 1]]);
});

it('claims that a thread never had, or has forgotten, are sent to it', async () => {
  const running = await start(PIPELINE, { threads: 2 });
  const { read } = bound(running);
  const texts = Array.from({ length: 12 }, (_, n) => `Bolt Foods has ${1013 + 170 * n} employees.`);
  const { results } = await read('ten_1', texts);
  // So long that a thread remembers a few of them.
  const claims = results.map((result) =>
    result && 'outcome' in result ? result.outcome.claims + ' '.repeat(300_000) : '',
  );
  const comparisons = claims.map((_, own) => ({
    own,
    others: claims.map((_text, other) => other).filter((other) => other !== own),
  }));
  const [one, other] = await Promise.all(
    ['ten_1', 'ten_2'].map((tenant) => running.compare(tenant, comparisons, claims, watcher)),
  );
  const found = one?.results.map((result) => (result && 'outcome' in result ? result.outcome.length : -1));
  expect(found).toEqual(Array(12).fill(11));
  expect(other?.results).toEqual(one?.results);
});

it('a thread that took the place of one that ended gets what it needs', async () => {
  const running = await start(PIPELINE);
  const { read } = bound(running);
  const { results } = await read('ten_1', ['Bolt Foods has 100 employees.', 'Bolt Foods has 200 employees.']);
  const claims = results.map((result) => (result && 'outcome' in result ? result.outcome.claims : ''));
  await running.stop();
  running.start();
  await running.ready;
  const compared = await running.compare('ten_1', [{ own: 0, others: [1] }], claims, watcher);
  expect(compared.results).toMatchObject([{ outcome: [{ other: 0 }] }]);
});

/** Reads texts. */
function bound(running: Threads) {
  return { read: (tenant: string, texts: string[], heard = watcher) => running.read(tenant, documents(texts), heard) };
}
