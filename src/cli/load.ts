/** npm run load -- FILE: what a dump holds, into a database that has nothing of ours yet. */
import { load, refuseUnfitFile } from '../storage/backup/load.ts';
import { verifySeal } from '../storage/backup/sealed-file.ts';
import { withServer } from '../storage/backup/server.ts';
import { runWithFile } from './file-command.ts';

const USAGE = `usage: npm run load -- FILE
  Loads what npm run dump has written, of this release or the one before, into the embedded database of a new DATA_DIR, or
  into that of DATABASE_URL, which must have no tables of ours. FILE is compared with its checksum before anything is asked
  of a database, and all rows are one transaction. Load only files that you trust: FILE says which tables are made.`;

runWithFile('load', USAGE, async ({ file, config, progress, say, signal }) => {
  const bytes = await verifySeal(file, progress, signal);
  await refuseUnfitFile(file);
  const server = { databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, holder: 'docket load', say };
  const { manifest, documents } = await withServer(server, (url) => load({ url, file, bytes, progress, signal, say }));
  say(`${documents} documents are loaded: what there was at ${manifest.made_at}. npm start serves it.`);
});
