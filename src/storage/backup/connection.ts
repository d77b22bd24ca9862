/** A connection for one long piece of work, which ends with it, and at once when it is called off. */
import pg from 'pg';
import { explainStart } from '../preflight.ts';
import { explainPostgres } from './explain.ts';

const CONNECT_MS = 15_000;

export interface ConnectionOptions {
  url: string;
  /** What it is for, in a word. */
  work: 'backup' | 'dump' | 'load';
  signal: AbortSignal;
  /** Whether commands of the replication protocol are sent over it. */
  isReplication?: boolean;
}

export async function withConnection<Result>(
  { url, work, signal, isReplication }: ConnectionOptions,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const config: pg.ClientConfig & { replication?: string } = {
    connectionString: url,
    ...(isReplication && { replication: 'true' }),
    application_name: `docket ${work}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  };
  const client = new pg.Client(config);
  client.on('error', () => {});
  const breakOff = () => void client.connection.stream.destroy();
  signal.addEventListener('abort', breakOff);
  try {
    await client.connect().catch((error) => {
      throw explainStart(error, url);
    });
    return await use(client);
  } catch (error) {
    // Why it broke, rather than that it did.
    signal.throwIfAborted();
    throw explainPostgres(error, work);
  } finally {
    signal.removeEventListener('abort', breakOff);
    await client.end().catch(() => {});
  }
}
