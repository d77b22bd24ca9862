import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Value } from '@sinclair/typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExtractorRequest } from '../../src/contract/extractor.ts';
import { type ExtractorOptions, RemoteExtractor } from '../../src/runtime/extractor.ts';
import { ExtractorFailed } from '../../src/runtime/extractor-client.ts';
import { later } from '../support/later.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

const KEY = 'hush-this-is-the-key';
const TEXT = 'Hush: the lease runs for three years. 🙂 It ends in 2029.';
const document = { document_id: 'lease-12', version: 2, scope_id: 'contracts', name: 'Lease', type: 'txt', text: TEXT };
const claim = { subject: 'lease', attribute: 'runs for', value: 3, unit: 'years', sentence: 'It runs.' };
const watched = (signal: AbortSignal) => ({ signal, onProgress: () => {} });
const never = watched(new AbortController().signal);

interface Asked {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
  body: any;
  at: number;
}
type Behaviour = (response: ServerResponse, nth: number, asked: Asked) => unknown;

/** An extractor of our own; `nth` counts the requests from 1. */
async function startServer(behave: Behaviour, port = 0) {
  const asked: Asked[] = [];
  const now = { behave, open: 0, gone: 0 };
  const server = createServer(async (request, response) => {
    now.open++;
    response.once('close', () => {
      now.open--;
      if (!response.writableFinished) now.gone++;
    });
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url: path, headers } = request;
    const one = { method, path, headers, body: JSON.parse(body), at: performance.now() };
    asked.push(one);
    await now.behave(response, asked.length, one);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  later(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, now, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/extract` };
}

const answer =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const inTurn =
  (...behaviours: Behaviour[]): Behaviour =>
  (response, nth, asked) =>
    (behaviours[nth - 1] ?? (behaviours.at(-1) as Behaviour))(response, nth, asked);
const right = answer({ claims: [claim] });
const silent: Behaviour = () => {};

function remote(url: string, change: Partial<ExtractorOptions> = {}): RemoteExtractor {
  return new RemoteExtractor({ url, key: KEY, timeoutMs: 60_000, attempts: 3, atOnce: 4, backOffMs: 2, ...change });
}

async function start(behave: Behaviour, change: Partial<ExtractorOptions> = {}) {
  const server = await startServer(behave);
  return { ...server, extractor: remote(server.url, change) };
}

/** Why it failed, after a look that nothing leaked. */
async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ExtractorFailed);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hush/i);
  return error.message;
}

const warnings: Error[] = [];
const onWarning = (warning: Error) => warnings.push(warning);
process.on('warning', onWarning);
later(() => process.off('warning', onWarning));
afterEach(() => expect(warnings).toEqual([]));

describe('a right answer', () => {
  it('is taken, with its defaults', async () => {
    const { extractor, asked } = await start(answer({ claims: [claim] }));
    expect(await extractor.extract('a', document, never)).toEqual({
      claims: [{ ...claim, polarity: 'affirmed', modality: 'fact', qualifiers: {} }],
      warnings: [],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ method: 'POST', path: '/extract' });
    expect(asked[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'docket',
      authorization: `Bearer ${KEY}`,
    });
  });

  it('is given to a request of the contract, which says nothing of the tenant', async () => {
    const { extractor, asked } = await start(right);
    const claimed = { ...document, tenant_id: 'ten_1', attempts: 0 };
    await extractor.extract('a', claimed, never);
    expect(asked[0]?.body).toEqual({ integration_version: 'v1', document });
    expect(Value.Check(ExtractorRequest, asked[0]?.body)).toBe(true);
  });

  it('may say everything', async () => {
    const full = {
      ...claim,
      value: 'three years',
      polarity: 'denied',
      modality: 'plan',
      qualifiers: { time: '2026', place: 'Aarhus', condition: 'if renewed', subset: 'the ground floor' },
      span: { start: 0, end: TEXT.length },
      confidence: 0.5,
    };
    const full2 = { ...claim, value: true };
    const { extractor } = await start(answer({ claims: [full, full2], warnings: ['page 3 was not legible'] }));
    expect(await extractor.extract('a', document, never)).toMatchObject({
      claims: [full, full2],
      warnings: ['page 3 was not legible'],
    });
  });

  it('may hold no claims', async () => {
    const { extractor } = await start(answer({ claims: [] }));
    expect(await extractor.extract('a', document, never)).toEqual({ claims: [], warnings: [] });
  });

  it('may leave the sentence to the span', async () => {
    const { sentence: _, ...rest } = claim;
    const { extractor } = await start(answer({ claims: [{ ...rest, span: { start: 6, end: 38 } }] }));
    const { claims } = await extractor.extract('a', document, never);
    expect(claims[0]).toMatchObject({ sentence: 'the lease runs for three years.', span: { start: 6, end: 38 } });
  });

  it('shows the beginning of a long span, in whole characters', async () => {
    const { sentence: _, ...rest } = claim;
    const text = `a${'🙂'.repeat(3000)}`;
    const { extractor } = await start(answer({ claims: [{ ...rest, span: { start: 0, end: text.length } }] }));
    const { claims } = await extractor.extract('a', { ...document, text }, never);
    expect(claims[0]?.sentence).toBe(`a${'🙂'.repeat(999)}`);
  });

  it('needs no key, and counts characters as JSON Schema does', async () => {
    const { extractor, asked } = await start(answer({ claims: [{ ...claim, unit: '🙂'.repeat(50) }] }), {
      key: undefined,
    });
    expect((await extractor.extract('a', document, never)).claims).toHaveLength(1);
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });
});

describe('an answer that does not fit', () => {
  const { sentence: _, ...unshown } = claim;
  const one = (change: object) => ({ claims: [claim, { ...claim, ...change }] });
  const spanned = (start: unknown, end: unknown) => ({ claims: [{ ...unshown, span: { start, end } }] });
  it.each<[string, unknown]>([
    ['it must be object', []],
    ['it must be object', '"Hush"'],
    ['it must be object', 'null'],
    ['claims is missing', {}],
    ['claims must be array', { claims: {} }],
    ['claims must NOT have more than 1000 items', { claims: Array(1001).fill(claim) }],
    ['it has a property that is not in the contract', { claims: [], [TEXT]: 1 }],
    ['it has a property that is not in the contract', '{"claims": [], "__proto__": {"warnings": []}}'],
    ['claims[1].subject is missing', { claims: [claim, { attribute: 'a', value: 1 }] }],
    ['claims[1].subject must be string', one({ subject: 1 })],
    ['claims[1].subject must NOT have fewer than 1 characters', one({ subject: '' })],
    ['claims[1].subject is blank', one({ subject: ' ' })],
    ['claims[1].attribute must NOT have more than 200 characters', one({ attribute: 'x'.repeat(201) })],
    ['claims[1].value must be a text of 1 to 500 characters', one({ value: null })],
    ['claims[1].value must be a text of 1 to 500 characters', one({ value: 'x'.repeat(501) })],
    ['claims[1].value must be a text of 1 to 500 characters', one({ value: { is: TEXT } })],
    ['claims[0].value must be a text', '{"claims": [{"subject": "s", "attribute": "a", "value": 1e999}]}'],
    ['claims[1].unit must NOT have more than 50 characters', one({ unit: 'x'.repeat(51) })],
    ['claims[1].polarity must be one of affirmed, denied', one({ polarity: 'hush' })],
    ['claims[1].modality must be one of fact, plan, hypothesis, question, reported', one({ modality: null })],
    ['claims[1].qualifiers has a property that is not in the contract', one({ qualifiers: { hush: '' } })],
    ['claims[1].qualifiers.time must be string', one({ qualifiers: { time: 2026 } })],
    ['claims[1].sentence must NOT have more than 2000 characters', one({ sentence: 'x'.repeat(2001) })],
    ['claims[1].sentence is blank', one({ sentence: ' ' })],
    ['claims[1].confidence must be <= 1', one({ confidence: 1.1 })],
    ['claims[1].sentence must not contain U+0000', one({ sentence: 'hush\0' })],
    ['claims[1].qualifiers.place must not contain U+0000', one({ qualifiers: { place: 'hush\ud800' } })],
    ['claims[1] has a property that is not in the contract', one({ [KEY]: 1 })],
    ['claims[0] has neither a sentence nor a span', { claims: [unshown] }],
    ['claims[0].span.start must be integer', spanned(0.5, 3)],
    ['claims[0].span.start must be >= 0', spanned(-1, 3)],
    ['claims[0].span.start must not be after its end', spanned(4, 3)],
    [`claims[0].span.end must be at most ${TEXT.length}, the length of the text`, spanned(0, TEXT.length + 1)],
    ['claims[0].span.end is missing', spanned(0, undefined)],
    ['claims[0].span is blank', spanned(4, 4)],
    ['claims[0].span is blank', spanned(5, 6)],
    ['claims[0].span splits a character', spanned(0, TEXT.indexOf('🙂') + 1)],
    ['warnings must NOT have more than 20 items', { claims: [], warnings: Array(21).fill('w') }],
    ['warnings[0] must NOT have more than 300 characters', { claims: [], warnings: ['w'.repeat(301)] }],
  ])('%s', async (problem, body) => {
    const { extractor, asked } = await start(answer(body));
    expect(await failure(extractor.extract('a', document, never))).toContain(`its answer does not fit: ${problem}`);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['text', answer(`The text was ${TEXT}`)],
    ['nothing', answer('')],
    ['half an object', answer('{"claims": [')],
    ['204', answer('', 204)],
    ['wrong UTF-8', (response) => response.end(Buffer.from('{"claims": ["\xff"]}', 'latin1'))],
  ])('is no JSON: %s', async (_, behave) => {
    const { extractor, asked } = await start(behave);
    expect(await failure(extractor.extract('a', document, never))).toBe('its answer is not JSON');
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['at once', answer(' '.repeat(2_000_001))],
    [
      'without end',
      async (response) => {
        response.on('error', () => {});
        while (!response.closed) if (!response.write(' '.repeat(65_536))) await sleep(1);
      },
    ],
    ['packed', (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50_000_000)))],
  ])('is too large: %s', async (_, behave) => {
    const { extractor, asked, now } = await start(behave);
    expect(await failure(extractor.extract('a', document, never))).toBe('its answer is larger than 2 MB');
    expect(asked).toHaveLength(1);
    await until(
      () => now.open,
      (open) => open === 0,
    );
  });

  it('is just small enough', async () => {
    const { extractor } = await start(answer(JSON.stringify({ claims: [] }).padEnd(2_000_000)));
    expect(await extractor.extract('a', document, never)).toEqual({ claims: [], warnings: [] });
  });
});

describe('a slow extractor', () => {
  it('that says nothing is given up, each time it is tried', async () => {
    const { extractor, asked, now } = await start(silent, { timeoutMs: 100, attempts: 2 });
    expect(await failure(extractor.extract('a', document, never))).toBe('did not answer within 100 ms');
    expect(asked).toHaveLength(2);
    await until(
      () => now.gone,
      (gone) => gone === 2,
    );
  });

  it('that trickles is given up all the same', async () => {
    const { extractor, now } = await start(
      async (response) => {
        while (!response.closed) {
          response.write(' ');
          await sleep(5);
        }
      },
      { timeoutMs: 60, attempts: 1 },
    );
    expect(await failure(extractor.extract('a', document, never))).toBe('did not answer within 60 ms');
    await until(
      () => now.gone,
      (gone) => gone === 1,
    );
  });

  it('may answer the second time', async () => {
    const { extractor, asked } = await start(inTurn(silent, right), { timeoutMs: 300 });
    expect((await extractor.extract('a', document, never)).claims).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });
});

describe('an extractor that fails', () => {
  it.each([500, 502, 503, 599, 408, 429])('is tried again after %i', async (status) => {
    const { extractor, asked } = await start(inTurn(answer(TEXT, status), answer(TEXT, status), right));
    expect((await extractor.extract('a', document, never)).claims).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(asked[2]?.body).toEqual(asked[0]?.body);
  });

  it('is tried so many times', async () => {
    const { extractor, asked } = await start(answer('', 500));
    expect(await failure(extractor.extract('a', document, never))).toBe('answered 500');
    expect(asked).toHaveLength(3);
  });

  it.each([400, 401, 404, 413, 422])('is not tried again after %i', async (status) => {
    const { extractor, asked } = await start(inTurn(answer({ error: TEXT }, status), right));
    expect(await failure(extractor.extract('a', document, never))).toBe(`answered ${status}`);
    expect(asked).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])('does not send the document elsewhere with %i', async (status) => {
    const other = await startServer(right);
    const { extractor, asked } = await start(answer('', status, { location: other.url }));
    const reason = await failure(extractor.extract('a', document, never));
    expect(reason).toBe(`answered ${status}; redirects are not followed`);
    expect(asked).toHaveLength(1);
    expect(other.asked).toHaveLength(0);
  });

  it('is left for as long as it says', async () => {
    const { extractor, asked } = await start(inTurn(answer('', 429, { 'retry-after': '1' }), right));
    await extractor.extract('a', document, never);
    expect((asked[1] as Asked).at - (asked[0] as Asked).at).toBeGreaterThan(990);
  });

  it.each([
    ['so many seconds', '6'],
    ['a date', new Date(Date.now() + 60_000).toUTCString()],
  ])('is not waited for when it says too long: %s', async (_, wish) => {
    const { extractor, asked } = await start(inTurn(answer('', 429, { 'retry-after': wish }), right));
    expect(await failure(extractor.extract('a', document, never))).toBe('answered 429');
    expect(asked).toHaveLength(1);
  });

  it.each(['soon', '-5', '0', new Date(0).toUTCString()])('may say nonsense about that: %s', async (wish) => {
    const { extractor } = await start(inTurn(answer('', 503, { 'retry-after': wish }), right));
    expect((await extractor.extract('a', document, never)).claims).toHaveLength(1);
  });

  it('may break off in the middle of its answer', async () => {
    const cut: Behaviour = (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"claims": [');
      setTimeout(() => response.destroy(), 5);
    };
    const good = await start(inTurn(cut, right));
    expect((await good.extractor.extract('a', document, never)).claims).toHaveLength(1);
    const bad = await start(cut);
    expect(await failure(bad.extractor.extract('a', document, never))).toMatch(/^its connection failed \(\w+\)$/);
    expect(bad.asked).toHaveLength(3);
  });

  it('may break off before it answers', async () => {
    const { extractor, asked } = await start(inTurn((response) => response.destroy(), right));
    expect((await extractor.extract('a', document, never)).claims).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it('is not listened to any longer', async () => {
    const { extractor, now } = await start((response) => response.writeHead(400).write('and so on'));
    expect(await failure(extractor.extract('a', document, never))).toBe('answered 400');
    await until(
      () => now.gone,
      (gone) => gone === 1,
    );
  });

  it('may not be there', async () => {
    const extractor = remote(`http://127.0.0.1:${await freePort()}/`);
    expect(await failure(extractor.extract('a', document, never))).toBe('its connection failed (ECONNREFUSED)');
  });
});

describe('many documents at once', () => {
  const busy = { now: 0, most: 0 };
  beforeEach(() => Object.assign(busy, { now: 0, most: 0 }));

  const work =
    (ms: number, then = right): Behaviour =>
    async (response, nth, asked) => {
      busy.most = Math.max(busy.most, ++busy.now);
      await sleep(ms);
      // Before it answers: whoever hears it may be here again before this one is closed.
      busy.now--;
      then(response, nth, asked);
    };

  it('are never more than it is to have, and share one signal', async () => {
    const { extractor, asked } = await start(work(5), { atOnce: 3 });
    const oneAfterTheOther = async () => {
      for (let n = 0; n < 5; n++) await extractor.extract('a', document, never);
    };
    await Promise.all(Array.from({ length: 8 }, oneAfterTheOther));
    expect(asked).toHaveLength(40);
    expect(busy.most).toBe(3);
  });

  it('nor when it fails, and they come again', async () => {
    const everySecond: Behaviour = (response, nth, asked) => (nth % 2 ? answer('', 500) : right)(response, nth, asked);
    const { extractor, asked } = await start(work(2, everySecond), { atOnce: 2, attempts: 20 });
    await Promise.all(Array.from({ length: 10 }, () => extractor.extract('a', document, never)));
    expect(asked).toHaveLength(20);
    expect(busy.most).toBe(2);
  });

  it('come in their order', async () => {
    const { extractor, asked } = await start(work(1), { atOnce: 1 });
    const names = Array.from({ length: 8 }, (_, n) => `${n}`);
    await Promise.all(names.map((name) => extractor.extract('a', { ...document, name }, never)));
    expect(asked.map(({ body }) => body.document.name)).toEqual(names);
  });
});

describe('called off', () => {
  const reason = new Error('enough');

  async function calledOff(behave: Behaviour, change: Partial<ExtractorOptions> = {}) {
    const server = await start(behave, { timeoutMs: 60_000, ...change });
    const off = new AbortController();
    const work = server.extractor.extract('a', document, watched(off.signal)).catch((error) => error);
    await until(
      () => server.asked.length,
      (length) => length === 1,
    );
    off.abort(reason);
    expect(await work).toBe(reason);
    return server;
  }

  it('before it began', async () => {
    const { extractor, asked } = await start(right);
    await expect(extractor.extract('a', document, watched(AbortSignal.abort(reason)))).rejects.toBe(reason);
    expect(asked).toHaveLength(0);
  });

  it('while it waits for an answer, and its connection is closed', async () => {
    const { now } = await calledOff(silent);
    await until(
      () => now.gone,
      (gone) => gone === 1,
    );
  });

  it('in the middle of an answer', async () => {
    await calledOff((response) => response.write('{'));
  });

  it('while it waits to try again', async () => {
    await calledOff(answer('', 500), { backOffMs: 5000 });
  });

  it('while it waits in line, which the others do not notice', async () => {
    const { extractor, asked, now } = await start(silent, { atOnce: 1, timeoutMs: 300 });
    const first = extractor.extract('a', document, never);
    const off = new AbortController();
    const second = extractor.extract('a', document, watched(off.signal));
    const third = extractor.extract('a', document, never);
    await until(
      () => asked.length,
      (length) => length === 1,
    );
    off.abort(reason);
    await expect(second).rejects.toBe(reason);
    now.behave = right;
    // The first one's time-out gives way to the third.
    await Promise.all([first, third]);
    expect(asked).toHaveLength(3);
  });

  it('does not count as a failure', async () => {
    const { extractor, now } = await start(silent, { failuresInARow: 1 });
    const off = new AbortController();
    const work = extractor.extract('a', document, watched(off.signal));
    off.abort(reason);
    await expect(work).rejects.toBe(reason);
    now.behave = right;
    await extractor.extract('a', document, never);
  });
});

describe('an extractor that fails time after time', () => {
  const REST_MS = 1000;
  const settings = { attempts: 1, failuresInARow: 3, restMs: REST_MS };
  const LEFT_ALONE = /^has failed repeatedly; left alone until \d{4}-\d\d-\d\dT[\d:.]+Z$/;

  async function failing(change: Partial<ExtractorOptions> = {}) {
    const server = await start(answer('', 500), { ...settings, ...change });
    for (let n = 0; n < 3; n++)
      expect(await failure(server.extractor.extract('a', document, never))).toBe('answered 500');
    return server;
  }

  it('is left alone, then tried once, and taken back when that goes well', async () => {
    const { extractor, asked, now } = await failing();
    const until = new Date((await failure(extractor.extract('a', document, never))).split('until ')[1] as string);
    expect(until.getTime() - Date.now()).toBeLessThanOrEqual(REST_MS);
    expect(await failure(extractor.extract('a', document, never))).toMatch(LEFT_ALONE);
    expect(asked).toHaveLength(3);

    await sleep(REST_MS);
    now.behave = async (response, nth, asked) => {
      await sleep(10);
      right(response, nth, asked);
    };
    const [trial, ...others] = [1, 2, 3].map(() => extractor.extract('a', document, never));
    for (const other of others)
      expect(await failure(other)).toBe('has failed repeatedly; another document is trying it');
    await trial;
    expect(asked).toHaveLength(4);
    await Promise.all([1, 2, 3].map(() => extractor.extract('a', document, never)));
    expect(asked).toHaveLength(7);
  });

  it('is left alone again when the trial fails, which is one attempt only', async () => {
    const { extractor, asked, now } = await failing({ attempts: 2 });
    expect(asked).toHaveLength(6);
    await sleep(REST_MS);
    now.behave = answer('', 500, { 'retry-after': '4' });
    expect(await failure(extractor.extract('a', document, never))).toBe('answered 500');
    expect(await failure(extractor.extract('a', document, never))).toMatch(LEFT_ALONE);
    expect(asked).toHaveLength(7);
  });

  it('is tried by the next one when the trial was called off', async () => {
    const { extractor, now } = await failing();
    await sleep(REST_MS);
    now.behave = silent;
    const off = new AbortController();
    const trial = extractor.extract('a', document, watched(off.signal));
    off.abort();
    await expect(trial).rejects.toThrow();
    now.behave = right;
    await extractor.extract('a', document, never);
  });

  it('does not keep those who wait in line', async () => {
    const { extractor, asked } = await start(silent, { ...settings, atOnce: 3, timeoutMs: 100, restMs: 10_000 });
    const reasons = await Promise.all(
      Array.from({ length: 50 }, () => failure(extractor.extract('a', document, never))),
    );
    // Three at first, and one in the place of each of the first two to fail.
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(reasons.filter((reason) => LEFT_ALONE.test(reason)).length).toBeGreaterThanOrEqual(45);
  });

  it('is not tried again by those who have begun', async () => {
    const { extractor, asked, now } = await start(answer('', 500), {
      ...settings,
      attempts: 2,
      backOffMs: 2000,
      restMs: 10_000,
    });
    const slow = extractor.extract('a', document, never);
    await until(
      () => asked.length,
      (length) => length === 1,
    );
    now.behave = answer('Hush', 200);
    for (let n = 0; n < 3; n++) await failure(extractor.extract('a', document, never));
    expect(await failure(slow)).toBe('answered 500');
    expect(asked).toHaveLength(4);
  });

  it('has failed in a row only: a right answer, or a refusal, begins a new one', async () => {
    const bad = answer('', 500);
    const { extractor, asked } = await start(
      inTurn(bad, bad, right, bad, bad, answer('', 422), bad, bad, right),
      settings,
    );
    for (let n = 0; n < 9; n++) await extractor.extract('a', document, never).catch(() => {});
    expect(asked).toHaveLength(9);
  });
});

describe('the tenants of one extractor', () => {
  const settings = { attempts: 1, failuresInARow: 3, restMs: 60_000, timeoutMs: 100 };
  const other = { ...document, name: 'Broken' };
  /** Right for all documents but one tenant's. */
  const broken =
    (wrong: Behaviour): Behaviour =>
    (response, nth, asked) =>
      (asked.body.document.name === 'Broken' ? wrong : right)(response, nth, asked);

  it.each<[string, Behaviour]>([
    ['answers nonsense', answer('Hush')],
    ['fails', answer('', 500)],
    ['is silent', silent],
    ['breaks off', (response) => response.destroy()],
  ])('each have a breaker: where it %s for one, the others are read by it', async (_, wrong) => {
    const { extractor } = await start(broken(wrong), settings);
    for (let n = 0; n < 5; n++) await failure(extractor.extract('a', other, never));
    expect(await failure(extractor.extract('a', document, never))).toMatch(/^has failed repeatedly/);
    expect((await extractor.extract('b', document, never)).claims).toHaveLength(1);
    expect(extractor.figures).toMatchObject({ isUnreachable: false, tenantsResting: 1, answered: 1, failed: 3 });
  });

  it('share one for connections: refused to one, it is left alone by all', async () => {
    const extractor = remote(`http://127.0.0.1:${await freePort()}/`, settings);
    for (const tenant of ['a', 'b', 'c'])
      expect(await failure(extractor.extract(tenant, document, never))).toMatch(/ECONNREFUSED/);
    expect(await failure(extractor.extract('d', document, never))).toMatch(/^could not be reached repeatedly; left/);
    expect(extractor.figures).toMatchObject({ isUnreachable: true, tenantsResting: 0, failed: 3, not_asked: 1 });
  });

  it('share it so that nobody keeps the trial from the others: silence too means that it was reached', async () => {
    const port = await freePort();
    const extractor = remote(`http://127.0.0.1:${port}/`, { ...settings, restMs: 1 });
    for (let n = 0; n < 3; n++) await failure(extractor.extract('a', document, never));
    await startServer(broken(silent), port);
    await sleep(5);
    expect(await failure(extractor.extract('a', other, never))).toMatch(/^did not answer/);
    await Promise.all([1, 2, 3].map(() => extractor.extract('b', document, never)));
  });

  it('each get a slot, though another has documents without end that are not answered', async () => {
    const { extractor, now } = await start(broken(silent), { atOnce: 4 });
    await extractor.extract('b', document, never);
    const off = new AbortController();
    const slow = Array.from({ length: 100 }, () => extractor.extract('a', other, watched(off.signal)));
    await until(
      () => now.open,
      (open) => open === 3,
    );
    for (let n = 0; n < 20; n++) await extractor.extract('b', document, never);
    expect(now.open).toBe(3);
    off.abort(new Error('enough'));
    expect((await Promise.allSettled(slow)).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('wait for no more than an attempt: between two of them a slot is free', async () => {
    const { extractor, asked } = await start(broken(answer('', 500)), { atOnce: 1, attempts: 2, backOffMs: 60_000 });
    const off = new AbortController();
    const slow = extractor.extract('a', other, watched(off.signal)).catch((error) => error);
    await until(
      () => asked.length,
      (length) => length === 1,
    );
    await extractor.extract('b', document, never);
    off.abort(new Error('enough'));
    expect((await slow).message).toBe('enough');
  });
});

describe('settings that cannot be', () => {
  it.each([
    ['no URL', { url: 'hush' }],
    ['another protocol', { url: 'ftp://hush' }],
    ['a password in the URL', { url: 'http://me:hush@127.0.0.1/' }],
    ['a key on two lines', { key: 'hush\nhush' }],
    ['an empty key', { key: '' }],
  ])('are refused and not repeated: %s', (_, change) => {
    const build = () => remote('http://127.0.0.1/', change);
    expect(build).toThrow(/^the extractor/);
    expect(build).not.toThrow(/hush/);
  });
});
