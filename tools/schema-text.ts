/** Reads a schema back from the text of migrations/schema.sql, which any release has in its history. */

export interface WrittenSchema {
  tables: Map<string, WrittenTable>;
  sequences: Set<string>;
  /** By name and parameters. */
  functions: Map<string, WrittenFunction>;
}

/** What is marked as kept is there for the release before alone. */
interface Marked {
  isKept: boolean;
}

export interface WrittenTable extends Marked {
  columns: Map<string, WrittenColumn>;
  /** Their definitions, by name. */
  constraints: Map<string, string>;
  uniqueIndexes: Map<string, string>;
}

export interface WrittenColumn extends Marked {
  type: string;
  isRequired: boolean;
  /** A default, or the next number. */
  hasOwn: boolean;
}

export interface WrittenFunction extends Marked {
  name: string;
  result: string;
}

/** With which the comment of something begins that only the release before asks for. */
const KEPT = 'Kept for';

const TABLE = /((?:^--.*\n)*)^create table (\w+) \(\n([\s\S]*?)\n\)[^\n]*;$/gm;
const UNIQUE_INDEX = /^create unique index (\w+) on (\w+) ([^;]*);$/gm;
const SEQUENCE = /^create sequence (\w+);$/gm;
const FUNCTION = /^-- (\w+)(\([\s\S]*?\))\n-- {3}returns ([\s\S]*?)\n-- {3}language [\s\S]*?(?=\n\n|$(?![\s\S]))/gm;

export function readSchemaText(text: string): WrittenSchema {
  const tables = new Map<string, WrittenTable>();
  for (const [, comment = '', name = '', body = ''] of text.matchAll(TABLE))
    tables.set(name, { isKept: isKept(comment), ...readMembers(body), uniqueIndexes: new Map() });
  for (const [, name = '', table = '', definition = ''] of text.matchAll(UNIQUE_INDEX))
    tables.get(table)?.uniqueIndexes.set(name, oneLine(definition));
  const functions = new Map<string, WrittenFunction>();
  for (const [all, name = '', parameters = '', result = ''] of text.matchAll(FUNCTION)) {
    const isMarked = all.includes(`\n--   ${KEPT} `);
    functions.set(`${name}${oneLine(parameters)}`, { name, result: oneLine(result), isKept: isMarked });
  }
  const sequences = new Set([...text.matchAll(SEQUENCE)].map(([, name = '']) => name));
  return { tables, sequences, functions };
}

const isKept = (comment: string) => comment.trimStart().startsWith(`-- ${KEPT} `);

/** Without the signs of a comment, where it stands in one. */
const oneLine = (text: string) => text.replaceAll(/\n(?:--)?\s+/g, ' ').trim();

/** Columns and constraints stand at two spaces, and what goes on of them at four. */
function readMembers(body: string): Pick<WrittenTable, 'columns' | 'constraints'> {
  const columns = new Map<string, WrittenColumn>();
  const constraints = new Map<string, string>();
  for (const [, comment = '', member = ''] of body.matchAll(
    /((?:^ {2}--.*\n)*)^ {2}(\w[\s\S]*?)(?=\n {2}\S|$(?![\s\S]))/gm,
  )) {
    const text = oneLine(member.replace(/,$/, ''));
    const [, name, definition] = /^constraint (\w+) (.*)$/.exec(text) ?? [];
    if (name && definition) constraints.set(name, definition);
    else readColumn(text, isKept(comment), columns);
  }
  return { columns, constraints };
}

function readColumn(text: string, isKept: boolean, columns: Map<string, WrittenColumn>): void {
  const [, name, type, required, own] = /^(\w+) +(.*?)( not null)?( default .*| generated .*)?$/.exec(text) ?? [];
  if (!name || !type) throw new Error(`this is not understood as a column: ${text}`);
  columns.set(name, { type, isRequired: required !== undefined, hasOwn: own !== undefined, isKept });
}
