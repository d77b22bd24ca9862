/** The release before this one as a folder of code that can be run, taken from the history of the repository. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPrevious } from '../tools/previous-release.ts';
import { newFolder } from './folder.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
/** What it takes to start it, and to bring its packages. */
const PARTS = ['src', 'migrations', 'package.json', 'package-lock.json', 'tools/node'];

/** Throws, and says what to do, when the history does not reach back to it. */
export function copyOfPrevious(): string {
  const { commit, show, why } = readPrevious(REPOSITORY);
  if (!show) throw new Error(why);
  const folder = newFolder('previous');
  const parts = run('git', ['archive', commit, ...PARTS], REPOSITORY);
  run('tar', ['-x'], folder, parts);
  const isSameLock = show('package-lock.json') === readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8');
  if (isSameLock) symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--prefer-offline'], folder);
  return folder;
}

function run(program: string, args: string[], cwd: string, input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    maxBuffer: 2 ** 28,
    ...(input && { input }),
  });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}
