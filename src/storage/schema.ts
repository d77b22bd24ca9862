/** Reads the files that make up the schema: migrations, and what is applied again whenever its text changes. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const FUNCTIONS = fileURLToPath(new URL('./functions/', import.meta.url));

/** The oldest schema that this release upgrades, with the service stopped. The files that led to it are gone. */
export const OLDEST_UPGRADED = { name: '0.1.0', version: 11, migration: '000011_locked_scopes.sql' };

/** Drops functions that have no file any more. */
export const RETIRED = 'retired.sql';

export interface Script {
  name: string;
  sql: string;
  sha256: string;
}

export interface Migration extends Script {
  version: number;
}

export interface Schema {
  /** Makes the tables of a new database, as the last of the upgrades leaves them: it has the version of that one. */
  baseline: Migration;
  upgrades: Migration[];
  /** What can be applied any number of times, in any order. */
  files: Script[];
}

export function readSchema(): Schema {
  const upgrades = readdirSync(MIGRATIONS)
    .filter((file) => /^\d{6}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ ...readScript(MIGRATIONS, file), version: Number(file.slice(0, 6)) }));
  const version = upgrades.at(-1)?.version ?? OLDEST_UPGRADED.version;
  const functions = readdirSync(FUNCTIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return {
    baseline: { ...readScript(MIGRATIONS, 'baseline.sql'), version },
    upgrades,
    files: [
      ...functions.map((file) => readScript(FUNCTIONS, file)),
      ...['comments.sql', RETIRED].map((file) => readScript(MIGRATIONS, file)),
    ],
  };
}

function readScript(folder: string, name: string): Script {
  const sql = readFileSync(`${folder}${name}`, 'utf8');
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
