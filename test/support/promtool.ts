/** Prometheus's own promtool, which Debian's package of Prometheus brings. */
import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

const PROMTOOL = 'promtool';
const isInstalled = spawnSync(PROMTOOL, ['--version']).status === 0;
if (!isInstalled)
  process.stderr.write(`${PROMTOOL} is not installed: the tests with it are skipped; apt-get install prometheus\n`);

/** Skipped without it; the gate installs it, and counts a skipped test as failed. */
export const withPromtool = describe.skipIf(!isInstalled);

/** What it has to say, and whether that is no complaint. */
export function promtool(folder: string, args: string[], input = ''): { isFine: boolean; said: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd: folder, input, encoding: 'utf8' });
  return { isFine: status === 0, said: stdout + stderr };
}
