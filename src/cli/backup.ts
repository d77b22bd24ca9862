/** npm run backup -- FILE: the embedded database in one file, also beside a running service. */
import { StartError } from '../errors.ts';
import { backUp } from '../storage/backup/backup.ts';
import { refuseOwnPostgres, runWithFile } from './file-command.ts';

const USAGE = `usage: npm run backup -- FILE [--max-mb-per-s N]
  Backs the embedded database up, while the service runs or while it does not: everything that was accepted before it
  began is in FILE, in one state of all of it. npm run restore -- FILE brings it back. FILE has all texts, the hashes of
  all keys and the password of the database, and only its owner may read it. Its SHA-256 is printed as sha256sum does.`;

runWithFile(
  'backup',
  USAGE,
  async (given) => {
    refuseOwnPostgres(given, 'backup');
    const { file, config, progress, say, signal } = given;
    const rate = given.values['max-mb-per-s'];
    if (rate !== undefined && !/^[1-9]\d{0,3}$/.test(`${rate}`))
      throw new StartError('--max-mb-per-s: expected a whole number from 1 to 9999');
    const began = performance.now();
    const { size, bytes, sha256 } = await backUp({
      dataDir: config.DATA_DIR,
      file,
      maxBytesPerSecond: rate === undefined ? null : Math.min(Number(rate), 1024) * 1e6,
      progress,
      say,
      signal,
    });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    say(`done in ${seconds} s: ${progress.size(bytes)}, compressed to ${progress.size(size)}, in ${file}`);
    process.stdout.write(`${sha256}  ${file}\n`);
  },
  { 'max-mb-per-s': { type: 'string' } },
);
