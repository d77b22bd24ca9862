/** Where a stream stands while only those are there who wait for documents, and this node has not read yet what is newest. */
import { expect, it } from 'vitest';
import { logOf, readEvents } from '../../src/domain/events.ts';
import { Keyring } from '../../src/domain/keyring.ts';
import { toFrame } from '../../src/events/frames.ts';
import { Hub } from '../../src/events/hub.ts';
import { appendEvents } from '../../src/events/log.ts';
import { Past } from '../../src/events/past.ts';
import { requireAccess } from '../../src/http/access.ts';
import { declareIdentity } from '../../src/http/auth.ts';
import { KeyWatch } from '../../src/http/key-watch.ts';
import { createServer } from '../../src/http/server.ts';
import { Streams } from '../../src/http/streams.ts';
import { requireTiers } from '../../src/http/tiers.ts';
import { createLog } from '../../src/log.ts';
import { connect, newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';

/** Streams of a hub that reads nothing by itself: the test says when it catches up. */
async function openStreams() {
  const db = connect(await newDatabase());
  const hub = new Hub(0, new Past(logOf(db, db), 1), { isAwaited: () => true });
  const keyring = new Keyring({ db, adminKeys: [], internalsKeys: [], onError: () => {} });
  later(() => keyring.close());
  const keyWatch = new KeyWatch(keyring);
  later(() => keyWatch.close());
  const streams = new Streams({ hub, keyWatch, most: 10, mostPerTenant: 10 });
  const app = createServer(
    { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
    createLog('silent'),
  );
  requireTiers(app);
  requireAccess(app);
  declareIdentity(app);
  app.get('/events', { exposeHeadRoute: false, config: { tier: 'open', boundsItself: true } }, (request, reply) =>
    streams.open(request, reply, { scope: null }),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  later(async () => {
    streams.close();
    await app.close();
  });
  const event = () => ({
    type: 'worker.restarted' as const,
    tenant_id: null,
    scope_id: null,
    payload: { worker_id: 'w', reason: 'r' },
  });
  return {
    write: (events: number) => db.transaction((tx) => appendEvents(tx, Array.from({ length: events }, event))),
    catchUp: async () => hub.publish((await readEvents(db, hub.position, 100)).map(toFrame)),
    /** Resolves when it hears of what is new. */
    open: async (after?: string) => {
      const stream = await openStream(url, '/events', after === undefined ? {} : { 'last-event-id': after });
      const place = () => stream.notes.map((note) => /^id: (\d+)\n: still here/.exec(note)?.[1]).find(Boolean);
      await until(place, Boolean);
      return { stream, place: place() as string, ids: () => stream.events.map(({ id }) => id) };
    },
  };
}

it('the first that begins is told of the newest event as its place, and cut off there has nothing older when it is back', async () => {
  const { write, catchUp, open } = await openStreams();
  await write(3);
  const first = await open();
  expect(first.place).toBe('3');
  first.stream.close();
  const back = await open(first.place);
  expect(back.place).toBe('3');
  await write(1);
  await catchUp();
  await back.stream.got(1);
  expect(back.ids()).toEqual(['4']);
});

it('the first that resumes, from ahead of this node, goes on from where it was', async () => {
  const { write, catchUp, open } = await openStreams();
  await write(3);
  const resumed = await open('2');
  expect(resumed.place).toBe('2');
  await catchUp();
  await resumed.stream.got(1);
  await write(1);
  await catchUp();
  await resumed.stream.got(2);
  expect(resumed.ids()).toEqual(['3', '4']);
});
