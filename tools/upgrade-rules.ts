/**
 * What keeps the release before from running beside this one: whatever that reads, writes or calls is there, and takes what it
 * writes. Pure; npm run check -- upgrade gives it the schemas of both.
 */
import type { WrittenSchema, WrittenTable } from './schema-text.ts';

/** Each as a line that says what to do instead. */
export function objections(before: WrittenSchema, now: WrittenSchema): string[] {
  const found: string[] = [];
  const moved = findMovedKeys(before, now);
  for (const [name, table] of before.tables) {
    const today = now.tables.get(name);
    if (today) found.push(...tableObjections(name, table, today, moved));
    else if (!table.isKept) found.push(`the table ${name} is gone: ${LATER}`);
  }
  for (const [name, table] of now.tables)
    if (
      !before.tables.has(name) &&
      table.columns.has('scope_key') &&
      !cascades(table) &&
      !moved.some(({ to }) => to === name)
    )
      found.push(
        `the new table ${name} has rows of scopes, which the release before does not purge: give it a foreign key that cascades`,
      );
  for (const name of before.sequences)
    if (!now.sequences.has(name)) found.push(`the sequence ${name} is gone: ${LATER}`);
  return [...found, ...functionObjections(before, now)];
}

interface MovedKey {
  from: string;
  to: string;
  definition: string;
}

/** Keys that a table has lost to a new one, whose rows triggers keep in step with its own, whichever release writes them. */
function findMovedKeys(before: WrittenSchema, now: WrittenSchema): MovedKey[] {
  const added = [...now.tables].filter(([name]) => !before.tables.has(name));
  return [...before.tables].flatMap(([from, { constraints }]) =>
    [...constraints].flatMap(([name, definition]) =>
      !IS_KEY.test(definition) || now.tables.get(from)?.constraints.has(name)
        ? []
        : added.flatMap(([to, table]) =>
            [...table.constraints.values()].includes(definition) ? [{ from, to, definition }] : [],
          ),
    ),
  );
}

const IS_KEY = /^(primary key|unique)/;
const LATER = 'mark it as "Kept for" in this release, and remove it in the next one';

function functionObjections(before: WrittenSchema, now: WrittenSchema): string[] {
  const found: string[] = [];
  for (const [signature, { name, result, isKept }] of before.functions) {
    const today = now.functions.get(signature);
    if (today && today.result !== result)
      found.push(`${name} returns ${today.result}, and no longer ${result}: give the new one a name of its own`);
    if (today || isKept) continue;
    const isThere = [...now.functions.values()].some((other) => other.name === name);
    found.push(
      isThere
        ? `${signature} has other parameters: give the new one a name of its own`
        : `the function ${name} is gone: ${LATER}`,
    );
  }
  return found;
}

function tableObjections(table: string, before: WrittenTable, now: WrittenTable, moved: MovedKey[]): string[] {
  const added = [...now.columns.keys()].filter((name) => !before.columns.has(name));
  return [
    ...columnObjections(table, before, now),
    ...added
      .filter((name) => now.columns.get(name)?.isRequired && !now.columns.get(name)?.hasOwn)
      .map(
        (name) =>
          `${table}.${name} is new, and the release before does not write it: give it a default or let it be null`,
      ),
    ...constraintObjections(table, before, now, added, moved),
  ];
}

function columnObjections(table: string, before: WrittenTable, now: WrittenTable): string[] {
  const found: string[] = [];
  for (const [name, { type, isRequired, hasOwn, isKept }] of before.columns) {
    const today = now.columns.get(name);
    const column = `${table}.${name}`;
    if (!today) {
      if (!isKept) found.push(`${column} is gone: ${LATER}`);
      continue;
    }
    if (today.type !== type) found.push(`${column} is ${today.type}, and was ${type}: add a new column`);
    if (today.isRequired && !isRequired)
      found.push(`${column} may not be null any more: the release before writes that`);
    if (today.isRequired && hasOwn && !today.hasOwn)
      found.push(`${column} has lost its default, and the release before may count on it`);
  }
  return found;
}

/** What is new may bind only who writes a new column, which the release before does not. */
function constraintObjections(
  table: string,
  before: WrittenTable,
  now: WrittenTable,
  added: string[],
  moved: MovedKey[],
): string[] {
  const found: string[] = [];
  const isOfAdded = (definition: string) => added.some((name) => new RegExp(`\\b${name}\\b`).test(definition));
  for (const [name, definition] of [...now.constraints, ...now.uniqueIndexes]) {
    const was = before.constraints.get(name) ?? before.uniqueIndexes.get(name);
    if (was === undefined && !isOfAdded(definition))
      found.push(`${name} of ${table} is new, and binds what the release before writes`);
    if (was !== undefined && was !== definition && !isWider(was, definition) && !isMoved(was, definition, moved))
      found.push(
        `${name} of ${table} is another one: add it under a new name, and drop the old one in the next release`,
      );
  }
  // "on conflict" names what makes rows one of a kind.
  const gone = [
    ...[...before.constraints].filter(
      ([name, is]) =>
        IS_KEY.test(is) &&
        !now.constraints.has(name) &&
        !moved.some(({ from, definition }) => from === table && definition === is),
    ),
    ...[...before.uniqueIndexes].filter(([name]) => !now.uniqueIndexes.has(name)),
  ];
  for (const [name] of gone) found.push(`${name} of ${table} is gone, by which the release before finds what is there`);
  return found;
}

/** It refers to a key where that is now. */
function isMoved(was: string, is: string, moved: MovedKey[]): boolean {
  return moved.some(({ from, to }) => was.replace(`references ${from}(`, `references ${to}(`) === is);
}

/** It allows all the values that it did, and more. */
function isWider(was: string, is: string): boolean {
  const list = /array\[([^\]]*)\]/;
  const [old, today] = [list.exec(was)?.[1], list.exec(is)?.[1]].map((values) => values?.split(', '));
  if (!old || !today || was.replace(list, '') !== is.replace(list, '')) return false;
  return old.every((value) => today.includes(value));
}

const cascades = ({ constraints }: WrittenTable) =>
  [...constraints.values()].some((definition) => /^foreign key .* on delete cascade$/.test(definition));
