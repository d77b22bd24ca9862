import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank, isInvisible } from '../../src/pipeline/blanks.ts';
import { readDocument } from '../../src/pipeline/read.ts';
import { originalSpan } from '../../src/pipeline/span-map.ts';
import { pieces, types } from './pieces.ts';

const read = (type: string, text: string) => readDocument({ name: 'test', type, text });

const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
);

const plainly = (text: string) =>
  [...text]
    .filter((character) => !isInvisible(character.charCodeAt(0)))
    .map((character) => (isBlank(character.charCodeAt(0)) ? ' ' : character))
    .join('')
    .replace(/ +/g, ' ')
    .trim()
    .toWellFormed();

describe('any text of any type', () => {
  it('is read, always in the same way, into parts in order that lie within it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), anyText, (type, text) => {
        const reading = read(type, text);
        expect(read(type, text)).toEqual(reading);
        expect(reading.characters).toBe(text.length);
        expect(reading.text.isWellFormed() && !reading.text.includes('\0')).toBe(true);
        expectInOrder(
          reading.blocks.map(({ start, end }) => [start, end]),
          reading.text.length,
        );
        expectInOrder(
          reading.sentences.map(({ start, end }) => [start, end]),
          reading.text.length,
        );
        expectInOrder(
          reading.sentences.map(({ span }) => span),
          text.length,
        );
        for (const { start, end, cells } of reading.blocks) {
          const places = cells.map((cell): [number, number] => [cell.start - start, cell.end - start]);
          expectInOrder(places, end - start);
          for (const { label } of cells) expect(label.length).toBeLessThanOrEqual(200);
        }
        for (const sentence of reading.sentences) {
          const { start, end } = reading.blocks[sentence.block] ?? { start: -1, end: -1 };
          expect(start <= sentence.start && sentence.end <= end).toBe(true);
          expect(sentence.text).toBe(reading.text.slice(sentence.start, sentence.end).replaceAll('\n', ' '));
          expect(sentence.text.trim()).toBe(sentence.text);
        }
      }),
      { numRuns: 3000 },
    );
  });

  function expectInOrder(spans: [number, number][], length: number): void {
    let last = 0;
    for (const [start, end] of spans) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(length);
  }
});

describe('a sentence says what its place in the original says', () => {
  it('in text, but for the blanks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const sentence of read('txt', text).sentences)
          expect(sentence.text).toBe(plainly(text.slice(...sentence.span)));
      }),
      { numRuns: 1000 },
    );
  });

  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&#62;', '"': '&quot;', ' ': '&nbsp;' };
  const character = fc.constantFrom('a', 'B', 'é', '1', '.', '?', '&', '<', '>', '"', ' ', '😀');
  const encoded = fc.tuple(character, fc.constantFrom('named', 'number', 'tag', 'bare')).map(([character, how]) => {
    if (how === 'number') return `&#${character.codePointAt(0)};`;
    return (
      (how === 'tag' ? '<b class="x">' : '') +
      (how === 'named' || '<&'.includes(character) ? (escapes[character] ?? character) : character)
    );
  });

  it('in HTML, decoded and without tags', () => {
    const decode = (html: string) =>
      html
        .replace(/<b class="x">/g, '')
        .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
        .replace(/&(?:quot|nbsp|lt|amp);/g, (name) => ({ '&quot;': '"', '&nbsp;': ' ', '&lt;': '<' })[name] ?? '&');
    fc.assert(
      fc.property(fc.array(encoded, { maxLength: 40 }), (list) => {
        const html = `<p>${list.join('')}</p>`;
        const { sentences } = read('html', html);
        for (const { text, span } of sentences) expect(text).toBe(plainly(decode(html.slice(...span))));
        const said = sentences.map(({ text }) => text).join('');
        expect(said.replace(/[^\p{L}\d]/gu, '')).toBe(decode(list.join('')).replace(/[^\p{L}\d]/gu, ''));
      }),
      { numRuns: 1000 },
    );
  });

  it('in JSON, parsed', () => {
    const escaped = fc
      .json({ stringUnit: 'binary' })
      .map((json) => json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
    fc.assert(
      fc.property(fc.oneof(fc.json({ stringUnit: 'binary' }), escaped), (json) => {
        const { text, map, blocks } = read('json', json);
        for (const { kind, cells } of blocks) {
          expect(kind).toBe('field');
          for (const { start, end } of cells) {
            const [from, to] = originalSpan(map, start, end);
            const value = JSON.parse(`"${json.slice(from, to)}"`);
            expect(text.slice(start, end).replaceAll('\n', ' ')).toBe(plainly(value));
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
