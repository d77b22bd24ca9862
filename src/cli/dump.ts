/** npm run dump -- FILE: all that a database holds, for another version of Postgres or another server. */
import { dump } from '../storage/backup/dump.ts';
import { SealedFile } from '../storage/backup/sealed-file.ts';
import { refuseMissing, withServer } from '../storage/backup/server.ts';
import { runWithFile } from './file-command.ts';

const USAGE = `usage: npm run dump -- FILE
  Writes all that the database holds to FILE as text that any Postgres takes, beside a running service or without one: of
  the embedded database, or of that of DATABASE_URL. It holds one snapshot from its beginning to its end, and says for how
  long. npm run load -- FILE takes it. FILE has all texts and the hashes of all keys; only its owner may read it.`;

runWithFile('dump', USAGE, async ({ file: path, config, progress, say, signal }) => {
  if (config.DATABASE_URL === undefined) refuseMissing(config.DATA_DIR);
  const file = await SealedFile.create(path);
  try {
    const server = { databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, holder: 'docket dump', say };
    const { documents, heldSeconds } = await withServer(server, (url) => dump({ url, file, progress, signal }));
    signal.throwIfAborted();
    const { size, bytes, sha256 } = await file.finish();
    say(`${documents} documents: ${progress.size(bytes)}, compressed to ${progress.size(size)}, in ${path}`);
    say(`the snapshot was held for ${Math.ceil(heldSeconds)} s`);
    process.stdout.write(`${sha256}  ${path}\n`);
  } catch (error) {
    await file.discard();
    throw error;
  }
});
