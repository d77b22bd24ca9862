import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/pipeline/normalise.ts';
import { originals, outline, sentences } from '../outline.ts';

describe('CSV', () => {
  it.each([
    [
      'name,staff\nAcme,300\nBeta,20\n',
      ['header: =name, =staff', 'row: name=Acme, staff=300', 'row: name=Beta, staff=20'],
    ],
    ['name;price\r\nAcme;1,50\r\n', ['header: =name, =price', 'row: name=Acme, price=1,50']],
    ['name\tstaff\nAcme\t\nBeta\t20', ['header: =name, =staff', 'row: name=Acme', 'row: name=Beta, staff=20']],
    ['"a,b","c ""d"""\n"x\ny", "z"', ['header: =a,b, =c "d"', 'row: a,b=x y, c "d"=z']],
    ['"a;b;c",d\n1,2', ['header: =a;b;c, =d', 'row: a;b;c=1, d=2']],
    ['a,b\n1\n1,2,3\n\n,,\n', ['header: =a, =b', 'row: a=1', 'row: a=1, b=2, =3']],
    ['\ufeff\n\na,b\n1,2', ['header: =a, =b', 'row: a=1, b=2']],
    ['a,b\n5" disk,x', ['header: =a, =b', 'row: a=5" disk, b=x']],
    ['only,one,row', ['row: =only, =one, =row']],
    ['', []],
  ])('has rows: %j', (text, expected) => {
    expect(outline('csv', text)).toEqual(expected);
  });

  it('is text, with a warning, where a quote is never closed', () => {
    const text = 'a,b\n1,"never closed\n1,2';
    expect(outline('csv', text)).toEqual(outline('txt', text));
    expect(normalise({ name: 'list', type: 'csv', text }).warnings).toEqual([
      'It is not valid CSV, as a quote is never closed: it was read as plain text.',
    ]);
  });

  it('makes one statement of a row, and points back to it', () => {
    const text = 'name,staff,note\n"Acme ""Big"" Inc.",300,"Old.\nAnd big."\n';
    expect(sentences('csv', text)).toEqual(['Acme "Big" Inc. | 300 | Old. And big.']);
    expect(originals('csv', text)).toEqual(['Acme ""Big"" Inc.",300,"Old.\nAnd big.']);
  });

  it('reads a long text in a cell by its sentences, and the short cells around it together', () => {
    const text = 'It has three hundred employees in many towns. '.repeat(10);
    const rows = sentences('csv', `name,staff,about,town,year\nAcme,300,"${text}",Rome,1990`);
    expect(rows).toHaveLength(12);
    expect([rows[0], rows[1], rows[11]]).toEqual(['Acme | 300', text.slice(0, 45), 'Rome | 1990']);
  });
});
