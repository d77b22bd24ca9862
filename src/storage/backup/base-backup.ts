/** Takes a base backup over the replication protocol: the files of a running cluster, and the log that makes them one state. */
import { randomBytes } from 'node:crypto';
import { StartError } from '../../errors.ts';
import { CopyOut } from '../copy-out.ts';
import { withConnection } from './connection.ts';

/** The first byte of a message says what it is. */
const [DATA, ARCHIVE] = [0x64, 0x6e];
/** Postgres takes no less, in kilobytes a second. */
const LEAST_RATE = 32;

export interface BaseBackupOptions {
  url: string;
  /** So much a second at most. */
  maxBytesPerSecond: number | null;
  signal: AbortSignal;
  /** Told before the first byte: about how many there will be. */
  onEstimate: (bytes: number) => void;
}

/** Hands on the archive as Postgres writes it, tar with its end. When this returns, the whole of it has come. */
export function takeBaseBackup(
  { url, signal, maxBytesPerSecond, onEstimate }: BaseBackupOptions,
  write: (piece: Buffer) => Promise<void>,
): Promise<void> {
  return withConnection({ url, signal, work: 'backup', isReplication: true }, async (client) => {
    // Without a slot, what is logged meanwhile may be removed by a checkpoint before it was sent. It goes with the connection.
    const slot = `docket_backup_${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const rate = maxBytesPerSecond === null ? null : Math.max(LEAST_RATE, Math.ceil(maxBytesPerSecond / 1024));
    let archives = 0;
    const copied = client.query(
      new CopyOut(commandFor(rate), (message) => {
        if (message[0] === ARCHIVE) archives++;
        return message[0] === DATA ? message.subarray(1) : null;
      }),
    );
    let isBegun = false;
    for await (const piece of copied) {
      // The second result has a row for each tablespace, with its size in kilobytes.
      if (!isBegun) onEstimate(1024 * (copied.results[1] ?? []).reduce((sum, row) => sum + Number(row[2] ?? 0), 0));
      isBegun = true;
      if (archives !== 1) throw new StartError('the database has tablespaces of its own, which no backup of ours has.');
      await write(piece);
    }
    if (!isBegun) throw new StartError('Postgres sent no backup.');
  });
}

/** The checkpoint that it begins with is made at once: one at leisure would take minutes. */
const commandFor = (rate: number | null) =>
  `BASE_BACKUP (LABEL 'docket', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'no'${rate === null ? '' : `, MAX_RATE ${rate}`})`;
