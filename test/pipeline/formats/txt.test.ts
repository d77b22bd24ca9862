import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/pipeline/read.ts';
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

  it('joins the lines of sentences that were typed with an empty line after each', () => {
    const line = 'The board took note of all that the clerk had read aloud\n\nin the hall of the harbour.';
    expect(outline('txt', `${line}\n\n`.repeat(6))).toEqual(
      Array(6).fill('prose: The board took note of all that the clerk had read aloud in the hall of the harbour.'),
    );
    expect(outline('txt', line)).toHaveLength(2);
    const dated = 'The accounts that the harbour board has seen are for the year to May 11,';
    expect(outline('txt', `${`${line}\n\n`.repeat(5)}${dated}\n\n1971, as was read.`).at(-1)).toBe(
      `prose: ${dated} 1971, as was read.`,
    );
    const heading = 'Report of the treasurer on the year that has come to its end';
    expect(outline('txt', `${`${line}\n\n`.repeat(5)}${heading}\n\nThe sum in hand is 40.`).slice(5)).toEqual([
      `prose: ${heading}`,
      'prose: The sum in hand is 40.',
    ]);
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

  it('reads a text of key-value lines as one object, with lists and blocks between them', () => {
    const text = [
      '---',
      'architecture: arm64',
      "battery: {capacity: 3905, 'removable': true, tech: 'Li-Ion, new'}",
      'cameras:',
      "  - {flash: None, info: '5 MP'}",
      '  - {flash: LED, lens: {mm: 35}}',
      'codename: dm1q',
      'network: [GSM, LTE]',
      'ports:',
      '- kind: USB',
      '  count: 2',
      '- kind: audio',
      'screen:',
      '  size: 6.3',
      '  panel:',
      '    maker: Acme',
      'text: >',
      '  It holds: a lot.',
      '  And more.',
      'notes:',
      '  - The hall is closed until May.',
      'empty:',
      'none: null',
      'staff:',
      '  - Ann: clerk',
    ];
    const expected = [
      'field: architecture=arm64',
      'field battery: capacity=3905',
      'field battery: removable=true',
      'field battery: tech=Li-Ion, new',
      'field cameras[0]: flash=None',
      'field cameras[0]: info=5 MP',
      'field cameras[1]: flash=LED',
      'field cameras[1].lens: mm=35',
      'field: codename=dm1q',
      'field: network=GSM',
      'field: network=LTE',
      'field ports[0]: kind=USB',
      'field ports[0]: count=2',
      'field ports[1]: kind=audio',
      'field screen: size=6.3',
      'field screen.panel: maker=Acme',
      'field: text=It holds: a lot. And more.',
      'item: The hall is closed until May.',
      'field staff: Ann=clerk',
    ];
    for (const end of ['\n', '\r\n']) expect(outline('txt', text.join(end))).toEqual(expected);
  });

  it('takes an item of one field for a value of its list, unless another is an object', () => {
    const text = 'a: 1\nb: 2\nc: 3\nd: 4\nslots:\n- card\n- audio: 2\nrooms:\n- {kind: hall}\n- kind: attic';
    expect(outline('txt', text).slice(4)).toEqual([
      'field: slots=card',
      'field slots: audio=2',
      'field rooms[0]: kind=hall',
      'field rooms[1]: kind=attic',
    ]);
  });

  it.each([
    ['one line with a hash above it is its heading', '# Acme\n', 'heading 1: Acme'],
    ['with the full stop of an abbreviation, too', '# Acme Inc.\n', 'heading 1: Acme Inc.'],
    ['a field there is about the file', '# Licence: free\n', null],
    ['so is a sentence', '# Do not edit this file.\n', null],
    ['so is by what it was made', '# Managed by Puppet\n', null],
    ['so is whose it is', '# Copyright 2024 Acme\n', null],
    ['so is what nobody shall do with it', '# DO NOT EDIT.\n', null],
    ['so is what it is run by', '#!/usr/bin/env acme\n', null],
    ['more lines there are a comment', '# Acme\n# of Bern\n', null],
  ])('whatever is above it: %s', (_, above, heading) => {
    const fields = ['field: a=1', 'field: b=2', 'field: c=3', 'field: d=4'];
    const expected = heading === null ? fields : [heading, ...fields];
    expect(outline('txt', `${above}a: 1\nb: 2\nc: 3\nd: [4]`)).toEqual(expected);
  });

  it('looks at a long line above it once', { timeout: 4_000 }, () => {
    expect(outline('txt', `# ${'a '.repeat(50_000)}\na: 1\nb: 2\nc: 3\nd: [4]`)).toHaveLength(5);
  });

  it('leaves out the comments of such a text, and nothing else with a hash', () => {
    const text = [
      'price: 300 # was 280',
      'room: Hall #4',
      'name: "a # b" # so called',
      "net: ['GSM # 2', LTE] # both",
      '# a line of its own',
      'text: |',
      '  It is old.',
      '  # It is big.',
      '  See # 4.',
    ];
    expect(outline('txt', text.join('\n'))).toEqual([
      'field: price=300',
      'field: room=Hall #4',
      'field: name=a # b',
      'field: net=GSM # 2',
      'field: net=LTE',
      'field: text=It is old. # It is big. See # 4.',
    ]);
  });

  it('reads of a list of bare values no more than of one in JSON', () => {
    const text = `a: 1\nb: 2\nc: 3\nd: 4\nlist:\n${'- one\n'.repeat(300)}more: [${'one, '.repeat(300)}]`;
    expect(outline('txt', text)).toHaveLength(204);
  });

  it.each([
    ['other lines', 'a: 1\nb: 2\nc: 3\nd: 4\ne: [5]\nIt is old.'],
    ['a label twice', 'a: 1\nb: 2\nc: 3\nd: 4\na: [5]'],
    ['few lines', 'a: 1\nb: [2]'],
    ['neither lists nor blocks', 'a: 1\nb: 2\nc: 3\nd: 4'],
  ])('but not one with %s', (_, text) => {
    const { blocks } = readDocument({ name: 'test', type: 'txt', text });
    expect(blocks.filter(({ within }) => within !== undefined)).toEqual([]);
  });

  it('collapses blanks of all kinds and drops what cannot be seen', () => {
    const text = '\ufeffIt has 300\u00a0\t employ\u00adees\u200b and\u0000 more.';
    expect(sentences('txt', text)).toEqual(['It has 300 employees and more.']);
    expect(originals('txt', text)).toEqual([text.slice(1)]);
  });
});
