/** Opens the store, wherever it is: the Postgres of DATABASE_URL or the embedded one, checked and migrated. */
import { type Database, openDatabase } from './database.ts';
import { attachEmbedded, openEmbedded } from './embedded/owner.ts';
import { migrate } from './migrate.ts';
import { checkDatabase } from './preflight.ts';
import { RELEASE } from './release.ts';
import { SchemaWatch } from './schema-watch.ts';

export interface StoreOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  poolSize: number;
  timeoutMs: number;
  onCommit?: () => void;
  /** Who is asking, for the embedded server: the service owns it, a command beside the service does not. */
  holder: 'service' | 'command';
  log: { info(line: string): void; warn(line: string): void; error(error: unknown, line: string): void };
}

/**
 * As many as ask at once: the flush, three scopes that are locked, two questions each for keys and for tenants (of known names
 * and of new ones), and the note of when keys were used.
 */
const ACCEPTING_CONNECTIONS = 9;
/** Enough for those who read back the event log: they take turns, and more would only take Postgres from the others. */
export const READING_CONNECTIONS = 2;

export interface Store {
  db: Database;
  /** For accepting alone, so that no reader takes its connections. */
  accepting: Database;
  /** For those who read back the event log, however many: they must not take the connections that others need. */
  reading: Database;
  schema: SchemaWatch;
  /** For those who keep connections of their own. */
  url: string;
  embedded: boolean;
  close(): Promise<void>;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, log } = options;
  const server = databaseUrl
    ? { url: databaseUrl, lost: () => null, close: async () => {} }
    : await openServer(options);
  try {
    await checkDatabase(server.url, (line) => log.warn(line));
    const { migrations, files, beside } = await migrate(server.url);
    for (const name of migrations) log.info(`applied migration ${name}`);
    if (beside)
      log.warn(`the database is of release ${beside}: release ${RELEASE} works beside it while it is rolled out`);
    if (files.length > 0) log.info(`applied ${files.length} SQL files whose text was new`);
  } catch (error) {
    await server.close();
    throw error;
  }
  const schema = new SchemaWatch();
  const shared = {
    url: server.url,
    timeoutMs: options.timeoutMs,
    lost: server.lost,
    schema,
    onIdleError: (error: Error) => log.error({ err: error }, 'lost an idle connection to Postgres'),
  };
  const writing = { ...shared, ...(options.onCommit && { onCommit: options.onCommit }) };
  const db = openDatabase({ ...writing, poolSize: options.poolSize });
  schema.remember(db);
  const accepting = openDatabase({ ...writing, name: 'docket accepting', poolSize: ACCEPTING_CONNECTIONS });
  const reading = openDatabase({ ...shared, name: 'docket streams', poolSize: READING_CONNECTIONS });
  return {
    db,
    accepting,
    reading,
    schema,
    url: server.url,
    embedded: !databaseUrl,
    async close() {
      await Promise.all([db, accepting, reading].map((pool) => pool.close()));
      await server.close();
    },
  };
}

function openServer({ dataDir, holder, log }: StoreOptions) {
  const options = {
    dataDir,
    holder: `docket ${holder}`,
    say: (line: string) => log.info(line),
    complain: (line: string) => log.error({}, line),
  };
  return holder === 'service' ? openEmbedded(options) : attachEmbedded(options);
}
