/** What COPY has written of a document becomes the JSON that it would have been written as. */
import { expect, it } from 'vitest';
import { jsonOf, writeDocuments } from '../../../src/domain/export/document-lines.ts';
import { ndjsonLine } from '../../../src/ndjson.ts';
import { copyRows } from '../../../src/storage/copied-rows.ts';
import type { ExportedDocument } from '../../../src/storage/exported-documents.ts';
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

it('with what is noted of it, and the name of its scope', async () => {
  const warnings = ['a "b"\n\\', 'é\u2028\u0085', ''];
  const nothing = Object.fromEntries(FIELDS.map((name) => [name, '\\N'])) as unknown as ExportedDocument;
  const select = `select to_json(array[${warnings.map((_, nth) => `$${nth + 1}`)}])`;
  const [[[noted = ''] = []]] = await copyRows(db, [select], warnings);
  const its = {
    ...nothing,
    version: '1',
    seq: '2',
    state: 'queued',
    attempts: '0',
    accepted_at: '2026-01-02 03:04:05.6+00',
  };
  const { lines, count } = await writeDocuments('s\u2029"', [{ ...its, warnings: noted, text: undefined }, its]);
  const [first, second, end] = lines.toString().split(/[\n\u0085\u2028\u2029]/) as [string, string, string];
  expect(JSON.parse(first)).toMatchObject({ kind: 'document', scope_id: 's\u2029"', warnings, claims: null });
  expect(JSON.parse(first)).not.toHaveProperty('text');
  expect(JSON.parse(second)).toMatchObject({ warnings: [], text: null, accepted_at: '2026-01-02T03:04:05.600Z' });
  expect([count, end]).toEqual([2, '']);
});

const FIELDS = [
  ...['document_id', 'name', 'type', 'source', 'provenance', 'error', 'queued_at', 'started_at', 'finished_at'],
  ...['not_before', 'claims', 'warnings', 'text'],
];
