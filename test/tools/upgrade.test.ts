/** What the release before cannot run beside: each way of taking something away from it is objected to. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPrevious } from '../../tools/previous-release.ts';
import { readSchemaText } from '../../tools/schema-text.ts';
import { objections } from '../../tools/upgrade-rules.ts';
import { newFolder } from '../support/process.ts';

/** As npm run generate writes it. */
const BEFORE = `-- The schema as it is.

-- Who owns documents.
create table tenants (
  tenant_id text not null,
  -- The order of creation.
  ordinal   bigint not null generated always as identity,
  limits    jsonb not null default '{}'::jsonb,
  note      text,
  -- Kept for replicas of release 7, which write it.
  weight    int,
  constraint tenants_pkey primary key (tenant_id),
  constraint tenants_state_check check (note = any (array['running', 'paused',
    'stopped'])),
  constraint tenants_ordinal_key unique (ordinal)
) with (fillfactor=50);
create unique index tenants_by_note on tenants (lower(note))
  where (note is not null);

-- Kept for replicas of release 7.
create table leftovers (
  n int not null
);

create sequence epochs;

-- The functions, whose bodies are in src/storage/functions.

-- accept(tenant_ids text[], scope_ids text[], a_parameter_with_a_long_name_that_makes_two_lines boolean[],
--   patience_ms int)
--   returns table(seqs float8[], awakened
--     boolean[])
--   language plpgsql set enable_seqscan=off
--   Accepts documents.

-- settle_batch(lane bigint)
--   returns void
--   language plpgsql
--   Kept for replicas of release 7, which only accept.
`;

const found = (change: (text: string) => string, before = BEFORE): string[] => {
  const text = change(before);
  expect(text).not.toBe(before);
  return objections(readSchemaText(before), readSchemaText(text));
};
const replacing = (what: string | RegExp, by: string) => (text: string) => text.replace(what, () => by);

describe('it takes', () => {
  it.each<[string, (text: string) => string]>([
    [
      'a column with a default',
      replacing('  note      text,', '  note      text,\n  more      int not null default 0,'),
    ],
    ['a column that may be null', replacing('  note      text,', '  note      text,\n  more      int,')],
    ['a column that may be null now', replacing('text not null', 'text')],
    [
      'a constraint on a new column',
      replacing('  note      text,', '  note text,\n  more int,\n  constraint more check (more > 0),'),
    ],
    ['one more value', replacing("'stopped']", "'stopped', 'draining']")],
    ['a new function', (text) => `${text}\n-- more()\n--   returns void\n--   language sql\n--   More.\n`],
    [
      'a key that is that of a new table, in step with this one',
      (text) =>
        `${text.replace(/,\n {2}constraint tenants_ordinal_key.*/, '')}\ncreate table orders (\n  ordinal bigint not null,\n  constraint orders_ordinal_key unique (ordinal)\n);\n`,
    ],
    ['another language', replacing('language plpgsql set enable_seqscan=off', 'language sql')],
    ['what was kept being gone: a column', replacing(/ {2}-- Kept.*\n.*\n/, '')],
    ['what was kept being gone: a table', replacing(/-- Kept for replicas of release 7\.[\s\S]*?\);\n/, '')],
    ['what was kept being gone: a function', replacing(/-- settle_batch[\s\S]*$/, '')],
  ])('%s', (_what, change) => {
    expect(found(change)).toEqual([]);
  });
});

describe('it objects to', () => {
  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a table that is gone',
      replacing('create table tenants', 'create table owners'),
      /^the table tenants is gone: mark it/,
    ],
    ['a column that is gone', replacing('  note      text,\n', ''), /^tenants\.note is gone: mark it/],
    ['another type', replacing('ordinal   bigint', 'ordinal   int'), /^tenants\.ordinal is int, and was bigint/],
    [
      'a column that must not be null',
      replacing('note      text', 'note      text not null'),
      /^tenants\.note may not be null/,
    ],
    ['a default that is gone', replacing(" default '{}'::jsonb", ''), /^tenants\.limits has lost its default/],
    [
      'a new column without one',
      replacing('  note ', '  more int not null,\n  note '),
      /^tenants\.more is new, and the release/,
    ],
    [
      'a new constraint',
      replacing('  constraint tenants_o', '  constraint short check (length(note) < 9),\n  constraint tenants_o'),
      /^short of tenants is new, and binds/,
    ],
    ['fewer values', replacing(", 'paused',\n   ", ','), /^tenants_state_check of tenants is another one/],
    ['another constraint', replacing('note = any', 'limits = any'), /^tenants_state_check of tenants is another one/],
    [
      'a key that is gone',
      replacing(/,\n {2}constraint tenants_ordinal_key.*/, ''),
      /^tenants_ordinal_key of tenants is gone, by which/,
    ],
    [
      'a unique index that is gone',
      replacing('create unique index tenants_by_note', 'create index tenants_by_note'),
      /^tenants_by_note of tenants is gone/,
    ],
    [
      'a new unique index',
      (text) => `${text}\ncreate unique index by_limits on tenants (limits);\n`,
      /^by_limits of tenants is new, and binds/,
    ],
    ['a sequence that is gone', replacing('create sequence epochs;', ''), /^the sequence epochs is gone/],
    ['a function that is gone', replacing('-- accept(', '-- take('), /^the function accept is gone: mark it/],
    [
      'other parameters',
      replacing('patience_ms int)', 'traces text[], patience_ms int)'),
      /^accept\(.*\) has other parameters: give the new one a name/,
    ],
    [
      'another result',
      replacing('float8[], awakened', 'bigint[], awakened'),
      /^accept returns table\(seqs bigint\[\], awakened boolean\[\]\)/,
    ],
    [
      'a new table that nobody purges',
      (text) => `${text}\ncreate table notes (\n  scope_key bigint not null\n);\n`,
      /^the new table notes has rows of scopes/,
    ],
  ])('%s', (_what, change, says) => {
    expect(found(change)).toEqual([expect.stringMatching(says)]);
  });

  it('nothing of a new table whose rows go with others', () => {
    const table = `create table notes (
  scope_key bigint not null,
  constraint notes_fkey foreign key (scope_key) references scopes(scope_key) on delete cascade
);
`;
    expect(found((text) => `${text}\n${table}`)).toEqual([]);
  });
});

it('reads all of the schema that there is', () => {
  const text = readFileSync('migrations/schema.sql', 'utf8');
  const { tables, functions, sequences } = readSchemaText(text);
  expect([...tables.keys()]).toEqual([...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name));
  expect(functions.size).toBe([...text.matchAll(/^-- {3}language /gm)].length);
  expect(sequences).toContain('lane_epochs');
  const columns = [...tables.values()].flatMap((table) => [...table.columns]);
  const isType = /^([a-z0-9]+(\[\])?|timestamp\(\d\) with time zone)$/;
  expect(columns.filter(([, { type }]) => !isType.test(type))).toEqual([]);
});

it('says what to fetch where the history does not reach back to the release before', () => {
  const folder = newFolder();
  mkdirSync(join(folder, '.ci'));
  writeFileSync(join(folder, '.ci/previous-release'), `${'0'.repeat(40)}\n`);
  expect(readPrevious(folder)).toMatchObject({
    show: null,
    why: expect.stringMatching(/0{7}, is not in this copy: fetch it/),
  });
});
