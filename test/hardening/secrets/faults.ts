/** What goes wrong around a service while it is asked to keep quiet: its Postgres dies, its extractor says back what it hears. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { later } from '../../support/later.ts';
import { postmasterOf, type Started } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { CANARY } from '../fuzz/world.ts';

/** Answers wrong in turn, and says back what it was told. */
export async function startWrongExtractor(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    const answers = [
      () => response.end(JSON.stringify({ claims: [{ subject: CANARY, sentence: authorization }] })),
      () => response.writeHead(500, { 'x-said': `${authorization}` }).end(`${CANARY} ${authorization}`),
      () => response.writeHead(302, { location: `http://127.0.0.1:1/${authorization}` }).end(),
      () => response.end(`{"${CANARY}`),
      () => request.socket.destroy(),
    ];
    answers[asked++ % answers.length]?.();
  });
  later(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/claims`, asked: () => asked };
}

/** The embedded Postgres of a service, as its administrator. */
export async function asOwner<Result>(
  dataDir: string,
  password: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { port } = postmasterOf(dataDir);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'docket', password, database: 'docket' });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end().catch(() => {}));
}

/** One of the service's connections dies, and Postgres reports what that was doing, and cuts all others. */
export async function killBackend(dataDir: string, password: string): Promise<void> {
  await asOwner(dataDir, password, async (client) => {
    // One that has had documents in hand, if their queries are still the last of any.
    const { rows } = await client.query(
      `select pid from pg_stat_activity where application_name like 'docket%' order by query ilike '%document%' desc limit 1`,
    );
    process.kill(rows[0].pid, 'SIGKILL');
  });
}

export function killPostgres(dataDir: string): void {
  process.kill(postmasterOf(dataDir).pid, 'SIGKILL');
}

const timesBack = (service: Started) => service.output().split('is back on port').length - 1;

/** Sends all the while; over when the service has noticed, and has taken one more. */
export async function whileSending(
  service: Started,
  send: () => Promise<number>,
  fault: () => Promise<void> | void,
): Promise<void> {
  const before = timesBack(service);
  for (let n = 0; n < 20; n++) await send();
  await fault();
  await until(
    async () => {
      await send().catch(() => 0);
      return timesBack(service);
    },
    (times) => times > before,
  );
  await until(
    () => send().catch(() => 0),
    (status) => status === 202,
  );
}
