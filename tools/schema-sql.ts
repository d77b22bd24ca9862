/** The schema of a database as text that people can read: what migrations/schema.sql shows. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../src/storage/embedded/owner.ts';
import { migrate } from '../src/storage/migrate.ts';
import { type Asked, type Column, type Definition, readCatalog, type Signature, type Table } from './catalog.ts';

const WIDTH = 120;
const HEADER = `-- The schema as it is, made by npm run generate from a new database. Do not edit it: change baseline.sql, add the
-- same change as the next numbered file, and explain it in comments.sql.`;

/** Of a database that is made for it on the embedded Postgres, and removed. */
export async function describeNewDatabase(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-schema-'));
  try {
    // As root, Postgres runs under another account, which has to get in here.
    chmodSync(dataDir, 0o711);
    const settings = ['fsync=off'];
    const postgres = await openEmbedded({ dataDir, holder: 'docket generate', say: () => {}, settings });
    try {
      await migrate(postgres.url);
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      return await describeSchema(client).finally(() => client.end());
    } finally {
      await postgres.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function describeSchema(db: Asked): Promise<string> {
  const { tables, sequences, functions } = await readCatalog(db);
  const inOrder = inOrderOfBaseline(tables);
  const summaries = inOrder.map(({ name, comment }) => wrapped(`${name}: ${summaryOf(comment)}`, '--   ', '--     '));
  return `${[
    HEADER,
    ['-- The tables, below in this order, and the functions after them:', '--', ...summaries].join('\n'),
    ...inOrder.map(describeTable),
    ...sequences.map(({ name, comment }) => `${remark(comment)}create sequence ${name};`),
    '-- The functions, whose bodies are in src/storage/functions.',
    ...functions.map(describeFunction),
  ].join('\n\n')}\n`;
}

/** Tables stand in the order of baseline.sql, which tells a story; the catalog knows only when each was made. */
function inOrderOfBaseline(tables: Table[]): Table[] {
  const baseline = readFileSync('migrations/baseline.sql', 'utf8');
  const placeOf = ({ name }: Table) => {
    const place = baseline.indexOf(`create table ${name} (`);
    return place < 0 ? baseline.length : place;
  };
  return tables.sort((one, other) => placeOf(one) - placeOf(other));
}

function summaryOf(comment: string | null): string {
  return comment?.split(/\.(?:\s|$)/)[0] ?? '';
}

function describeTable({ name, comment, settings, columns, constraints, indexes, triggers }: Table): string {
  const width = Math.max(...columns.map((column) => column.name.length));
  const members = [
    ...columns.map(
      (column) => `${remark(column.comment, '  ')}  ${column.name.padEnd(width)} ${describeColumn(column)}`,
    ),
    ...constraints.map((constraint) => {
      const text = `constraint ${constraint.name} ${plain(constraint.definition)}`;
      return `${remark(constraint.comment, '  ')}${wrapped(text, '  ', '    ')}`;
    }),
  ];
  return [
    `${remark(comment)}create table ${name} (\n${members.join(',\n')}\n)${settings ? ` with (${settings})` : ''};`,
    ...columns
      .filter(({ storage }) => storage)
      .map((column) => `alter table ${name} alter column ${column.name} set storage ${column.storage};`),
    ...[...indexes, ...triggers].map(describePart),
  ].join('\n');
}

function describeColumn({ type, fallback, identity, required }: Column): string {
  const origin = identity ? ' generated always as identity' : fallback ? ` default ${plain(fallback)}` : '';
  return `${plain(type)}${required ? ' not null' : ''}${origin}`;
}

/** A long one is broken before the clause that says when it applies. */
function describePart({ comment, definition }: Definition): string {
  const text = `${plain(definition)};`;
  return `${remark(comment)}${text.length > WIDTH ? text.replace(/ (?=where |for each )/, '\n  ') : text}`;
}

function describeFunction({ name, parameters, result, kind, settings }: Signature): string {
  const file = `src/storage/functions/${name}.sql`;
  const header = existsSync(file) ? (readFileSync(file, 'utf8').match(/^(--.*\n)+/)?.[0] ?? '') : '';
  return [
    wrapped(`${name}(${plain(parameters)})`, '-- ', '--   '),
    wrapped(`returns ${plain(result)}`, '--   ', '--     '),
    wrapped(`language ${kind}${settings ? ` set ${settings}` : ''}`, '--   ', '--     '),
    wrapped(`${summaryOf(header.replaceAll(/^-- ?/gm, ''))}.`, '--   '),
  ].join('\n');
}

/** As this project writes SQL: small letters but in quotes, and the short names of types. */
function plain(sql: string): string {
  return sql
    .replaceAll(/'[^']*'|"[^"]*"|[A-Z]+/g, (part) => (/^['"]/.test(part) ? part : part.toLowerCase()))
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll('double precision', 'float8')
    .replaceAll(/\binteger\b/g, 'int')
    .replaceAll(/\bpublic\./g, '')
    .replaceAll(' using btree', '')
    .replaceAll(/::text\b/g, '');
}

function remark(comment: string | null, indent = ''): string {
  return comment ? `${wrapped(comment, `${indent}-- `)}\n` : '';
}

function wrapped(text: string, first: string, next = first): string {
  const lines: string[] = [];
  let line = '';
  const begin = () => (lines.length === 0 ? first : next);
  for (const word of text.trim().split(/\s+/)) {
    if (line && begin().length + line.length + 1 + word.length > WIDTH) {
      lines.push(begin() + line);
      line = '';
    }
    line += line ? ` ${word}` : word;
  }
  return [...lines, begin() + line].join('\n');
}
