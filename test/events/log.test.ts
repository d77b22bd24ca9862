/** The promises of the log on real sockets: nothing missed, nothing twice, nothing out of order, whatever happens. */
import { expect, it } from 'vitest';
import { trimEvents } from '../../src/domain/events.ts';
import { appendEvents } from '../../src/events/log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { Notifications } from '../../src/storage/notifications.ts';
import { newDatabase } from '../support/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { openStream, type Stream } from '../support/stream.ts';
import { until } from '../support/until.ts';

const bearer = ({ internals }: TestService) => ({ authorization: `Bearer ${internals}` });
const open = (service: TestService, query = '', headers = {}): Promise<Stream> =>
  openStream(service.url, `/internals/kernel/events${query}`, { ...bearer(service), ...headers });
const ids = (events: { id: string }[]) => events.map(({ id }) => Number(id));

/** Events of one type that nothing else here writes, in transactions that take their time before they commit. */
function startWriters(url: string, { writers, each, perCommit }: { writers: number; each: number; perCommit: number }) {
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
async function writtenIds({ db }: TestService): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    "select event_id::float8 as id from events where type = 'worker.restarted' order by event_id",
  );
  return rows.map(({ id }) => id);
}

/** Each writer's own events come in the order in which it wrote them. */
function expectOrder(events: { data: { payload: { worker_id: string; reason: string } } }[]): void {
  const last = new Map<string, number>();
  for (const { data } of events) {
    const { worker_id, reason } = data.payload;
    expect(Number(reason)).toBe((last.get(worker_id) ?? -1) + 1);
    last.set(worker_id, Number(reason));
  }
}

it('50 writers and 100,000 events: a stream has each once, in the order of commits', async () => {
  const service = await startTestService();
  const stream = await open(service, '?types=worker.restarted');
  await startWriters(service.databaseUrl, { writers: 50, each: 40, perCommit: 50 });
  const events = await stream.got(100_000, 60_000);
  expect(ids(events)).toEqual(await writtenIds(service));
  expectOrder(events);
});

it('1,000 reconnects at random moments miss nothing and repeat nothing', async () => {
  const service = await startTestService();
  const writing = startWriters(service.databaseUrl, { writers: 10, each: 150, perCommit: 10 });
  const events: Stream['events'] = [];
  let isDone = false;
  void writing.then(() => {
    isDone = true;
  });
  let reconnects = 0;
  let last = '0';
  for (; reconnects < 1000 || !isDone; reconnects++) {
    const stream = await open(service, '?types=worker.restarted', { 'last-event-id': last });
    expect(stream.status).toBe(200);
    const wanted = Math.floor(Math.random() * 20);
    const patience = performance.now() + Math.random() * 10;
    while (stream.events.length < wanted && performance.now() < patience)
      await new Promise((resolve) => setTimeout(resolve, 1));
    stream.close();
    events.push(...stream.events);
    last = events.at(-1)?.id ?? '0';
  }
  const rest = await open(service, '?types=worker.restarted', { 'last-event-id': last });
  await until(
    () => events.length + rest.events.length,
    (n) => n >= 15_000,
  );
  events.push(...rest.events);
  expect(ids(events)).toEqual(await writtenIds(service));
  expectOrder(events as never);
});

it('many who resume from far behind, while others write, all come to the same end', async () => {
  const service = await startTestService();
  await startWriters(service.databaseUrl, { writers: 10, each: 60, perCommit: 50 });
  const all = await writtenIds(service);
  const writing = startWriters(service.databaseUrl, { writers: 5, each: 40, perCommit: 10 });
  const starts = Array.from({ length: 20 }, (_, n) => all[Math.floor((n * all.length) / 20)] as number);
  const streams = await Promise.all(
    starts.map((id) => open(service, '?types=worker.restarted', { 'last-event-id': String(id) })),
  );
  await writing;
  const written = await writtenIds(service);
  for (const [at, stream] of streams.entries()) {
    const expected = written.filter((id) => id > (starts[at] as number));
    expect(ids(await stream.got(expected.length, 30_000))).toEqual(expected);
    stream.close();
  }
});

it('readers that stop reading are cut off at their bound, memory stays, and others go on', async () => {
  const service = await startTestService();
  const stopped = await Promise.all(Array.from({ length: 100 }, () => open(service)));
  const reader = await open(service, '?types=worker.restarted');
  for (const { socket } of stopped) socket.pause();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = 0;
  let sent = 0;
  const cut = async () => {
    // Large ones, straight into the log, or it would take long.
    await service.db.query(
      `insert into events (type, payload) select 'worker.restarted', json_build_object('key_prefix', repeat('x', 50000), 'n', n)
         from generate_series(1, 10) n`,
    );
    sent += 10;
    await reader.got(sent);
    most = Math.max(most, process.memoryUsage().rss - before);
    return (await service.call('GET', '/internals/metrics', { key: service.internals })).body.match(
      /docket_streams (\d+)/,
    )?.[1];
  };
  await until(cut, (open) => open === '1', 60_000);
  // A hundred at 1 MiB each, and what a process needs meanwhile; without the bound it would be what was sent, to each.
  expect(most / 1024 / 1024).toBeLessThan(400);
  expect(reader.isEnded()).toBe(false);
}, 120_000);

it('Postgres away and back: streams stay open, and what was committed meanwhile comes', async () => {
  const databaseUrl = await newDatabase();
  const target = new URL(databaseUrl);
  const proxy = await startProxy({ host: target.hostname, port: Number(target.port) });
  const behind = new URL(databaseUrl);
  behind.port = `${proxy.port}`;
  const service = await startTestService({ settings: { DATABASE_URL: behind.href } });
  const stream = await open(service, '?types=worker.restarted');
  await startWriters(databaseUrl, { writers: 2, each: 5, perCommit: 2 });
  await stream.got(20);
  proxy.down();
  await startWriters(databaseUrl, { writers: 2, each: 5, perCommit: 2 });
  expect(stream.isEnded()).toBe(false);
  proxy.up();
  const events = await stream.got(40);
  expect(ids(events)).toEqual(await writtenIds(service));
});

it('what was trimmed is a gap that says so; 0 begins with what is kept', async () => {
  const service = await startTestService();
  await startWriters(service.databaseUrl, { writers: 1, each: 30, perCommit: 1000 });
  const written = await writtenIds(service);
  const kept = { hours: 1000, rows: 5000 };
  while (await trimEvents(service.db, kept));
  const { rows } = await service.db.query<{ n: number; trimmed: number }>(
    'select count(*)::int as n, (select trimmed_up_to::int from event_log) as trimmed from events',
  );
  expect(rows[0]?.n).toBe(5000);
  // A node that was not there when they happened: it has none of them in hand.
  const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });

  const late = await open(node, '', { 'last-event-id': String(written[10]) });
  const [gap, next] = await late.got(2);
  expect(gap).toEqual({
    id: `${rows[0]?.trimmed}`,
    event: 'gap',
    data: { requested_after: String(written[10]), missing_up_to: `${rows[0]?.trimmed}` },
  });
  expect(Number(next?.id)).toBeGreaterThan(Number(gap?.id));

  const resumed = await open(node, '?types=worker.restarted', { 'last-event-id': gap?.id as string });
  expect((await resumed.got(5000)).map(({ event }) => event)).not.toContain('gap');
  const fromZero = await open(node, '', { 'last-event-id': '0' });
  expect((await fromZero.got(1))[0]?.event).not.toBe('gap');
});

it('is trimmed by age, in pieces, and not twice at once', async () => {
  const service = await startTestService();
  await startWriters(service.databaseUrl, { writers: 1, each: 12, perCommit: 1000 });
  await service.db.query("update events set ts = now() - interval '2 hours' where event_id <= 11000");
  const keep = { hours: 1, rows: 1_000_000 };
  let pieces = 0;
  while ((await Promise.all([trimEvents(service.db, keep), trimEvents(service.db, keep)])).some(Boolean)) pieces++;
  expect(pieces).toBeGreaterThanOrEqual(1);
  const { rows } = await service.db.query('select min(event_id)::int as first from events');
  expect(rows).toEqual([{ first: 11_001 }]);
});

it('another node hears of a commit, and its streams have it', async () => {
  const writer = withVerbs(await startTestService());
  const reader = await startTestService({ settings: { DATABASE_URL: writer.databaseUrl } });
  const stream = await open(reader, '?types=scope.*');
  await writer.ingest(await writer.newTenant(), 'far', 'ok');
  expect((await stream.got(1)).map(({ event }) => event)).toEqual(['scope.created']);

  let heard = 0;
  const [one, two] = [0, 1].map(
    (n) =>
      new Notifications({ url: writer.databaseUrl, onNotified: () => void (n === 1 && heard++), onError: () => {} }),
  ) as [Notifications, Notifications];
  later(() => Promise.all([one.close(), two.close()]));
  await until(
    () => {
      one.notify();
      return heard;
    },
    (n) => n > 3,
  );
});

it('closing ends every stream cleanly', async () => {
  const service = await startTestService();
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(service)));
  const began = performance.now();
  await service.close();
  await Promise.all(streams.map(({ ended }) => ended));
  expect(performance.now() - began).toBeLessThan(5000);
});
