/** The release before this one, as the history of the repository has it: .ci/previous-release names its commit. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Previous {
  commit: string;
  /** The text of a file, null if there is none; null when the commit is not here. */
  show: ((file: string) => string | null) | null;
  /** What to do then. */
  why: string;
}

/** In the folder of a clone. */
export function readPrevious(folder = '.'): Previous {
  const commit = readFileSync(join(folder, '.ci/previous-release'), 'utf8').trim();
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const isHere = git('cat-file', '-e', `${commit}^{commit}`).status === 0;
  const show = (file: string) => {
    const { status, stdout } = git('show', `${commit}:${file}`);
    return status === 0 ? stdout : null;
  };
  return {
    commit,
    show: isHere ? show : null,
    why: `the release before, ${commit.slice(0, 7)}, is not in this copy: fetch it (git fetch --unshallow)`,
  };
}
