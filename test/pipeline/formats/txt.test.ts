import { describe, expect, it } from 'vitest';
import { originals, outline, sentences } from '../outline.ts';

describe('plain text', () => {
  it('joins the lines of a wrapped paragraph, whatever its line ends', () => {
    const wrapped = [
      'The tower is a wrought-iron lattice tower on the Champ de Mars in',
      'Paris, France.   It is named after the engineer Gustave Eiffel, whose',
      'company designed and built it between 1887 and 1889.',
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      expect(outline('txt', wrapped.join(end))).toHaveLength(1);
      expect(sentences('txt', wrapped.join(end))).toEqual([
        'The tower is a wrought-iron lattice tower on the Champ de Mars in Paris, France.',
        'It is named after the engineer Gustave Eiffel, whose company designed and built it between 1887 and 1889.',
      ]);
    }
  });

  it('keeps lines apart that are short on purpose', () => {
    expect(outline('txt', 'Acme has 300 employees\nBeta has 20 employees\nand three offices')).toEqual([
      'prose: Acme has 300 employees',
      'prose: Beta has 20 employees and three offices',
    ]);
  });

  it.each([
    ['Acme\n\nIt has 300 employees.', ['heading 1: Acme', 'prose: It has 300 employees.']],
    [
      'Acme\nIt was founded in 1990 by three people who had met there.',
      ['heading 1: Acme', 'prose: It was founded in 1990 by three people who had met there.'],
    ],
    ['It is old.\n\nHistory\n-------\nIt began.', ['prose: It is old.', 'heading 2: History', 'prose: It began.']],
    ['It is old.\n\nSEE ALSO\n  The ash.', ['prose: It is old.', 'heading 2: SEE ALSO', 'prose: The ash.']],
    ['It has 300 employees\n\nIt has 3 offices', ['prose: It has 300 employees', 'prose: It has 3 offices']],
    ['The end\n\n***\n\nThe end', ['prose: The end', 'prose: The end']],
  ])('tells a heading from a statement: %j', (text, expected) => {
    expect(outline('txt', text)).toEqual(expected);
  });

  it.each([
    ['- one\n* two\n  goes on\n3. three\n(b) four', ['item: one', 'item: two goes on', 'item: three', 'item: four']],
    ['Founded: 1990\nStaff: 300', ['field: Founded=1990', 'field: Staff=300']],
    ['• Founded:  1990', ['field: Founded=1990']],
    ['No. of employees: about 300', ['field: No. of employees=about 300']],
    ['設立：1990年', ['field: 設立=1990年']],
  ])('knows items and fields: %j', (text, expected) => {
    expect(outline('txt', text)).toEqual(expected);
  });

  it.each([
    'The ratio is 4: 3',
    'Ratio 4: 3',
    'He said: it is late.',
    'At 10:30 it opens',
    'See https://example.org/a',
    'There are, in all: three',
    'Founded:',
    'In the year of our Lord, or so: 1990',
  ])('takes no field from %j', (text) => {
    expect(outline('txt', text)).toEqual([`prose: ${text}`]);
  });

  it('does not break a wrapped sentence at a colon', () => {
    const text =
      'The company makes bicycles in many bright and cheerful\ncolours: red, green and blue are those that sell best.';
    expect(sentences('txt', text)).toEqual([text.replace('\n', ' ')]);
  });

  it('collapses blanks of all kinds and drops what cannot be seen', () => {
    const text = '\ufeffIt has 300\u00a0\t employ\u00adees\u200b and\u0000 more.';
    expect(sentences('txt', text)).toEqual(['It has 300 employees and more.']);
    expect(originals('txt', text)).toEqual([text.slice(1)]);
  });
});
