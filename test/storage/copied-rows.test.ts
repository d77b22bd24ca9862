/** Rows that came by COPY are those that a query finds, whatever is in them. */
import { expect, it } from 'vitest';
import { isUnavailable } from '../../src/errors.ts';
import { copyRows, countRows, lastRowOf, textOf } from '../../src/storage/copied-rows.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { withLiterals } from '../../src/storage/literals.ts';
import { connect, newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';

const url = await newDatabase();
const db = connect(url);

const STRANGE = [
  ...['', ' ', 'plain', '\t', 'a\tb', '\n', 'a\nb\r\nc', '\\', '\\N', '\\n', '\\\\N', 'end\\', '\b\f\v', '\\t\t\\'],
  ...[
    "it's",
    "'; drop table documents; --",
    '$1',
    '$2 and $1',
    '\u0001',
    '\u2028',
    'é',
    '😀',
    '{"a":"\\u0041"}',
    '\\v',
    '\\\v',
    '"\\"',
  ],
];

it.each(STRANGE)('%j', async (text) => {
  const select = 'select $1::text, null, $2::bigint, $1::text';
  const [[row = []]] = await copyRows(db, [select], [text, 7]);
  expect(row.map(textOf)).toEqual([text, null, '7', text]);
});

it('all at once, in their order, and none where there are none', async () => {
  const [rows] = await copyRows(db, ['select unnest($1::text[]) as text'], [`{${STRANGE.map(quoted)}}`]);
  expect(rows.flat().map(textOf)).toEqual(STRANGE);
  expect(await copyRows(db, ['select 1 where false', 'select 2 union all select 3'], [])).toEqual([[], [['2'], ['3']]]);
});

/** In a list that is one value. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

it('says which value is missing, or is none', () => {
  expect(() => withLiterals('select $1, $2', ['a'])).toThrow('$2 is undefined');
  expect(() => withLiterals('select $1', [Number.NaN])).toThrow('$1 is NaN');
  expect(withLiterals('select 1 -$1', [-2])).toBe('select 1 -(-2)');
});

it('fails as a query does, and the connection is good for the next', async () => {
  await expect(copyRows(db, ['select 1', 'select 1 / $1::int'], [0])).rejects.toMatchObject({ code: '22012' });
  expect(await copyRows(db, ['select 2'], [])).toEqual([[['2']]]);
});

it('is unavailable when it takes too long', async () => {
  const short = openDatabase({ url, poolSize: 1, timeoutMs: 200, onIdleError: () => {} });
  later(() => short.close());
  expect(await copyRows(short, ['select pg_sleep(5)'], []).catch(isUnavailable)).toBe(true);
  expect(await copyRows(short, ['select 2'], [])).toEqual([[['2']]]);
});

it.each([
  ['select 1 where false', 0, undefined],
  ['select 1, null', 1, ['1', '\\N']],
  [`select n, e'\n\t' from generate_series(1, 3) n`, 3, ['3', '\\n\\t']],
  [`select n, '' from generate_series(1, 3) n`, 3, ['3', '']],
])('counts the rows of "%s" and finds the last, before they are taken apart', async (select, count, last) => {
  const [text = 'none'] = await db.copy([select], []);
  expect([countRows(text), lastRowOf(text)]).toEqual([count, last]);
});
