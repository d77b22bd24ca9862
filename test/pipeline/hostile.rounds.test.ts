import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/pipeline/read.ts';
import { MAX_SENTENCE } from '../../src/pipeline/segment.ts';
import { rounds } from '../support/rounds.ts';
import { pieces, types } from './pieces.ts';

const size = rounds(10_000, 100_000);

describe(`${size} hostile characters`, () => {
  const nested = (open: string, inner: string, close: string) => {
    const times = Math.floor((size - inner.length) / (open.length + close.length));
    return open.repeat(times) + inner + close.repeat(times);
  };
  const unclosed = 'x "" &#1 &amp <a" <a">" ](" []( [^ [a]: ``` ```` .[1] ." A. a|b <tr><th>a<td>b <li><p> \\\\" (" a@';
  const texts = [
    ...[...pieces, ...unclosed.split(' '), '<a ', '<a ">" ', '](" ', '`` ` ', 'a. ', 'a\n', 'a: b\n', 'a|b\n', '|-|\n'],
    ...['- a\n', '"\n', '"a""b', '[1,', '<http:'],
  ].map((piece) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
  texts.push(nested('[', '', ']'), nested('{"a":', '1', '}'), nested('[1,', '1', ',1]'), nested('"', 'x', '"'));
  texts.push(`{"${'k'.repeat(size / 2)}":[${'{"a":1},'.repeat(size / 20)}1]}`, JSON.stringify('a\n'.repeat(size / 3)));
  texts.push(`${'h'.repeat(size / 2)}\n${'a\n'.repeat(size / 4)}`);

  // Work that grew with the square of the size would take many minutes.
  it.each(types)('are read as %s in the time of a few', { timeout: 120_000 }, (type) => {
    for (const text of texts) {
      const { sentences } = readDocument({ name: 'test', type, text });
      expect(sentences.every((sentence) => sentence.text.length <= MAX_SENTENCE)).toBe(true);
    }
  });
});
