/** Runs a command on the store that the service has with the same settings, which may be running. */
import { readConfig } from '../config.ts';
import type { Database } from '../domain/database.ts';
import { StartError } from '../errors.ts';
import { openStore } from '../storage/open.ts';
import { toldUsage } from './usage.ts';

export type Command = (db: Database) => Promise<void>;

/** Only what a command is asked for goes to stdout, so that KEY=$(npm run -s keys -- issue admin) holds a key. */
export const print = (text: string) => process.stdout.write(`${text}\n`);
export const tell = (text: string) => process.stderr.write(`${text}\n`);

/** By its name in `npm run`, with what is to be done for its arguments. */
export function runInStore(name: string, usage: string, parse: (args: string[]) => Command): void {
  const run = async () => {
    if (toldUsage(usage)) return;
    const command = parse(process.argv.slice(2));
    const config = readConfig();
    const store = await openStore({
      databaseUrl: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: 2,
      timeoutMs: config.DB_TIMEOUT_MS,
      holder: 'command',
      log: { info: tell, warn: tell, error: (_error, line) => tell(line) },
    });
    try {
      await command(store.db);
    } finally {
      await store.close();
    }
  };
  run().catch((error) => {
    const expected = error instanceof StartError || String(error.code).startsWith('ERR_PARSE_ARGS');
    tell(expected ? `${name}: ${error.message}` : error.stack);
    process.exitCode = 1;
  });
}
