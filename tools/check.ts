/** npm run check: every rule that a machine can hold us to, one line each. Names given as arguments run only those. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toldUsage } from '../src/cli/usage.ts';

const bin = (name: string) => join('node_modules', '.bin', name);
const tool = (name: string, ...args: string[]) => [process.execPath, join('tools', name), ...args];

const checks: Record<string, string[]> = {
  style: [bin('biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  types: [bin('tsc'), '--pretty', 'false'],
  client: [bin('tsc'), '--project', 'client', '--noEmit', '--pretty', 'false'],
  page: [bin('tsc'), '-p', 'console', '--pretty', 'false'],
  imports: tool('imports.ts'),
  generated: tool('generate.ts', '--check'),
  contract: [process.execPath, bin('redocly'), 'lint', 'openapi.yaml'],
  lock: tool('lock.ts'),
  upgrade: tool('upgrade.ts'),
};

const names = Object.keys(checks);
const USAGE = `usage: npm run check -- [${names.join('|')} …]
  Every rule that a machine can hold us to, one line each; only those that are named, if any are.`;
if (toldUsage(USAGE)) process.exit();

const wanted = process.argv.slice(2);
// A check that looks at nothing must not pass.
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`check: there is no ${unknown.join(', ')}\n${USAGE}\n`);
  process.exit(1);
}
let failed = 0;
for (const [name, [program = '', ...args]] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  for (const [note] of stdout?.matchAll(/^note: .*$/gm) ?? []) process.stdout.write(`  ${note}\n`);
  if (status === 0) continue;
  failed++;
  process.stdout.write(`${error?.message ?? ''}${stdout}${stderr}\n`);
}
process.exitCode = failed > 0 ? 1 : 0;
