/** Those who write to the log, and those who read it. */
import { appendEvents } from '../../src/events/log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { later } from '../support/later.ts';
import type { TestService } from '../support/service.ts';
import { openStream, type Stream } from '../support/stream.ts';

const bearer = ({ internals }: TestService) => ({ authorization: `Bearer ${internals}` });
export const open = (service: TestService, query = '', headers = {}): Promise<Stream> =>
  openStream(service.url, `/internals/kernel/events${query}`, { ...bearer(service), ...headers });
export const ids = (events: { id: string }[]) => events.map(({ id }) => Number(id));

/** Events of one type that nothing else here writes, in transactions that take their time before they commit. */
export function startWriters(
  url: string,
  { writers, each, perCommit }: { writers: number; each: number; perCommit: number },
) {
  const db = openDatabase({ url, poolSize: writers, timeoutMs: 60_000, onIdleError: () => {} });
  later(() => db.close());
  const write = async (writer: number) => {
    for (let n = 0; n < each; n++) {
      await db.transaction(async (tx) => {
        await tx.query('select pg_sleep($1)', [Math.random() * 0.004]);
        await appendEvents(
          tx,
          Array.from({ length: perCommit }, (_, k) => ({
            type: 'worker.restarted' as const,
            tenant_id: null,
            scope_id: null,
            payload: { worker_id: `${writer}`, reason: `${n * perCommit + k}` },
          })),
        );
        // Between the writing and the commit, where a reader could overtake it.
        if (Math.random() < 0.3) await tx.query('select pg_sleep($1)', [Math.random() * 0.004]);
      });
    }
  };
  return Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

/** As the database has them. */
export async function writtenIds({ db }: TestService): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    "select event_id::float8 as id from events where type = 'worker.restarted' order by event_id",
  );
  return rows.map(({ id }) => id);
}
