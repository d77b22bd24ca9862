/** What COPY has written of a document becomes the JSON that it would have been written as. */
import { expect, it } from 'vitest';
import { jsonOf } from '../../../src/domain/export/document-lines.ts';
import { ndjsonLine } from '../../../src/ndjson.ts';
import { copyRows } from '../../../src/storage/copied-rows.ts';
import { connect, newDatabase } from '../../support/database.ts';

const db = connect(await newDatabase());

/** Each alone, and behind what escapes and between what is no ASCII. */
const CHARACTERS = [
  ...Array.from({ length: 0x100 - 1 }, (_, code) => String.fromCharCode(code + 1)),
  ...[
    '\\N',
    '\\v',
    '\\\\v',
    '\\u0041',
    '\u2027',
    '\u2028',
    '\u2029',
    '\u202a',
    '€',
    '東',
    '😀',
    '\ufeff',
    '\uffff',
    '',
  ],
];

it('whatever characters are in it', async () => {
  const texts = CHARACTERS.flatMap((character) => [
    character,
    `\\${character}\\`,
    `é${character}😀`,
    `Â${character}â\u0080`,
  ]);
  const [rows] = await copyRows(db, [texts.map((_, nth) => `select $${nth + 1}::text`).join(' union all ')], texts);
  const written = rows.map(([copied = '']) => Buffer.from(jsonOf(copied), 'latin1').toString());
  expect(written.map((json) => `${json}\n`)).toEqual(texts.map(ndjsonLine));
});

it('and null where there is none', async () => {
  const [[row = []]] = await copyRows(db, ['select null'], []);
  expect(row.map(jsonOf)).toEqual(['null']);
});
