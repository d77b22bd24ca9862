/** The promises of the log on real sockets, when Postgres goes away, when it is trimmed, and when the service ends. */
import { expect, it } from 'vitest';
import { trimEvents } from '../../src/domain/events.ts';
import { Notifications } from '../../src/storage/notifications.ts';
import { newDatabase } from '../support/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ids, open, startWriters, writtenIds } from './writers.ts';

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
  await service.close();
  await Promise.all(streams.map(({ ended }) => ended));
});
