/** The Node that scripts run on: the one that npm ci brought, else the one on the path, else one line that says what to do. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { later } from '../support/later.ts';

const { scripts, devDependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8'));

interface Machine {
  /** What npm ci installed: a program that says this version, or one that cannot run. */
  installed?: string;
  path?: string;
}

/** Runs `tools/node/run hello` where the programs named node are stand-ins that say who they are. */
function runOn({ installed, path }: Machine) {
  const folder = mkdtempSync(join(tmpdir(), 'docket-node-'));
  later(() => rmSync(folder, { recursive: true }));
  const put = (place: string, text: string) => {
    mkdirSync(join(folder, place, '..'), { recursive: true });
    writeFileSync(join(folder, place), text, { mode: 0o755 });
  };
  const program = (version: string, name: string) =>
    `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || echo "${name} $*"\n`;
  if (installed) {
    const isBroken = installed === 'broken';
    put(
      'node_modules/node-some-system/bin/node',
      isBroken ? '#!/no/such/loader\n' : program(installed, 'the installed one'),
    );
  }
  if (path) put('bin/node', program(path, 'the one on the path'));
  mkdirSync(join(folder, 'tools/node'), { recursive: true });
  copyFileSync('tools/node/run', join(folder, 'tools/node/run'));
  // Only what the script itself uses: a node of the test's own machine must not be found.
  const { status, stdout, stderr } = spawnSync('/bin/sh', [join(folder, 'tools/node/run'), 'hello'], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:${onlyDirname(folder)}` },
  });
  return { status, stdout, stderr };
}

function onlyDirname(folder: string): string {
  const tools = join(folder, 'system');
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'dirname'), '#!/bin/sh\nexec /usr/bin/dirname "$@"\n', { mode: 0o755 });
  return tools;
}

it('runs the one that npm ci brought, whatever is on the path', () => {
  for (const path of ['20.20.2', '26.0.0']) {
    expect(runOn({ installed: '24.21.0', path })).toEqual({
      status: 0,
      stdout: 'the installed one hello\n',
      stderr: '',
    });
  }
});

it.each(['22.18.0', '22.19.1', '23.0.0', '24.21.0', '100.0.0'])(
  'runs Node %s of the path when there is no other',
  (path) => {
    expect(runOn({ path })).toEqual({ status: 0, stdout: 'the one on the path hello\n', stderr: '' });
    expect(runOn({ path, installed: 'broken' })).toMatchObject({ status: 0, stdout: 'the one on the path hello\n' });
  },
);

it.each(['0.10.48', '18.20.8', '20.20.2', '22.17.9'])('refuses Node %s in one line', (path) => {
  const { status, stdout, stderr } = runOn({ path });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^docket: Node 22\.18 or newer is needed, and v\S+ is on the path\. npm ci brings one .*\n$/);
  expect(stderr).toContain(`v${path} `);
});

it('says the same when there is none', () => {
  expect(runOn({})).toMatchObject({ status: 1, stderr: expect.stringContaining('and none is on the path') });
});

it('is what every script runs on, and needs what package.json says', () => {
  const runs = Object.entries<string>(scripts).filter(([name]) => name !== 'format');
  expect(runs.length).toBeGreaterThan(8);
  for (const [name, command] of runs) expect(`${name}: ${command}`).toContain(': exec tools/node/run ');
  expect(readFileSync('tools/node/run', 'utf8')).toContain(`oldest=${engines.node.replace('>=', '')}\n`);
});

it('comes from a package of which the lock holds every platform, for development only', () => {
  expect(devDependencies['docket-node']).toBe('file:tools/node');
  const { optionalDependencies } = JSON.parse(readFileSync('tools/node/package.json', 'utf8'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, dev: true, optional: true });
    expect(packages[`node_modules/${name}`].integrity).toMatch(/^sha512-/);
  }
});
