import { describe, expect, it } from 'vitest';
import { encodeClaims } from '../../src/pipeline/claim-text.ts';
import { extract } from '../../src/pipeline/extract/extract.ts';
import { keysOf } from '../../src/pipeline/extract/keys.ts';
import { readDocument } from '../../src/pipeline/read.ts';
import { MAX_SENTENCE } from '../../src/pipeline/segment.ts';
import { rounds } from '../support/rounds.ts';
import { pieces, types } from './pieces.ts';

const size = rounds(10_000, 100_000);
/** Claims take so many times the room of their text, at the very most. */
const MAX_GROWTH = 40;

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

  // What tells a record from others stands with each of its claims.
  const half = 'v'.repeat(size / 2);
  const items = Array.from({ length: size / 40 }, (_item, n) => ({ id: `a${n}`, x: n }));
  texts.push(JSON.stringify({ name: 'A', version: half, items }), JSON.stringify({ name: half, items }));
  texts.push(JSON.stringify(items.map(({ x }) => ({ [half.slice(0, 50)]: 'a', date: half.slice(0, 70), x }))));
  texts.push(`# ${half}\n${'## a b\n\n- Limit: 3 t\n\n'.repeat(size / 50)}`, 'Date: x\n'.repeat(size / 8));
  texts.push(`${half},b\n${'a,1\n'.repeat(size / 8)}`, `a,b\n${half},1\n${half},2`);

  // Work that grew with the square of the size would take many minutes.
  it.each(types)('are read as %s in the time of a few', { timeout: 120_000 }, (type) => {
    for (const text of texts) {
      const reading = readDocument({ name: 'test', type, text });
      const { sentences } = reading;
      expect(sentences.every((sentence) => sentence.text.length <= MAX_SENTENCE)).toBe(true);
      const claims = extract(reading);
      keysOf(claims);
      expect(encodeClaims(claims).length, text.slice(0, 80)).toBeLessThan(MAX_GROWTH * text.length);
    }
  });
});
