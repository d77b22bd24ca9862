/** While nobody listens, the log is not read back; and whoever comes then misses nothing, and is told of nothing older. */
import { expect, it } from 'vitest';
import { openEventFeed } from '../../src/domain/event-feed.ts';
import { appendEvents } from '../../src/events/log.ts';
import { connect, newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { until } from '../support/until.ts';

const ALL = { scope: null, types: null };

async function openFeed() {
  const url = await newDatabase();
  const db = connect(url);
  let reads = 0;
  const watched: typeof db = {
    ...db,
    query: (sql, values) => {
      if (sql.includes('from events where event_id >')) reads++;
      return db.query(sql, values);
    },
  };
  // Nobody who has gone is waited for.
  const feed = await openEventFeed({ db: watched, reading: db, url }, () => {}, { awayMs: 0 });
  later(() => feed.close());
  let written = 0;
  const write = async (events: number) => {
    const event = () => ({
      type: 'worker.restarted' as const,
      tenant_id: null,
      scope_id: null,
      payload: { worker_id: 'w', reason: `${written++}` },
    });
    await db.transaction((tx) => appendEvents(tx, Array.from({ length: events }, event)));
    feed.ring();
  };
  const listen = async (after: number | null) => {
    const got: number[] = [];
    const note = (text: string | Buffer) =>
      void got.push(...[...`${text}`.matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id)));
    const recipient = {
      send: note,
      sendPatiently: async (text: string) => {
        note(text);
        return true;
      },
      gone: new AbortController().signal,
    };
    const leave = await feed.hub.subscribe(ALL, after ?? (await feed.hub.newest()), recipient);
    return { got, leave };
  };
  return { feed, write, listen, reads: () => reads, written: () => written };
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

it('nothing is read back, though the position follows', async () => {
  const { feed, write, reads } = await openFeed();
  for (let n = 0; n < 20; n++) await write(5);
  await until(
    () => feed.hub.position,
    (position) => position === 100,
  );
  expect(reads()).toBe(0);
});

it('one who comes hears at once of what is new, and of nothing older', async () => {
  const { write, listen } = await openFeed();
  await write(10);
  const { got } = await listen(null);
  await write(3);
  await until(
    () => got,
    ({ length }) => length >= 3,
  );
  expect(got).toEqual([11, 12, 13]);
});

it('those who come, go and resume at any moment have each event once', async () => {
  const { write, listen } = await openFeed();
  const EVENTS = 400;
  const writing = (async () => {
    for (let n = 0; n < EVENTS; n += 2) await write(2);
  })();
  const all: number[] = [];
  while (all.length < EVENTS) {
    const { got, leave } = await listen(all.at(-1) ?? 0);
    const wanted = 1 + Math.floor(Math.random() * 10);
    await until(
      () => got,
      ({ length }) => length >= Math.min(wanted, EVENTS - all.length),
    );
    leave();
    all.push(...got);
  }
  await writing;
  expect(all).toEqual(upTo(EVENTS));
});
