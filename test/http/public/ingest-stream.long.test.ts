/** Streams of documents beside what takes long: a service that is killed, a client that never reads, and memory that others keep. */
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { openSending, type Sending, sendLines } from '../../support/ingest-stream.ts';
import { startService, stop } from '../../support/process.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const LINES = 20_000;
const note = (n: number) => ({
  scope_id: 'killed',
  name: `Note ${n}`,
  text: `It is ${n}.`,
  idempotency_key: `note ${n}`,
});
const unlimited = { TENANT_RATE_PER_S: '1000000', TENANT_BURST: '1000000', TENANT_BYTES_PER_S: '1000000000' };

// They mostly wait for what the service gives its clients, each for its own: at once.
describe.concurrent('a service that is killed in the middle', () => {
  it('has stored every line that it answered, and stores none twice when all are sent again', async () => {
    const databaseUrl = await newDatabase();
    const db = connect(databaseUrl);
    const { tenant } = await createTenant(db, 'tenant', BY_COMMAND_LINE);
    const own = { tenantId: tenant.tenant_id };
    const start = () => startService({ DATABASE_URL: databaseUrl, ROLE: 'api', ...unlimited });
    const lines = Array.from({ length: LINES }, (_item, n) => note(n));

    const answered = new Set<number>();
    for (const killAfter of [1000, 5000]) {
      const service = start();
      const sending: Sending = openSending(await service.listening, own);
      void sending.send(...lines);
      await sending.got(killAfter);
      await stop(service, 'SIGKILL');
      await sending.all();
      for (const { line, status } of sending.answers) if (status === 202) answered.add(line);
      expect(sending.answers.length).toBeLessThan(LINES);
    }
    const { rows } = await db.query<{ name: string }>('select name from document_contents');
    const there = new Set(rows.map(({ name }) => name));
    expect([...answered].filter((line) => !there.has(`Note ${line - 1}`))).toEqual([]);

    const service = start();
    const answers = await sendLines(await service.listening, own, ...lines);
    expect(answers.at(-1)).toMatchObject({ through: LINES, accepted: LINES, done: true });
    expect(answers.filter(({ replayed }) => replayed).length).toBeGreaterThanOrEqual(answered.size);
    const [count] = (await db.query<{ n: number }>('select count(*)::int as n from documents')).rows;
    expect(count?.n).toBe(LINES);
    await stop(service);
  });
});

describe.concurrent('a client that never reads', () => {
  it('is ended after 30 s, with what was stored in its last line', async () => {
    const service = await startTestService();
    const { tenantId, key } = await service.newTenant();
    const sending = openSending(service.url, { tenantId, isUnread: true });
    const name = 'n'.repeat(500);
    let sent = 0;
    let isTaken = true;
    // More answers than the systems of both sides hold, until nobody takes what is sent.
    while (isTaken && sent < 400_000) {
      const piece = Array.from({ length: 1000 }, () => ({
        scope_id: 'unread',
        name,
        text: 't',
        document_id: `${sent++}`,
      }));
      const sends = sending.send(...piece).then(() => true);
      isTaken = await Promise.race([sends, new Promise<boolean>((resolve) => setTimeout(resolve, 20_000, false))]);
    }
    expect(isTaken).toBe(false);
    const queued = async () =>
      (await service.call('GET', '/api/scopes/unread/summary', { tenantKey: key })).body.documents.queued;
    // It is told to stop after 30 s, and may read from then on.
    await until(
      async () =>
        /^docket_ingest_streams 0$/m.test(
          (await service.call('GET', '/internals/metrics', { key: service.internals })).body,
        ),
      (isOver) => isOver,
    );
    sending.read();
    const answers = await sending.all();
    const last = answers.at(-1);
    expect(last).toMatchObject({ done: false, rejected: 0, error: { code: 'request_timeout' } });
    expect(last.through).toBe(await queued());
    expect(last.through).toBe(answers.length - 1);
  });
});

describe.concurrent('a line of more than 64 KB for which there is no room', () => {
  it('ends its stream after a minute, with what was stored before it, and leaves nothing taken', async () => {
    const service = await startTestService();
    const { tenantId, key } = await service.newTenant();
    const { bodyBudget } = service.app;
    const sending = openSending(service.url, { tenantId });
    await sending.send(note(0));
    await sending.got(1);
    const giveBack = bodyBudget.take(null, 126 * 1024 * 1024);
    await sending.send(note(1), { ...note(2), text: 'x'.repeat(66_000) });
    const answers = await sending.all();
    expect(answers.at(-1)).toMatchObject({ through: 2, accepted: 2, done: false, error: { code: 'unavailable' } });
    const { body } = await service.call('GET', '/api/scopes/killed/summary', { tenantKey: key });
    expect(body.documents.queued).toBe(2);
    giveBack();
    await until(
      () => bodyBudget.taken,
      (taken) => taken === 0,
    );
  });
});
