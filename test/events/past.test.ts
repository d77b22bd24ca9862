/** Those who resume from far behind: they read in small pieces, in turn, on connections of their own, and miss nothing. */
import { expect, it } from 'vitest';
import { logOf } from '../../src/domain/events.ts';
import type { Filter } from '../../src/events/filter.ts';
import { type Log, Past } from '../../src/events/past.ts';
import type { Database } from '../../src/storage/database.ts';
import { connect, newDatabase } from '../support/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { ids, open, startWriters, writtenIds } from './writers.ts';

/** Events of a tenant's scope, straight into the log: every so many of them is a reset, which is rare. */
async function fillLog(db: Database, events: number, rareEvery: number, tenantId = 'ten_a', scopeId = 'long') {
  await db.query(
    `insert into events (type, tenant_id, scope_id, payload)
     select case when n % $2 = 0 then 'scope.reset' else 'document.queued' end, $3, $4, json_build_object('n', n)
       from generate_series(1, $1::int) n`,
    [events, rareEvery, tenantId, scopeId],
  );
}

const never = new AbortController().signal;
const rare = (tenantId: string | null, scopeId = 'long'): Filter => ({
  scope: tenantId === null ? null : { tenantId, scopeId },
  types: new Set(['scope.reset']),
});

/** As a hub would, to the end of what was committed. Returns the ids that came. */
async function readAll(past: Past, filter: Filter, committed: number, signal = never): Promise<number[]> {
  const found: number[] = [];
  let at = 0;
  while (at < committed) {
    const page = await past.page(filter, at, () => committed, signal);
    found.push(...page.texts.map((text) => Number(/^id: (\d+)/.exec(text)?.[1])));
    at = page.at;
  }
  return found;
}

/** A log that says who read it, and how far each piece went. */
function watched(log: Log) {
  const reads: { who: string; ids: number }[] = [];
  const atOnce = { now: 0, most: 0 };
  return {
    reads,
    atOnce,
    newest: () => log.newest(),
    async read(filter: Filter, after: number, piece: { look: number; most: number }) {
      atOnce.most = Math.max(atOnce.most, ++atOnce.now);
      const found = await log.read(filter, after, piece);
      atOnce.now--;
      reads.push({ who: filter.scope?.tenantId ?? 'operators', ids: piece.look });
      return found;
    },
  };
}

it('a piece is a range of ids, whatever is found in it, and begins past what belongs to others', async () => {
  const db = connect(await newDatabase());
  await fillLog(db, 30_000, 10_000);
  await fillLog(db, 10, 5, 'ten_b');
  const log = logOf(db, db);
  const piece = { look: 5000, most: 500 };
  expect(await log.read(rare(null), 0, piece)).toEqual({ frames: [], upTo: 5000, trimmed: 0 });
  expect((await log.read(rare('ten_a'), 5000, piece)).frames.map(({ id }) => id)).toEqual([10_000]);
  expect(await log.read(rare('ten_b'), 0, piece)).toMatchObject({
    frames: [{ id: 30_005 }, { id: 30_010 }],
    upTo: 35_000,
  });
  expect(await log.read(rare('ten_c'), 0, piece)).toEqual({ frames: [], upTo: null, trimmed: 0 });
  const past = new Past(log, 2);
  expect(await readAll(past, rare(null), 30_010)).toEqual([10_000, 20_000, 30_000, 30_005, 30_010]);
});

it('one tenant with very many that resume does not keep another from its piece, and few read at once', async () => {
  const db = connect(await newDatabase());
  await fillLog(db, 40_000, 20_000);
  await fillLog(db, 10, 5, 'ten_b');
  const log = watched(logOf(db, db));
  const past = new Past(log, 2);
  const crowd = Array.from({ length: 30 }, () => readAll(past, rare('ten_a'), 40_010));
  await until(
    () => log.reads.length,
    (n) => n > 5,
  );
  const before = log.reads.length;
  expect(await readAll(past, rare('ten_b'), 40_010)).toEqual([40_005, 40_010]);
  // The two pieces that were being read, and those of the other slot meanwhile.
  expect(log.reads.length - before).toBeLessThan(15);
  for (const found of await Promise.all(crowd)) expect(found).toEqual([20_000, 40_000]);
  expect(log.atOnce.most).toBeLessThanOrEqual(2);
});

it('who has gone reads no further, and leaves the line at once', async () => {
  const db = connect(await newDatabase());
  await fillLog(db, 20_000, 20_000);
  const log = watched(logOf(db, db));
  const past = new Past(log, 1);
  const gone = new AbortController();
  const leaving = Array.from({ length: 20 }, () => readAll(past, rare('ten_a'), 20_000, gone.signal));
  const settled = Promise.allSettled(leaving);
  await until(
    () => log.reads.length,
    (n) => n > 0,
  );
  gone.abort(new Error('gone'));
  const before = log.reads.length;
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await readAll(past, rare('ten_b'), 20_000)).toEqual([]);
  // The one that was being read, and the one that found nothing.
  expect(log.reads.length - before).toBeLessThanOrEqual(2);
});

it('however many read back, and however long that takes, accepting has its connections', async () => {
  const databaseUrl = await newDatabase();
  const outside = connect(databaseUrl);
  const before = withVerbs(await startTestService({ settings: { DATABASE_URL: databaseUrl } }));
  const tenant = await before.newTenant();
  await before.ingest(tenant, 'long', 'ok');
  await fillLog(outside, 20_000, 9000, tenant.tenantId);
  // Another node, which has none of it in hand.
  const node = withVerbs(await startTestService({ settings: { DATABASE_URL: databaseUrl } }));
  const from = { 'last-event-id': '1' };
  const ofScope = () =>
    openStream(node.url, '/admin/scopes/long/events?types=scope.reset', {
      authorization: `Bearer ${node.admin}`,
      'x-tenant-api-key': tenant.key,
      ...from,
    });
  const streams = await outside.transaction(async (tx) => {
    // Read by those who read back, and by nobody else: they stand still until it is let go.
    await tx.query('lock table event_log in access exclusive mode');
    const opened = Array.from({ length: 15 }, () => [open(node, '?types=scope.reset', from), ofScope()]);
    const streams = await Promise.all(opened.flat());
    const waiting = () =>
      outside.query(
        `select application_name, count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' group by 1`,
      );
    await until(
      async () => (await waiting()).rows,
      (rows) => rows.length > 0 && rows.every(({ n }) => n >= 2),
    );
    for (let n = 0; n < 10; n++) expect((await node.ingest(tenant, 'short', 'ok')).status).toBe(202);
    expect((await waiting()).rows).toEqual([{ application_name: 'docket streams', n: 2 }]);
    return streams;
  });
  for (const stream of streams) {
    expect((await stream.got(2)).map(({ data }) => data.payload.n)).toEqual([9000, 18_000]);
    // Where it has found nothing yet, it could have resumed further on.
    expect(stream.notes.filter((note) => /^id: \d+\n: nothing up to here/.test(note)).length).toBeGreaterThan(0);
  }
});

it('nothing is lost or repeated when they come to what is new, while others write', async () => {
  const service = await startTestService();
  const noise = () => fillLog(service.db, 8000, 8000);
  for (let n = 0; n < 4; n++) {
    await noise();
    await startWriters(service.databaseUrl, { writers: 2, each: 3, perCommit: 2 });
  }
  const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
  const all = await writtenIds(service);
  const starts = [0, ...Array.from({ length: 12 }, (_, n) => all[n * 4] as number)];
  const writing = startWriters(service.databaseUrl, { writers: 5, each: 40, perCommit: 3 });
  const streams = await Promise.all(
    starts.map((id) => open(node, '?types=worker.restarted', { 'last-event-id': String(id) })),
  );
  await noise();
  await writing;
  const written = await writtenIds(service);
  for (const [at, stream] of streams.entries()) {
    const expected = written.filter((id) => id > (starts[at] as number));
    expect(ids(await stream.got(expected.length))).toEqual(expected);
    stream.close();
  }
});
