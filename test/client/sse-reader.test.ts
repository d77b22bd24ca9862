/** Events out of bytes, as the HTML standard has it, for the client and for npm run tail. */
import { describe, expect, it } from 'vitest';
import { type ServerEvent, SseReader } from '../../client/src/sse-reader.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Read in pieces of so many bytes. */
function read(text: string, size = Number.POSITIVE_INFINITY): { events: ServerEvent[]; reader: SseReader } {
  const reader = new SseReader('');
  const all = bytes(text);
  const events = [];
  for (let at = 0; at < all.length; at += size) events.push(...reader.read(all.subarray(at, at + size)));
  return { events, reader };
}

const STREAM = [
  '\uFEFFretry: 1500',
  ': a comment',
  '',
  'id: 7',
  'event: document.queued',
  'data: {"name":"Zürich, 東京, 🦉"}',
  '',
  'data:first',
  'data',
  'data:  last',
  'unknown: field',
  '',
  'id: 9',
  '',
  'event: nothing',
  '',
  'data: cut o',
].join('\n');

describe.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('lines that end in %s', (_name, end) => {
  it.each([Number.POSITIVE_INFINITY, 1, 2, 3, 5, 7])('are read in pieces of %d bytes', (size) => {
    const { events, reader } = read(STREAM.replaceAll('\n', end), size);
    expect(events).toEqual([
      { id: '7', type: 'document.queued', data: '{"name":"Zürich, 東京, 🦉"}' },
      { id: '7', type: 'message', data: 'first\n\n last' },
    ]);
    expect([reader.retryMs, reader.lastId]).toEqual([1500, '9']);
  });
});

describe('the last id', () => {
  it('is that of what was complete', () => {
    expect(read('id: 1\ndata: x\n\nid: 2\ndata: y\n').reader.lastId).toBe('1');
  });

  it('is the one it began with, until another comes', () => {
    const reader = new SseReader('41');
    expect([...reader.read(bytes('data: x\n\nid: 42\n\n'))]).toEqual([{ id: '41', type: 'message', data: 'x' }]);
    expect(reader.lastId).toBe('42');
  });

  it('is set before the event is handed out, and no further', () => {
    const reader = new SseReader('');
    const seen = [];
    for (const { id } of reader.read(bytes('id: 1\ndata: x\n\nid: 2\ndata: y\n\n'))) seen.push([id, reader.lastId]);
    expect(seen).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
  });
});
