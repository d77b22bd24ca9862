import { describe, expect, it } from 'vitest';
import { originals, outline, sentences } from '../outline.ts';

describe('Markdown', () => {
  it.each([
    ['# Acme *Corp* #\n\n## Staff\ntext', ['heading 1: Acme Corp', 'heading 2: Staff', 'prose: text']],
    ['Acme\n====\n\nStaff\n---\n\n---\ntext', ['heading 1: Acme', 'heading 2: Staff', 'prose: text']],
    ['#hashtag is no heading', ['prose: #hashtag is no heading']],
    ['one\ntwo  \nthree\\\nfour', ['prose: one two', 'prose: three\\', 'prose: four']],
    ['> a quotation\n> that goes on\n\nafter', ['quote: a quotation that goes on', 'prose: after']],
    ['- one\n- [x] two\n  goes on\n1. three', ['item: one', 'item: two goes on', 'item: three']],
    ['before\n```js\nlet a = 1;\n# no heading\n```\nafter', ['prose: before', 'prose: after']],
    ['~~~\nnever closed', []],
    ['```in``` one line', ['prose: in one line']],
    ['**Founded:** 1990\n**Staff**: 300\n- _Head_: Jo', ['field: Founded=1990', 'field: Staff=300', 'field: Head=Jo']],
    ['[a]: http://a.b\n[^1]: A note.', ['prose: A note.']],
  ])('has blocks: %j', (text, expected) => {
    expect(outline('md', text)).toEqual(expected);
  });

  it('reads front matter as a title and fields', () => {
    expect(outline('md', '---\ntitle: "Acme: a history"\nyear: 1990\ntags:\n  - old\n  - big\n---\nText.')).toEqual([
      'heading 0: Acme: a history',
      'field: year=1990',
      'field: tags=old',
      'field: tags=big',
      'prose: Text.',
    ]);
    expect(outline('md', '---\nnever: closed')).toEqual(['field: never=closed']);
  });

  it.each([
    ['+++', '+++'],
    ['```toml', '```'],
  ])('reads front matter of TOML between %s and %s', (opening, closing) => {
    const text = [
      opening,
      '[post] # what it is',
      'title = "Acme: a # history" # so far',
      'founded = 1990 # as a club',
      'open = 2021-10-17',
      '"main hall" = true',
      "tags = ['old', 'big, too']",
      'rooms = [',
      '  "four", # at least',
      ']',
      'about = """',
      'It is old.',
      'It is big."""',
      'none = []',
      'no entry',
      '',
      '[staff.paid]',
      'number = 4',
      closing,
      'Text.',
    ];
    const expected = [
      'heading 0: Acme: a # history',
      'field: founded=1990',
      'field: open=2021-10-17',
      'field: main hall=true',
      'field: tags=old',
      'field: tags=big, too',
      'field: rooms=four',
      'field: about=It is old. It is big.',
      'field: staff.paid number=4',
      'prose: Text.',
    ];
    for (const end of ['\n', '\r\n']) expect(outline('md', text.join(end))).toEqual(expected);
  });

  it('reads a value of TOML to its end, though it begins with one character three times', () => {
    expect(outline('md', '+++\nprice = 1110\nsize = 2.5 # m\nopen = 0001-01-01\n+++\nText.')).toEqual([
      'field: price=1110',
      'field: size=2.5',
      'field: open=0001-01-01',
      'prose: Text.',
    ]);
  });

  it.each([
    ['sizes = [\n  ["a", "b"],\n  ["c", "d"]\n]', ['a', 'b', 'c', 'd']],
    ['sizes = [["a", "b"], ["c"]]', ['a', 'b', 'c']],
    ['sizes = [\n  "a", # Ann\'s\n  "b",\n  \'c\'\n] # see [1]', ['a', 'b', 'c']],
    ['sizes = [\n  "a",\n  "b', []],
    ['sizes = ["a", "b\\\n"]', []],
  ])('reads a list of TOML to the bracket that closes it: %j', (list, sizes) => {
    expect(outline('md', `+++\n${list}\nweight = "180 g"\n+++\nText.`)).toEqual([
      ...sizes.map((size) => `field: sizes=${size}`),
      'field: weight=180 g',
      'prose: Text.',
    ]);
  });

  it.each([
    ['not closed', `[${'\\"""'.repeat(20_000)}`],
    ['in one line', `[${'"",'.repeat(30_000)}]`],
  ])('looks for the end of a list of TOML once, however many quotes are in it: %s', (_, list) => {
    const text = `+++\nsizes = ${list}\nweight = 4\n+++\nText.`;
    const start = performance.now();
    expect(outline('md', text)).toEqual(['field: weight=4', 'prose: Text.']);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('looks for a section of TOML once, however many blanks are in it', () => {
    const text = `+++\n[${' '.repeat(5000)}x\n[ staff ]\nnumber = 4\n[ rooms ]\nnumber = 5\n+++\nText.`;
    const start = performance.now();
    expect(outline('md', text)).toEqual(['field: number=4', 'field: rooms number=5', 'prose: Text.']);
    // That it was looked for from each of them took many seconds.
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('takes for front matter neither code nor what is not closed', () => {
    expect(outline('md', 'Text.\n\n```toml\nyear = 1990\n```')).toEqual(['prose: Text.']);
    expect(outline('md', '```\nyear = 1990\n```\nText.')).toEqual(['prose: Text.']);
    expect(outline('md', '+++\nyear = 1990')).toEqual(['prose: year = 1990']);
  });

  it('leaves out the comments of front matter', () => {
    const text = '---\n# price: 280\nid: A-17 # of the hall\nprice: 300 # was 280\nroom: Hall #4\n---\nText.';
    expect(outline('md', text)).toEqual(['field: id=A-17', 'field: price=300', 'field: room=Hall #4', 'prose: Text.']);
  });

  it('reads what is nested in front matter as part of the label above it', () => {
    expect(
      outline(
        'md',
        '---\nbattery: # all of it\n  capacity: 3905\ncapacity: 4 # or 5\nmakers: [Acme]\nsize: {mm: 4}\n---\nText.',
      ),
    ).toEqual([
      'field: battery capacity=3905',
      'field: capacity=4',
      'field: makers=Acme',
      'field: size mm=4',
      'prose: Text.',
    ]);
  });

  it('leaves out a picture that stands by itself', () => {
    expect(outline('md', '![Acme logo](/logo.png "Logo")\n\n# Acme\n\nSee ![a tick](/t.png) here.')).toEqual([
      'heading 1: Acme',
      'prose: See a tick here.',
    ]);
  });

  it('reads tables by their header', () => {
    const text = 'Staff:\n\n| Name | **Staff** |\n|:--|--:|\n| Acme | 300 |\n| A \\| B |  | more |\n\nafter';
    expect(outline('md', text)).toEqual([
      'prose: Staff:',
      'header: =Name, =Staff',
      'row: Name=Acme, Staff=300',
      'row: Name=A | B, =more',
      'prose: after',
    ]);
    expect(sentences('md', text)).toEqual(['Staff:', 'Acme | 300', 'A | B | more', 'after']);
  });

  it('reads lines of one cell as words that stand apart', () => {
    const text = '| Name | Staff |\n|---|---|\n| Acme<br>Robotics<BR/>Ltd | 300 |';
    expect(outline('md', text)).toEqual(['header: =Name, =Staff', 'row: Name=Acme Robotics Ltd, Staff=300']);
  });

  it.each([
    ['It has **300** _big_ ~~offices~~', 'It has 300 big offices'],
    ['2 * 3, 2*3 and due_date stay', '2 * 3, 2*3 and due_date stay'],
    ['see [the\nreport](http://a.b/c_(d) "A) title"), please', 'see the report, please'],
    ['see [the report][1] [sic] and [1] or [a](not a link)', 'see the report [sic] and [1] or [a](not a link)'],
    ['![a chart](c.png) and [![logo](l.png)](/home)', 'a chart and logo'],
    ['a note[^1] here', 'a note here'],
    ['`a*b*c` and ``x ` y``', 'a*b*c and x ` y'],
    ['\\*not emphasis\\* \\q', '*not emphasis* \\q'],
    ['<b>bold</b> <!-- not seen --> 5 < 6 <http://a.b> <me@a.b>', 'bold 5 < 6 http://a.b me@a.b'],
    ['Jo &amp; Co &copy; &#8364; &nosuch; &', 'Jo & Co © € &nosuch; &'],
  ])('has marks that are no text: %j', (text, expected) => {
    expect(sentences('md', text)).toEqual([expected]);
  });

  it('points back past the marks', () => {
    const text = '# T\n\nIt **has** 300 [people](x). They *work* &amp; rest.';
    expect(originals('md', text)).toEqual(['T', 'It **has** 300 [people](x).', 'They *work* &amp; rest.']);
  });
});
