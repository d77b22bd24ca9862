/** Bytes cut into lines, however they come. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../../../src/http/ingest-stream/lines.ts';

const LONGEST = 20;

function cut(pieces: Buffer[], longest = LONGEST): (string | null)[] {
  const splitter = new LineSplitter(longest);
  const lines: (string | null)[] = [];
  for (const piece of pieces) {
    splitter.push(piece);
    for (let line = splitter.next(); line; line = splitter.next()) {
      if (line === 'long') {
        splitter.allowLong();
        continue;
      }
      expect(line.number).toBe(lines.length + 1);
      lines.push(line.bytes?.toString('latin1') ?? null);
    }
  }
  const last = splitter.end();
  if (last) lines.push(last.bytes?.toString('latin1') ?? null);
  expect(splitter.count).toBe(lines.length);
  return lines;
}

const expected = (text: string) => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.length > LONGEST ? null : line));
};

it('gives the same lines wherever the bytes are cut, and null for those that are too long', () => {
  const line = fc.oneof(fc.string({ maxLength: 5 }), fc.string({ minLength: LONGEST - 2, maxLength: LONGEST + 2 }));
  const text = fc.array(fc.oneof(line, fc.constant('\n'), fc.constant('\n')), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (parts, sizes) => {
      const bytes = Buffer.from(parts.join(''), 'latin1');
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value as number;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(cut(pieces)).toEqual(expected(bytes.toString('latin1')));
    }),
  );
});

it('takes the mark of UTF-8 away that a file may begin with, and no other', () => {
  const [mark, a] = [Buffer.from('\ufeff'), Buffer.from('a')];
  const marked = Buffer.concat([mark, a, Buffer.from('\n'), mark, a]);
  const bytes = [...marked].map((byte) => Buffer.from([byte]));
  for (const pieces of [[marked], bytes]) expect(cut(pieces)).toEqual(['a', marked.toString('latin1', 5)]);
  expect(cut([mark])).toEqual(['']);
});

it('keeps no more for a line that was begun than the longest one has', () => {
  const longest = 1_000_000;
  const splitter = new LineSplitter(longest);
  let most = 0;
  for (let size = 0; size < longest; size += 90_000) {
    splitter.push(Buffer.alloc(90_000, 'x'));
    if (size === 0) {
      expect(splitter.next()).toBe('long');
      splitter.allowLong();
    }
    expect(splitter.next()).toBeNull();
    most = Math.max(most, splitter.held);
  }
  expect(most).toBe(longest);
  // It has become too long meanwhile.
  expect([splitter.held, splitter.isLong]).toEqual([0, false]);
});

it('keeps nothing more of a line that outgrows the others before that is allowed, and asks again for the next', () => {
  const splitter = new LineSplitter(1_000_000);
  const pieces = [Buffer.alloc(50_000, 'x'), Buffer.concat([Buffer.alloc(50_000, 'y'), Buffer.from('\nshort\n')])];
  for (let time = 0; time < 2; time++) {
    splitter.push(pieces[0] as Buffer);
    expect(splitter.next()).toBeNull();
    splitter.push(pieces[1] as Buffer);
    for (let again = 0; again < 3; again++) expect(splitter.next()).toBe('long');
    expect([splitter.isLong, splitter.held]).toEqual([false, 64 * 1024]);
    splitter.allowLong();
    const line = splitter.next();
    expect(line).toMatchObject({ number: 2 * time + 1, bytes: expect.objectContaining({ length: 100_000 }) });
    expect([splitter.isLong, splitter.held]).toEqual([false, 0]);
    expect(splitter.next()).toMatchObject({ bytes: Buffer.from('short') });
    expect(splitter.next()).toBeNull();
  }
});

it('does not keep a line that comes in one piece, however long it is', () => {
  const splitter = new LineSplitter(1_000_000);
  splitter.push(Buffer.concat([Buffer.alloc(200_000, 'x'), Buffer.from('\n')]));
  expect(splitter.next()).toMatchObject({ number: 1 });
  expect(splitter.held).toBe(0);
});

it('keeps a line that comes byte by byte in one buffer, up to its longest', () => {
  const longest = 200_000;
  const bytes = Array.from({ length: longest }, () => Buffer.from('x'));
  expect(cut([...bytes, Buffer.from('\nnext\n')], longest)).toEqual(['x'.repeat(longest), 'next']);
  expect(cut([...bytes, Buffer.from('x\nnext\n')], longest)).toEqual([null, 'next']);
});
