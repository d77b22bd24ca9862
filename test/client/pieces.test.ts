/** The parts of the client that need no service: lines and checksums however they are cut, and when to try again. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../client/src/body.ts';
import { ConnectionError, DocketError, problemError, readRetryAfter } from '../../client/src/errors.ts';
import { mayPass, pauseOf, Retries } from '../../client/src/retries.ts';
import { Sha256 } from '../../client/src/sha256.ts';
import { SseReader } from '../../client/src/sse-reader.ts';

/** The bytes in pieces, cut at these places. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const ends = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

const places = fc.array(fc.nat(), { maxLength: 8 });
const utf8 = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('lines', () => {
  it('are the same however they are cut, and only those that are complete', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', ''))),
        places,
        (lines, at) => {
          const reader = new LineReader();
          const bytes = utf8.encode(`${lines.map((line) => `${line}\n`).join('')}not complete`);
          const read = cut(bytes, at).flatMap((piece) => [...reader.read(piece)].map(text));
          expect(read).toEqual(lines.map((line) => text(utf8.encode(`${line}\n`))));
        },
      ),
    );
  });

  it('end somewhere', () => {
    const reader = new LineReader();
    const piece = new Uint8Array(1024 * 1024).fill(97);
    expect(() => {
      for (let n = 0; n < 100; n++) [...reader.read(piece)];
    }).toThrow('has no end');
  });
});

describe('the checksum', () => {
  it('is that of Node, however the bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), places, (bytes, at) => {
        const hash = new Sha256();
        for (const piece of cut(bytes, at)) hash.update(piece);
        expect(hash.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });
});

describe('events', () => {
  it('are the same however they are cut', () => {
    const stream = utf8.encode(
      'retry: 5\n: x\n\nid: 1\nevent: a\r\ndata: ä\r\ndata:b\r\n\r\nid: 2\n\ndata: c\n\nid: 3\ndata: no',
    );
    fc.assert(
      fc.property(places, (at) => {
        const reader = new SseReader('0');
        const events = cut(stream, at).flatMap((piece) => [...reader.read(piece)]);
        expect([events, reader.lastId, reader.retryMs]).toEqual([
          [
            { id: '1', type: 'a', data: 'ä\nb' },
            { id: '2', type: 'message', data: 'c' },
          ],
          '2',
          5,
        ]);
      }),
    );
  });

  it('end somewhere', () => {
    const reader = new SseReader('');
    expect(() => {
      for (let n = 0; n < 2000; n++) [...reader.read(utf8.encode(`data: ${'x'.repeat(1000)}\n`))];
    }).toThrow('has no end');
  });
});

describe('trying again', () => {
  const refused = (status: number, retryAfterMs: number | null = null) =>
    new DocketError('unavailable', 'no', { status, retryAfterMs });

  it('is for what may pass, and for nobody who is asked to stay away for long', () => {
    for (const status of [408, 429, 502, 503, 504]) expect(mayPass(refused(status))).toBe(true);
    for (const status of [0, 302, 400, 401, 403, 404, 409, 413, 422, 500]) expect(mayPass(refused(status))).toBe(false);
    expect(mayPass(new ConnectionError('connection_failed', 'no'))).toBe(true);
    expect(mayPass(new Error('of somebody else'))).toBe(false);
    expect([mayPass(refused(503, 60_000)), mayPass(refused(503, 60_001))]).toEqual([true, false]);
  });

  it('is never sooner than the service asks, and later each time where it does not', () => {
    for (const random of [() => 0, () => 0.999]) {
      expect(pauseOf(refused(429, 7000), 0, 250, random)).toBeGreaterThanOrEqual(7000);
      expect(pauseOf(refused(429, 7000), 5, 250, random)).toBeLessThanOrEqual(7250);
    }
    const [least, most] = [() => 0, () => 1];
    expect([0, 1, 2, 5, 9].map((n) => pauseOf(refused(503), n, 250, least))).toEqual([125, 250, 500, 4000, 5000]);
    expect([0, 1, 2, 5, 9].map((n) => pauseOf(refused(503), n, 250, most))).toEqual([250, 500, 1000, 8000, 10_000]);
  });

  it('ends after so many in a row of which nothing came', async () => {
    const retries = new Retries({ maxRetries: 2, retryMs: 0 }, undefined);
    const error = refused(503);
    await retries.after(error);
    await retries.after(error);
    retries.progressed();
    await retries.after(error);
    await retries.after(error);
    await expect(retries.after(error)).rejects.toBe(error);
    expect(error.attempts).toBe(5);
  });

  it('is as late as the last line of an answer says, which has no headers', () => {
    const problem = { type: '', title: '', status: 503, detail: '', code: 'unavailable', request_id: '' };
    expect(problemError({ ...problem, retry_after: 60 }).retryAfterMs).toBe(60_000);
    expect(problemError({ ...problem, retry_after: 60 }, 7000).retryAfterMs).toBe(7000);
    expect(problemError(problem).retryAfterMs).toBeNull();
  });

  it('reads Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-11-15T09:30:00Z');
    expect(readRetryAfter('7', now)).toBe(7000);
    expect(readRetryAfter('Sun, 15 Nov 2026 09:30:09 GMT', now)).toBe(9000);
    expect(readRetryAfter('Sun, 15 Nov 2026 09:29:00 GMT', now)).toBe(0);
    expect([readRetryAfter(null), readRetryAfter('soon')]).toEqual([null, null]);
  });
});
