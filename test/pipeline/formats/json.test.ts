import { describe, expect, it } from 'vitest';
import { originals, outline, sentences } from '../outline.ts';

describe('JSON', () => {
  it('makes a field of each value, with the object that holds it', () => {
    const document = {
      name: 'Acme',
      staff: 300,
      open: true,
      nothing: null,
      empty: ['', {}, []],
      tags: ['old', 'big'],
      sites: [{ town: 'Rome', size: { value: -1.5e3, unit: 'm' } }, { town: 'Bonn' }],
      grid: [[1], [2]],
    };
    const expected = [
      'field: name=Acme',
      'field: staff=300',
      'field: open=true',
      'field: tags=old',
      'field: tags=big',
      'field sites[0]: town=Rome',
      'field sites[0].size: value=-1500',
      'field sites[0].size: unit=m',
      'field sites[1]: town=Bonn',
      'field: grid=1',
      'field: grid=2',
    ];
    expect(outline('json', JSON.stringify(document))).toEqual(expected);
    expect(outline('application/json; charset=utf-8', JSON.stringify(document, null, 2))).toEqual(expected);
    expect(outline('json', '[[{"a":1}],{"a":2}]')).toEqual(['field [0][0]: a=1', 'field [1]: a=2']);
    expect(outline('json', '"bare"')).toEqual(['field: =bare']);
  });

  it('undoes escapes, and points back to them', () => {
    const text = '{"na\\"me": "Caf\\u00e9 \\ud83d\\ude00 \\ud83d & C\\/o\\tx"}';
    expect(sentences('json', text)).toEqual(['na"me: Café 😀 \ufffd & C/o x']);
    expect(originals('json', text)).toEqual(['na\\"me": "Caf\\u00e9 \\ud83d\\ude00 \\ud83d & C\\/o\\tx']);
  });

  it('reads a value that is a text as one', () => {
    const text = JSON.stringify({
      title: 'Acme Inc.',
      body: 'It has 300 people.\nIt is\nold.\n\nThe end',
      note: 'It is a big firm.',
    });
    expect(sentences('json', text)).toEqual([
      'title: Acme Inc.',
      'It has 300 people.',
      'It is old.',
      'The end',
      'It is a big firm.',
    ]);
  });

  it('takes a long list of bare values for data', () => {
    const vector = Array.from({ length: 1536 }, (_, index) => index / 7);
    expect(outline('json', JSON.stringify({ vector, name: 'Acme' }))).toHaveLength(101);
    const objects = vector.map((value) => ({ value }));
    expect(outline('json', JSON.stringify(objects))).toHaveLength(1536);
  });

  it('tells objects apart that are nested too deep for a path', () => {
    const deep = (tail: string) => `{"${'k'.repeat(150)}":{"${'l'.repeat(150)}":${tail}}}`;
    const lines = outline('json', `[${deep('{"a":1}')},${deep('{"a":2}')}]`);
    expect(lines.map((line) => line.slice(-3))).toEqual(['a=1', 'a=2']);
    expect(new Set(lines.map((line) => line.split(':')[0])).size).toBe(2);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
  });

  it('is read as text if it does not parse', () => {
    expect(outline('json', '{"a": 1,}')).toEqual(['prose: {"a": 1,}']);
    expect(outline('json', '')).toEqual([]);
  });
});
