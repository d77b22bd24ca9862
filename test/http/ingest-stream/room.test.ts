/** Long lines of streams take their room of the budget for all bodies: they wait for it, give it back, and never for each other. */
import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../../../src/http/body-budget.ts';
import { settings } from '../../../src/settings.ts';
import { openSending, type Sending, sendLines } from '../../support/ingest-stream.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;
/** All that there is for bodies, and what a stream has of it from its beginning. */
const ALL = 128 * MEGABYTE;
const WINDOW = MEGABYTE;
/** For the longest line, and as much again, which a tenant leaves for others. */
const LINE = 2 * MEGABYTE;

const service = await startTestService();
const { url } = service;
const budget = service.app.bodyBudget;
const newTenant = async () => ({ tenantId: (await service.newTenant()).tenantId });
const note = (n: number, text = 'It is.') => ({ scope_id: 'room', name: `Note ${n}`, text });
const long = (n: number) => note(n, 'x'.repeat(99_000));
const isFree = () =>
  until(
    () => budget.taken,
    (taken) => taken === 0,
  );

async function begun(count: number, tenantId: string): Promise<Sending[]> {
  const sendings = Array.from({ length: count }, () => openSending(url, { tenantId }));
  for (const sending of sendings) await sending.send(note(0));
  await Promise.all(sendings.map((sending) => sending.got(1)));
  return sendings;
}

describe('a line that outgrows 64 KB', () => {
  it('is counted until it is stored, and what becomes too long only until then', async () => {
    const { tenantId } = await newTenant();
    const [sending] = (await begun(1, tenantId)) as [Sending];
    expect(budget.taken).toBe(WINDOW);
    const untilTaken = (bytes: number) =>
      until(
        () => budget.taken,
        (taken) => taken === bytes,
      );
    const text = JSON.stringify(long(1));
    await sending.send(text);
    await untilTaken(WINDOW + LINE);
    await sending.send('\n');
    await sending.got(2);
    await untilTaken(WINDOW);
    await sending.send(text);
    await untilTaken(WINDOW + LINE);
    const piece = Buffer.alloc(MEGABYTE, 'x');
    for (let n = 0; n < 3; n++) await sending.send(piece);
    await untilTaken(WINDOW);
    await sending.send('\n', note(2));
    sending.end();
    expect((await sending.all()).map(({ status }) => status)).toEqual([202, 202, 413, 202, undefined]);
    await isFree();
  });

  it('is waited with while there is no room, and those before it are answered', async () => {
    const { tenantId } = await newTenant();
    const [sending] = (await begun(1, tenantId)) as [Sending];
    // An operator may have all but what is left for this.
    const giveBack = budget.take(null, ALL - budget.taken - MEGABYTE);
    await sending.send(note(1), long(2), note(3));
    sending.end();
    await sending.got(2);
    // Somebody else's body is let through meanwhile.
    const other = await service.newTenant();
    const { status } = await service.call('POST', '/api/ingest', { tenantId: other.tenantId, body: note(1) });
    expect([status, sending.answers.length]).toEqual([202, 2]);
    giveBack();
    expect((await sending.all()).at(-1)).toMatchObject({ through: 4, accepted: 4, done: true });
    await isFree();
  });

  it('gives its room back when its client vanishes, and when it only waits for it', async () => {
    const { tenantId } = await newTenant();
    const [held] = (await begun(1, tenantId)) as [Sending];
    await held.send(JSON.stringify(long(1)));
    await until(
      () => budget.taken,
      (taken) => taken === WINDOW + LINE,
    );
    const [waiting] = (await begun(1, tenantId)) as [Sending];
    const giveBack = budget.take(null, ALL - budget.taken - MEGABYTE);
    // As little more as makes it long: where more is there, nothing is read, and nobody sees for up to a minute that its client goes.
    await waiting.send(JSON.stringify(note(1, 'x'.repeat(66_000))));
    held.vanish();
    waiting.socket()?.resetAndDestroy();
    await until(
      () => budget.taken,
      (taken) => taken <= ALL - 2 * WINDOW - LINE - MEGABYTE,
    );
    giveBack();
    await isFree();
  });
});

it('all of many streams go on where there is room for one of their lines at a time', async () => {
  const tenants = [await newTenant(), await newTenant(), await newTenant()];
  const sendings = (await Promise.all(tenants.map(({ tenantId }) => begun(4, tenantId)))).flat();
  // Room for one line of who has four streams, and for what has to be left for others then.
  const left = LINE + (4 * WINDOW + LINE);
  const giveBack = budget.take(null, ALL - budget.taken - left);
  for (const sending of sendings) void sending.send(...[1, 2, 3].map(long)).then(() => sending.end());
  for (const sending of sendings)
    expect((await sending.all()).at(-1)).toMatchObject({ through: 4, accepted: 4, done: true });
  giveBack();
  await isFree();
});

it('short lines need no more room than a stream has', async () => {
  const { tenantId } = await newTenant();
  const giveBack = budget.take(null, ALL - 2 * WINDOW);
  const lines = Array.from({ length: 300 }, (_item, n) => note(n, 'x'.repeat(5000)));
  expect((await sendLines(url, { tenantId }, ...lines)).at(-1)).toMatchObject({ accepted: 300, done: true });
  giveBack();
  await isFree();
});

it('as many streams as the settings allow leave room for the longest line of any of them', () => {
  const { MAX_INGEST_STREAMS: ofAll, TENANT_INGEST_STREAMS: ofTenant } = settings.properties;
  const all = new BodyBudget();
  for (let n = 0; n < (ofAll.maximum as number); n++)
    all.take(n < (ofTenant.maximum as number) ? 'busy' : `tenant ${n}`, WINDOW);
  expect(all.taken).toBe((ofAll.maximum as number) * WINDOW);
  for (const tenantId of ['busy', `tenant ${ofTenant.maximum}`]) all.take(tenantId, LINE)();
});
