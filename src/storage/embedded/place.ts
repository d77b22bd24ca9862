/** Where the files of a cluster are: made aside, and put under DATA_DIR by one rename or link when they are whole. */
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../errors.ts';
import { type Account, canUse } from './account.ts';
import { SHARED_HOME } from './binaries.ts';

/** Where a start looks for the cluster of a DATA_DIR. */
export const placeIn = (dataDir: string) => join(dataDir, 'postgres');

export function makeDataDir(dataDir: string, account: Account | null): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: account ? 0o711 : 0o700 });
  } catch (cause) {
    throw new StartError(`cannot make the folder of DATA_DIR (${(cause as Error).message}). Set another.`, { cause });
  }
}

/** In this folder a cluster of a DATA_DIR is made: in that one, unless the account that runs Postgres may not enter it. */
export function parentFor(dataDir: string, account: Account | null): string {
  const parent = canUse(account, dataDir, 'x') ? dataDir : SHARED_HOME;
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  return parent;
}

/** A folder for a cluster that nobody finds yet, with the password in it. */
export function makeAside(parent: string, account: Account | null, password: string): string {
  const aside = mkdtempSync(join(parent, 'cluster-'));
  const passwordFile = join(aside, 'password');
  // On the disk at once: what Postgres has there it cannot be asked for again.
  writeFileSync(passwordFile, password, { mode: 0o600, flush: true });
  if (account) for (const path of [aside, passwordFile]) chownSync(path, account.uid, account.gid);
  return aside;
}

/** Two that do this at once agree on one cluster: false for the one that came second, whose folder is gone then. */
export function putInPlace(aside: string, dataDir: string, say: (line: string) => void): boolean {
  const place = placeIn(dataDir);
  try {
    if (aside.startsWith(join(dataDir, 'cluster-'))) {
      renameSync(aside, place);
    } else {
      symlinkSync(aside, place);
      say(`the data is in ${aside}, linked from ${place}: the account that runs Postgres may not enter ${dataDir}`);
    }
    return true;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
    return false;
  }
}
