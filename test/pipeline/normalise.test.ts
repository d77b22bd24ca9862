import { describe, expect, it } from 'vitest';
import { normalise } from '../../src/pipeline/normalise.ts';
import { originalSpan } from '../../src/pipeline/span-map.ts';

const plain = (type: string, text: string) => normalise({ name: 'test', type, text }).text;

describe('the type', () => {
  it.each(['html', 'HTML', '.html', 'htm', ' Html ', 'text/html', 'text/html; charset=utf-8', 'application/xhtml+xml'])(
    '%j is read as HTML',
    (type) => {
      expect(plain(type, '<b>a</b> &lt; *b*')).toBe('a < *b*');
    },
  );

  it.each(['md', 'markdown', '.md', 'text/markdown', 'text/x-markdown'])('%j is read as Markdown', (type) => {
    expect(plain(type, '# *a*')).toBe('a');
  });

  it.each(['json', 'application/json', 'application/ld+json'])('%j is read as JSON', (type) => {
    expect(plain(type, '{"a":"b"}')).toBe('a: b');
  });

  it.each(['csv', 'text/csv', 'tsv', 'text/tab-separated-values'])('%j is read as CSV', (type) => {
    expect(plain(type, 'a\tb\nc\td')).toBe('a | b\nc | d');
  });

  it.each(['txt', 'text/plain', '', 'pdf', 'constructor', '__proto__', 'toString'])('%j is read as text', (type) => {
    expect(plain(type, '<b>*a*</b>')).toBe('<b>*a*</b>');
  });
});

describe('the map', () => {
  it('leads from any part of the plain text to what it was made of', () => {
    const text = '<p>caf&eacute;  <b>au</b>\nlait</p><p>x</p>';
    const { text: made, map } = normalise({ name: 'test', type: 'html', text });
    expect(made).toBe('café au lait\nx');
    const back = (part: string) =>
      text.slice(...originalSpan(map, made.indexOf(part), made.indexOf(part) + part.length));
    expect(back('caf')).toBe('caf');
    expect(back('é')).toBe('&eacute;');
    expect(back('fé a')).toBe('f&eacute;  <b>a');
    expect(back('u lait')).toBe('u</b>\nlait');
    expect(back('x')).toBe('x');
    expect(originalSpan(map, 1, 1)).toEqual([4, 4]);
  });

  it('is small where the text is copied as it is', () => {
    const text = 'It is a text of many words, on lines that are wrapped\nwhere they are full.\n'.repeat(1000);
    expect(normalise({ name: 'test', type: 'txt', text }).map.from.length).toBeLessThan(3000);
  });
});
