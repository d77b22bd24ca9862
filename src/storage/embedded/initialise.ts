/** Makes a new cluster: a folder with `data`, and the generated password beside it. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../errors.ts';
import type { Account } from './account.ts';
import { makeAside, parentFor, putInPlace } from './place.ts';
import { run } from './run.ts';

export const SUPERUSER = 'docket';

/** An eighth of the memory that there is: the customary quarter is for a machine that has nothing else to do. */
const BUFFERS_MB = Math.min(1024, Math.max(128, Math.floor(memory() / 8 / 2 ** 20)));

/**
 * Beside initdb's defaults. Filling each new piece of the write-ahead log with zeros held up a commit in a hundred by
 * 30 ms; it is as durable without. What documents say is kept by hashes, so that each changes pages all over its indexes:
 * those go into the log whole after each checkpoint, which by default comes the sooner the more is logged, and compressed
 * are a half of what they were. Statements and details stay out of Postgres's log: they hold tenants' text.
 */
const SETTINGS = `
shared_buffers = ${BUFFERS_MB}MB
checkpoint_timeout = 10min
max_wal_size = 4GB
wal_compression = on
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
timezone = 'UTC'
log_timezone = 'UTC'
wal_init_zero = off
log_checkpoints = off
log_min_error_statement = panic
log_error_verbosity = terse
`;

/** Of the machine or of the container, in bytes. */
function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

export async function initialise(
  dataDir: string,
  programs: string,
  account: Account | null,
  say: (line: string) => void,
): Promise<void> {
  const parent = parentFor(dataDir, account);
  const aside = makeAside(parent, account, randomBytes(32).toString('base64url'));
  const data = join(aside, 'data');
  const made = await run(
    join(programs, 'initdb'),
    // The locale is named because LANG may be unset, which would make a database with no encoding at all.
    [
      ...['-D', data, '-U', SUPERUSER, `--pwfile=${join(aside, 'password')}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ],
    { account, cwd: aside, timeoutMs: 60_000 },
  );
  if (made.code !== 0) {
    rmSync(aside, { recursive: true, force: true });
    throw new StartError(`initdb could not make the embedded Postgres in ${parent}: ${made.output}`);
  }
  appendFileSync(join(data, 'postgresql.conf'), SETTINGS);
  putInPlace(aside, dataDir, say);
}
