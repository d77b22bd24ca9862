/** An import of which the service or the command is killed in the middle: run again, nothing is lost and nothing is there twice. */
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { Docket } from '../../client/src/index.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { newFolderOf, startCommand } from '../support/command.ts';
import { connect, newDatabase } from '../support/database.ts';
import { startService, stop } from '../support/process.ts';
import { until } from '../support/until.ts';

const COUNT = 4000;
/** So that it can be met in the middle. */
const slow = { TENANT_RATE_PER_S: '1000', TENANT_BURST: '500' };
const nameOf = (n: number) => `${n % 7}/${n}.txt`;
const textOf = (n: number) => `Pump ${n} has ${n % 9} valves.`;
const files = () => newFolderOf(Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [nameOf(n), textOf(n)])));

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

/** A service at an address that stays, over a database that stays. */
async function newPlace() {
  const databaseUrl = await newDatabase();
  const db = connect(databaseUrl);
  const { tenant, key } = await createTenant(db, 'tenant', BY_COMMAND_LINE);
  const PORT = await freePort();
  const start = async () => {
    const started = startService({ DATABASE_URL: databaseUrl, ROLE: 'api', PORT, ...slow });
    await started.listening;
    return started;
  };
  const stored = async () => {
    const { rows } = await db.query<{ n: number }>('select count(*)::int as n from documents');
    return rows[0]?.n ?? 0;
  };
  return {
    db,
    start,
    stored,
    own: { url: `http://127.0.0.1:${PORT}`, tenant: { tenantId: tenant.tenant_id, key } },
    inTheMiddle: () => until(stored, (n) => n > COUNT / 10),
    /** Each document once, in one version, with its own text. */
    async expectOnce() {
      const { rows } = await db.query<{ name: string; version: number; text: string }>(
        'select name, version, text from documents join document_contents using (scope_key, generation, seq)',
      );
      const told = rows.map(({ name, version, text }) => `${name} ${version} ${text}`).sort();
      expect(told).toEqual(Array.from({ length: COUNT }, (_, n) => `${nameOf(n)} 1 ${textOf(n)}`).sort());
    },
  };
}

it('the service: the same import goes on when it is there again', async () => {
  const { start, own, inTheMiddle, stored, expectOnce } = await newPlace();
  const first = await start();
  const importing = startCommand('import', own, '--scope', 's', files());
  await inTheMiddle();
  await stop(first, 'SIGKILL');
  expect(await stored()).toBeLessThan(COUNT);
  const second = await start();
  const { code, stdout } = await importing.ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^4,000 documents sent.*, 0 unchanged, 0 failed\n/)]);
  await expectOnce();
  await stop(second);
});

it('the service: an import that gave up is run again', async () => {
  const { start, own, inTheMiddle, stored, expectOnce } = await newPlace();
  const folder = files();
  const first = await start();
  const importing = startCommand('import', own, '--scope', 's', folder);
  await inTheMiddle();
  await stop(first, 'SIGKILL');
  const given = await importing.ended;
  expect([given.code, given.stderr]).toEqual([1, expect.stringContaining('the same command goes on where it was')]);
  const before = await stored();
  expect(before).toBeLessThan(COUNT);
  const second = await start();
  const { code, stdout } = await startCommand('import', own, '--scope', 's', folder).ended;
  const unchanged = `${before.toLocaleString('en')} unchanged, 0 failed`;
  expect([code, stdout]).toEqual([0, expect.stringContaining(unchanged)]);
  await expectOnce();
  await stop(second);
});

it('the command: run again, it goes on where it was', async () => {
  const { start, own, inTheMiddle, stored, expectOnce } = await newPlace();
  const folder = files();
  const service = await start();
  const importing = startCommand('import', own, '--scope', 's', folder);
  await inTheMiddle();
  await stop(importing, 'SIGKILL');
  expect(await stored()).toBeLessThan(COUNT);
  const { code, stdout } = await startCommand('import', own, '--scope', 's', folder).ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ sent.*, [1-9][\d,]* unchanged, 0 failed\n/)]);
  await expectOnce();
  await stop(service);
});

it('the service, under ingestMany() of a client: each line is answered, and stored once', async () => {
  const { start, own, inTheMiddle, expectOnce } = await newPlace();
  const docket = new Docket({ url: own.url, tenantId: own.tenant.tenantId, key: own.tenant.key });
  const first = await start();
  // Nothing but the keys that the client makes itself tells one line from the same line sent again.
  const documents = Array.from({ length: COUNT }, (_, n) => ({ name: nameOf(n), text: textOf(n) }));
  const sending = (async () => {
    const statuses: number[] = [];
    for await (const { status } of docket.ingestMany(documents, { scopeId: 's' })) statuses.push(status);
    return statuses;
  })();
  await inTheMiddle();
  await stop(first, 'SIGKILL');
  const second = await start();
  expect(await sending).toEqual(Array(COUNT).fill(202));
  await expectOnce();
  await stop(second);
});
