/** The server that is dumped or loaded: that of DATABASE_URL, or the embedded one, which may be running or is started for it. */
import { existsSync } from 'node:fs';
import { StartError } from '../../errors.ts';
import { attachEmbedded } from '../embedded/owner.ts';
import { placeIn } from '../embedded/place.ts';

export interface ServerOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Shown to a service that wants the same DATA_DIR meanwhile. */
  holder: string;
  say: (line: string) => void;
}

export async function withServer<Result>(
  { databaseUrl, ...options }: ServerOptions,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) return use(databaseUrl);
  const server = await attachEmbedded(options);
  try {
    return await use(server.url);
  } finally {
    await server.close();
  }
}

/** A start would make one; whoever wants to read from it wants to know that there is none. */
export function refuseMissing(dataDir: string): void {
  if (!existsSync(placeIn(dataDir)))
    throw new StartError(`there is no database in ${dataDir}. DATA_DIR says where the service keeps it.`);
}
