/** Who the embedded Postgres runs as. Postgres refuses to run as root, so root lends it an ordinary account. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from '../../errors.ts';

export interface Account {
  uid: number;
  gid: number;
}

const NAME = 'postgres';

/** Null when this process may run Postgres as itself. */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  return findAccount() ?? createAccount();
}

function findAccount(): Account | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${NAME}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function createAccount(): Account {
  // initdb looks its user up by name, so a bare number that no account has will not do.
  const { error, stderr } = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', NAME], {
    encoding: 'utf8',
  });
  const account = findAccount();
  if (account) return account;
  throw new StartError(
    `Postgres refuses to run as root, and an account named ${NAME} could not be made (${error?.message ?? stderr.trim()}). ` +
      'Start as an ordinary user, make that account, or set DATABASE_URL.',
  );
}

/** Whether that account may enter a folder (`x`), or also list or load from it (`r`): every folder above counts. */
export function canUse(account: Account | null, path: string, how: 'x' | 'r'): boolean {
  if (!account) return true;
  return spawnSync('test', [`-${how}`, path], account).status === 0;
}
