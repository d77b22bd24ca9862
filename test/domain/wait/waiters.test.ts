/** What those who wait cost Postgres: as much as one of them, however many there are. */
import { describe, expect, it } from 'vitest';
import { Convergence } from '../../../src/domain/convergence.ts';
import { openEventFeed } from '../../../src/domain/event-feed.ts';
import { Waiters } from '../../../src/domain/wait/waiters.ts';
import { connect } from '../../support/database.ts';
import { OBEDIENT, type Tenant, withVerbs } from '../../support/kernel.ts';
import { later } from '../../support/later.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = withVerbs(await startTestService({ pipeline: OBEDIENT, settings: { ROLE: 'all' } }));
const { call, admin } = service;
const tenant: Tenant = await service.newTenant();
const convergence = new Convergence({ agreement: 1, coverage: 1, stability: 1, corroboration: 1 });

/** Those of another node, whose looks are counted. */
async function openWaiters(mostPerTenant = 1000) {
  const db = connect(service.databaseUrl);
  let looks = 0;
  let reads = 0;
  const counted: typeof db = {
    ...db,
    query: (sql, values) => {
      if (sql.includes('from events')) reads++;
      else looks++;
      return db.query(sql, values);
    },
  };
  const feed = await openEventFeed({ db: counted, reading: db, url: service.databaseUrl }, () => {});
  later(() => feed.close());
  const turn = (_whose: string, work: () => Promise<void>) => work();
  const waiters = new Waiters({ db: counted, watch: feed.watch, convergence, turn, most: 2000, mostPerTenant });
  looks = 0;
  return { feed, waiters, looks: () => looks, reads: () => reads };
}

/** Longer than a test may take. */
const waiting = () => ({
  reader: { tenantId: tenant.tenantId, as: tenant.tenantId },
  ms: 600_000,
  gone: new AbortController().signal,
});

async function newScope(scope: string, documents: number) {
  await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: scope } });
  await service.control('pause', tenant, scope);
  for (let from = 0; from < documents; from += 100) {
    const numbers = Array.from({ length: Math.min(100, documents - from) }, (_, n) => from + n);
    const batch = numbers.map((n) => ({ scope_id: scope, name: 'n', text: 'ok', document_id: `d${n}` }));
    await call('POST', '/api/ingest/batch', { tenantId: tenant.tenantId, body: { documents: batch } });
  }
}
const resume = (scope: string) => service.control('resume', tenant, scope);

const resting = (waiters: Waiters, count: number) =>
  until(
    () => waiters.resting,
    (n) => n === count,
  );

describe('statements', () => {
  it.each([1, 200])('for one document are two, with %i who wait for it', async (count) => {
    const scope = `one-${count}`;
    await newScope(scope, 1);
    const { waiters, looks } = await openWaiters();
    const answers = Promise.all(Array.from({ length: count }, () => waiters.document(waiting(), scope, 'd0')));
    await resting(waiters, count);
    await resume(scope);
    expect(new Set((await answers).map(({ state }) => state))).toEqual(new Set(['processed']));
    expect(looks()).toBe(2);
  });

  it.each([1, 200])('for a scope of a thousand documents are few, with %i who wait for it', async (count) => {
    const scope = `scope-${count}`;
    await newScope(scope, 1000);
    const { waiters, looks } = await openWaiters();
    const answers = Promise.all(Array.from({ length: count }, () => waiters.summary(waiting(), scope, undefined)));
    await resting(waiters, count);
    await resume(scope);
    expect(new Set((await answers).map(({ settled_through }) => settled_through))).toEqual(new Set([999]));
    // One look when they came, one when the last document was done, and the two of a summary.
    expect(looks()).toBe(4);
  });

  it('for two hundred documents are as many as there are turns, and not as documents', async () => {
    await newScope('many', 200);
    const { waiters, looks } = await openWaiters();
    const answers = Promise.all(Array.from({ length: 200 }, (_, n) => waiters.document(waiting(), 'many', `d${n}`)));
    await resting(waiters, 200);
    await resume('many');
    expect((await answers).every(({ state }) => state === 'processed')).toBe(true);
    expect(looks()).toBeLessThan(40);
  });
});

it('the log is read back while somebody waits, and not when the last has gone', async () => {
  await newScope('heard', 1);
  const { waiters, feed, reads } = await openWaiters();
  const before = reads();
  const answer = waiters.document(waiting(), 'heard', 'd0');
  expect(feed.hub.isHeard).toBe(true);
  await until(reads, (n) => n > before);
  await resume('heard');
  expect((await answer).state).toBe('processed');
  expect([feed.hub.isHeard, waiters.resting]).toEqual([false, 0]);
});

it('a stream that begins beside them hears of nothing older, and takes nothing from them', async () => {
  await newScope('beside', 1);
  const { waiters, feed } = await openWaiters();
  const answer = waiters.document(waiting(), 'beside', 'd0');
  const got: string[] = [];
  const note = (text: string | Buffer) => void got.push(`${text}`);
  const sendPatiently = async (text: string) => {
    note(text);
    return true;
  };
  const recipient = { send: note, sendPatiently, gone: waiting().gone };
  await service.ingest(tenant, 'elsewhere', 'ok', { document_id: 'before' });
  const { hub } = feed;
  await hub.subscribe({ scope: null, types: new Set(['document.queued']) }, await hub.newest(), recipient);
  await service.ingest(tenant, 'elsewhere', 'ok', { document_id: 'after' });
  await resume('beside');
  expect((await answer).state).toBe('processed');
  await until(
    () => got.join(''),
    (text) => text.includes('"after"'),
  );
  expect(got.join('')).not.toContain('"before"');
});

it('more than may are refused before anything is read, and are let in when others have gone', async () => {
  await newScope('full', 1);
  const { waiters, looks } = await openWaiters(2);
  const gone = new AbortController();
  const open = [0, 1].map(() => waiters.document({ ...waiting(), gone: gone.signal }, 'full', 'd0'));
  await resting(waiters, 2);
  await expect(waiters.document(waiting(), 'full', 'd0')).rejects.toMatchObject({ code: 'unavailable' });
  expect(looks()).toBe(1);
  gone.abort();
  for (const one of await Promise.allSettled(open)) expect(one.status).toBe('rejected');
  const answer = waiters.document(waiting(), 'full', 'd0');
  await resume('full');
  expect((await answer).state).toBe('processed');
});
