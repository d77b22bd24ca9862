/** A stream of documents while Postgres is away: it waits, and neither loses a line nor stores one twice. */
import { expect, it } from 'vitest';
import { newDatabase } from '../../support/database.ts';
import { openSending } from '../../support/ingest-stream.ts';
import { startProxy } from '../../support/proxy.ts';
import { startTestService } from '../../support/service.ts';

async function start() {
  const direct = await newDatabase();
  const way = new URL(direct);
  const proxy = await startProxy({ host: way.hostname, port: Number(way.port) });
  way.port = `${proxy.port}`;
  const service = await startTestService({
    settings: { DATABASE_URL: way.href, DB_TIMEOUT_MS: '2000', HANDLER_TIMEOUT_MS: '3000' },
  });
  const tenant = await service.newTenant();
  return { proxy, service, tenant };
}

const note = (n: number, more: object = {}) => ({ scope_id: 'out', name: `Note ${n}`, text: `It is ${n}.`, ...more });

it('goes on when Postgres is back, with every line once and in order', async () => {
  const { proxy, service, tenant } = await start();
  const sending = openSending(service.url, { tenantId: tenant.tenantId });
  await sending.send(...[1, 2, 3].map((n) => note(n, { document_id: 'same', idempotency_key: `same ${n}` })));
  await sending.got(3);
  proxy.down();
  const lines = Array.from({ length: 100 }, (_item, n) =>
    note(n, { document_id: n % 10 === 0 ? 'same' : `note-${n}` }),
  );
  await sending.send(...lines);
  // Whoever posts one document is refused.
  const { tenantId } = tenant;
  expect((await service.call('POST', '/api/ingest', { tenantId, body: note(0) })).status).toBe(503);
  expect(sending.answers).toHaveLength(3);
  proxy.up();
  sending.end();
  const answers = await sending.all();
  expect(answers.at(-1)).toMatchObject({ through: 103, accepted: 103, rejected: 0, done: true });
  expect(answers.slice(0, -1).map(({ line, status }) => [line, status])).toEqual(
    Array.from({ length: 103 }, (_item, n) => [n + 1, 202]),
  );
  const { body } = await service.call('GET', '/api/documents/same/text?scope_id=out', { tenantKey: tenant.key });
  expect(body).toMatchObject({ version: 13, text: 'It is 90.' });
});

it.each([
  ['when the answer of Postgres is lost', 'cutAfterSending'],
  ['when Postgres never got it', 'cutInsteadOfSending'],
] as const)('stores a line once, also one without a name, %s', async (_when, cut) => {
  const { proxy, service, tenant } = await start();
  const sending = openSending(service.url, { tenantId: tenant.tenantId });
  await sending.send(note(0));
  await sending.got(1);
  proxy[cut]('accept_new_documents');
  await sending.send(...Array.from({ length: 50 }, (_item, n) => note(n + 1)));
  sending.end();
  const answers = await sending.all();
  expect(proxy.cuts()).toBe(1);
  expect(answers.at(-1)).toMatchObject({ through: 51, accepted: 51, done: true });
  const { rows } = await service.db.query<{ n: number }>('select count(*)::int as n from documents');
  expect(rows[0]?.n).toBe(51);
});
