import { describe, expect, it } from 'vitest';
import { originals, outline, sentences } from '../outline.ts';

describe('HTML', () => {
  it('reads what a browser shows', () => {
    const page = `<!DOCTYPE html><html><head><title>Acme &amp; Co</title><style>p { color: red }</style>
      <script>if (a < b) document.write("</p>");</script></head>
      <body class="a > b"><h1>Acme</h1><!-- <p>hidden</p> --><p>It has <b>300</b> employees.
      It is <a href="/x">old</a>.</p><div>One<div>Two</div>Three<br>Four</div><noscript>Enable it</noscript>
      <blockquote><p>Quoted</p></blockquote></body></html>`;
    expect(outline('html', page)).toEqual([
      'heading 1: Acme & Co',
      'heading 1: Acme',
      'prose: It has 300 employees. It is old.',
      'prose: One',
      'prose: Two',
      'prose: Three',
      'prose: Four',
      'quote: Quoted',
    ]);
  });

  it.each([
    ['<ul><li>one<li><p>two</p><p>three</p></ul>', ['item: one', 'item: two', 'prose: three']],
    ['<p><b>Founded:</b> 1990<br>Staff: 300', ['field: Founded=1990', 'field: Staff=300']],
    [
      '<dl><dt>Head:</dt><dd><p>Jo</p></dd><dd>Al</dd><dt>alone</dt></dl>',
      ['field: Head=Jo', 'field: Head=Al', 'prose: alone'],
    ],
    [
      '<table><tr><th>Name<th>Staff<tr><td>Acme<td><p>300</p></table>',
      ['header: =Name, =Staff', 'row: Name=Acme, Staff=300'],
    ],
    [
      '<table><tr><th colspan="2">Acme</th></tr><tr><th>Founded</th><td>1990</td></tr></table>',
      ['heading 6: Acme', 'field: Founded=1990'],
    ],
    ['<table><tr><td><h1>Page</h1><p>In a table.</p></td></tr></table>', ['heading 1: Page', 'prose: In a table.']],
    ['<td>no table', ['row: =no table']],
  ])('has blocks: %j', (text, expected) => {
    expect(outline('html', text)).toEqual(expected);
  });

  it.each([
    ['Jo &amp; Co&nbsp;&mdash; &eacute;&#233;&#xE9; &#x1F600; &#128512; &#146;', 'Jo & Co — ééé 😀 😀 ’'],
    ['AT&T &ampx &nosuch; &#xD800; &#99999999; &#0;', 'AT&T &ampx &nosuch; \ufffd &#99999999; \ufffd'],
    ['5 < 6 and 7 > 6', '5 < 6 and 7 > 6'],
    ['<a title="never closed>text</a> more', 'text more'],
    ['text <b never closed', 'text <b never closed'],
    ['text <!-- never closed', 'text'],
    ['text <script>never closed', 'text'],
    ['</p>text</b></nosuch><nosuch>', 'text'],
    ['<p/>te<span>xt</span>', 'text'],
    ['3 × 10<sup>6</sup> km<sup>2</sup> in 1990<sup>3</sup>', '3 × 10^6 km2 in 1990^3'],
    ['em&shy;ploy<wbr>ees', 'employees'],
  ])('bears %j', (text, expected) => {
    expect(sentences('html', text)).toEqual([expected]);
  });

  it('points back past tags and entities', () => {
    const text = '<p>It&nbsp;has <b>300</b> people&#46; They &lt;work&gt;.</p><p>A</p>';
    expect(originals('html', text)).toEqual(['It&nbsp;has <b>300</b> people&#46;', 'They &lt;work&gt;.', 'A']);
  });

  it('reads a page that is laid out as a table sentence by sentence', () => {
    const long = 'It has three hundred employees in many towns. '.repeat(10);
    expect(sentences('html', `<table><tr><td>${long}<td>${long}</table>`)).toHaveLength(20);
    expect(sentences('html', '<table><tr><td>Acme Inc. The firm<td>300</table>')).toEqual(['Acme Inc. The firm | 300']);
  });
});
