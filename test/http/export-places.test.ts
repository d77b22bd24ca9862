/** Which exports make room for others, and when: not before it is known that there is something to export. */
import { expect, it } from 'vitest';
import { Admission } from '../../src/domain/admission.ts';
import { requireAccess } from '../../src/http/access.ts';
import { declareIdentity } from '../../src/http/auth.ts';
import { Exports } from '../../src/http/exports.ts';
import { KeyWatch } from '../../src/http/key-watch.ts';
import { createServer } from '../../src/http/server.ts';
import { requireTiers } from '../../src/http/tiers.ts';
import { createLog } from '../../src/log.ts';
import { Slots } from '../../src/slots.ts';
import { addLargeDocuments } from '../support/exported.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
/** Of 100 KB each: more than the systems of both sides take of them before anybody reads. */
const LARGE = 400;
const AMPLE = { rate_per_s: 1000, burst: 1000, backlog: 1000, bytes_per_s: 1000, reports_per_s: 1000, scopes: 1000 };
const service = await startTestService();
const { db } = service;

async function newLarge(): Promise<string> {
  const tenant = await service.newTenant();
  await addLargeDocuments(service, tenant, 'large', LARGE);
  return tenant.tenantId;
}

/** Those of a server of their own, which asks for no keys. */
async function openExports() {
  const keyWatch = new KeyWatch({ isLive: async () => true });
  later(() => keyWatch.close());
  let waited = 0;
  const exports = new Exports({
    ...{ db, keyWatch, reads: new Slots(4), admission: new Admission(db, { ...AMPLE, reads_per_s: 100_000 }) },
    ...{ answerWithinMs: MINUTE, most: 3, mostPerTenant: 2, now: () => performance.now() + waited },
  });
  const app = createServer(
    { requestTimeoutMs: MINUTE, handlerTimeoutMs: MINUTE, maxConnections: 100, onUnavailable: () => {} },
    createLog('silent'),
  );
  requireTiers(app);
  requireAccess(app);
  declareIdentity(app);
  app.get<{ Params: { tenantId: string; scopeId: string } }>(
    '/:tenantId/:scopeId',
    { exposeHeadRoute: false, config: { tier: 'open', boundsItself: true } },
    (request, reply) => exports.open(request, reply, request.params),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  later(async () => {
    exports.close();
    await app.close();
  });
  return {
    close: () => exports.close(),
    wait: (ms: number) => {
      waited += ms;
    },
    /** Resolves when it is answered. What is not read of it stays open. */
    ask: (tenantId: string, scopeId = 'large') => fetch(`${url}/${tenantId}/${scopeId}`),
  };
}

/** Whether all of it came. */
async function isWhole(response: Response): Promise<boolean> {
  const text = await response.text().catch(() => '');
  return text.slice(text.lastIndexOf('\n', text.length - 2)).includes('"kind":"end"');
}

const [busy, other, third] = [await newLarge(), await newLarge(), await newLarge()];

it('an export of who has most is ended for who has none, and not in its first minute', async () => {
  const { ask, wait } = await openExports();
  const open = [await ask(busy), await ask(busy), await ask(other)];
  expect((await ask(third)).status).toBe(503);
  wait(MINUTE);
  const latest = await ask(third);
  expect(latest.status).toBe(200);
  const whole = await Promise.all([...open, latest].map(isWhole));
  expect(whole).toEqual([false, true, true, true]);
});

it('none is ended for who asks for what is not there', async () => {
  const { ask, wait } = await openExports();
  const open = [await ask(busy), await ask(busy), await ask(other)];
  wait(MINUTE);
  for (let n = 0; n < 3; n++) expect((await ask(third, 'nothing')).status).toBe(404);
  expect(await Promise.all(open.map(isWhole))).toEqual([true, true, true]);
});

it('one that is ended while its first page is read does not begin', async () => {
  const { ask, close } = await openExports();
  const isHeld = async () => {
    const { rows } = await db.query<{ held: boolean }>(
      `select exists (
         select from pg_locks l join pg_database d on d.oid = l.database
          where not l.granted and l.relation = 'document_contents'::regclass and d.datname = current_database()) as held`,
    );
    return rows[0]?.held === true;
  };
  const answer = await db.transaction(async (tx) => {
    await tx.query('lock table document_contents in access exclusive mode');
    const asked = ask(busy);
    await until(isHeld, (held) => held);
    close();
    return { asked };
  });
  const { status } = await answer.asked;
  expect(status).toBe(503);
});
