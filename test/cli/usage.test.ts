/** Every command of ours explains itself, and opens nothing for that. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NODE, start } from '../support/process.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const RUN = 'exec tools/node/run ';
/** The others are vitest's and biome's, which have a --help of their own. */
const commands = Object.entries(scripts).filter(([, script]) => script.startsWith(RUN) && !script.includes('vitest'));

const run = (script: string, ...args: string[]) =>
  // Whatever it tried to open, it would fail: there is neither such a folder nor such a server.
  start([NODE, ...script.replace(RUN, '').split(' '), ...args], {
    DATA_DIR: '/dev/null/data',
    DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c',
  }).ended;

it('are all of them', () => {
  const names = [
    'start',
    'keys',
    'reread',
    'tail',
    'import',
    'export',
    'console',
    'backup',
    'restore',
    'dump',
    'load',
    'eval',
    'explain',
    'check',
    'generate',
    'fuzz',
    'bench',
    'storm',
    'greed',
  ];
  expect(commands.map(([name]) => name).sort()).toEqual(names.sort());
});

describe.each(commands)('npm %s', (name, script) => {
  it.each(['--help', '-h'])('%s says how it is used, on stdout, with 0', async (flag) => {
    const { code, stdout, stderr } = await run(script, flag);
    expect([code, stderr]).toEqual([0, '']);
    const call = name === 'start' ? 'npm start' : `npm run ${name} -- `;
    expect(stdout).toMatch(new RegExp(`^usage:\\s+${call}`));
    expect(stdout.split('\n').length).toBeGreaterThan(2);
    expect(stdout.endsWith('\n')).toBe(true);
  });
});

it('npm start names the page of its settings, and refuses what it does not know', async () => {
  const command = scripts.start as string;
  expect((await run(command, '--help')).stdout).toContain('docs/configuration.md');
  const { code, stdout, stderr } = await run(command, '--port', '8081');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^docket: cannot start: '--port' is not known: .*environment.*npm start -- --help.*\n$/);
});

it('npm run check refuses a rule that there is not, instead of finding nothing', async () => {
  const { code, stderr } = await run(scripts.check as string, 'stile');
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no stile')]);
});
