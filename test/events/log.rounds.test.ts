/** The promises of the log on real sockets: nothing missed, nothing twice, nothing out of order, however many write and read. */
import { expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { startTestService } from '../support/service.ts';
import type { Stream } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { ids, open, startWriters, writtenIds } from './writers.ts';

const EVENTS = rounds(10_000, 100_000);
const RECONNECTS = rounds(100, 1000);
const COMMITS = rounds(15, 150);
const EACH = rounds(10, 60);
const READERS = rounds(20, 100);

/** Each writer's own events come in the order in which it wrote them. */
function expectOrder(events: Stream['events']): void {
  const last = new Map<string, number>();
  const astray = events.filter(({ data }) => {
    const { worker_id, reason } = data.payload;
    const before = last.get(worker_id) ?? -1;
    last.set(worker_id, Number(reason));
    return Number(reason) !== before + 1;
  });
  expect(astray).toEqual([]);
}

it(`50 writers and ${EVENTS} events: a stream has each once, in the order of commits`, async () => {
  const service = await startTestService();
  const stream = await open(service, '?types=worker.restarted');
  await startWriters(service.databaseUrl, { writers: 50, each: EVENTS / 50 / 50, perCommit: 50 });
  const events = await stream.got(EVENTS);
  expect(ids(events)).toEqual(await writtenIds(service));
  expectOrder(events);
});

it(`${RECONNECTS} reconnects at random moments miss nothing and repeat nothing`, async () => {
  const service = await startTestService();
  const writing = startWriters(service.databaseUrl, { writers: 10, each: COMMITS, perCommit: 10 });
  const events: Stream['events'] = [];
  let isDone = false;
  void writing.then(() => {
    isDone = true;
  });
  let reconnects = 0;
  let last = '0';
  for (; reconnects < RECONNECTS || !isDone; reconnects++) {
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
    (n) => n >= 100 * COMMITS,
  );
  events.push(...rest.events);
  expect(ids(events)).toEqual(await writtenIds(service));
  expectOrder(events);
});

it('many who resume from far behind, while others write, all come to the same end', async () => {
  const service = await startTestService();
  await startWriters(service.databaseUrl, { writers: 10, each: EACH, perCommit: 50 });
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
    expect(ids(await stream.got(expected.length))).toEqual(expected);
    stream.close();
  }
});

it('readers that stop reading are cut off at their bound, memory stays, and others go on', async () => {
  const service = await startTestService();
  const stopped = await Promise.all(Array.from({ length: READERS }, () => open(service)));
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
  await until(cut, (open) => open === '1');
  // A hundred at 1 MiB each, and what a process needs meanwhile; without the bound it would be what was sent, to each.
  expect(most / 1024 / 1024).toBeLessThan(400);
  expect(reader.isEnded()).toBe(false);
});
