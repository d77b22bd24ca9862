/** npm run restore -- FILE: what a backup holds, into a data folder that has no database yet. */
import { restore } from '../storage/backup/restore.ts';
import { refuseOwnPostgres, runWithFile } from './file-command.ts';

const USAGE = `usage: npm run restore -- FILE
  Brings back what npm run backup has written, into DATA_DIR, which must have no database yet: nothing is replaced. FILE is
  compared with its checksum before anything is made. Then npm start serves all of it, with the keys of that time.`;

runWithFile('restore', USAGE, async (given) => {
  refuseOwnPostgres(given, 'restore');
  const { file, config, progress, say, signal } = given;
  const { made_at, release } = await restore({ dataDir: config.DATA_DIR, file, progress, say, signal });
  say(
    `restored to ${config.DATA_DIR}: the backup that was begun at ${made_at}, of release ${release}. npm start serves it.`,
  );
});
