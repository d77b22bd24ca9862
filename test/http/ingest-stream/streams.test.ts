/** What the streams of one tenant have in hand together, and which of them make room for others. */
import { describe, expect, it } from 'vitest';
import type { Accepter } from '../../../src/domain/accept/committer.ts';
import { ending } from '../../../src/domain/accept/unanswered.ts';
import { Admission } from '../../../src/domain/admission.ts';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { Keyring } from '../../../src/domain/keyring.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import type { AppError } from '../../../src/errors.ts';
import { ProcessFigures } from '../../../src/figures/process.ts';
import { requireAccess } from '../../../src/http/access.ts';
import { declareIdentity } from '../../../src/http/auth.ts';
import type { App, Deps } from '../../../src/http/deps.ts';
import { IngestStreams } from '../../../src/http/ingest-stream/streams.ts';
import { KeyWatch } from '../../../src/http/key-watch.ts';
import { mountIngestStream } from '../../../src/http/public/ingest-stream.ts';
import { createServer } from '../../../src/http/server.ts';
import { declareTier, requireTiers } from '../../../src/http/tiers.ts';
import { createLog } from '../../../src/log.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { openSending, type Sending } from '../../support/ingest-stream.ts';
import { later } from '../../support/later.ts';
import { until } from '../../support/until.ts';

const AMPLE = { rate_per_s: 1_000_000, burst: 1_000_000, backlog: 1_000_000, bytes_per_s: 1_000_000_000 };
const LONG_MS = 60_000;

/** Streams whose lines are never stored, so that all they have in hand can be counted; beside others who post. */
async function openStreams({ most, mostPerTenant } = { most: 20, mostPerTenant: 10 }) {
  const db = connect(await newDatabase());
  const held = new Map<string, number>();
  const giveUp: ((error: AppError) => void)[] = [];
  const accepter: Accepter = {
    accept({ tenantId }) {
      held.set(tenantId, (held.get(tenantId) ?? 0) + 1);
      return new Promise((_resolve, reject) => giveUp.push(reject));
    },
    isFull: () => false,
    isAlone: () => false,
  };
  const keyring = new Keyring({ db, adminKeys: [], internalsKeys: [], onError: () => {} });
  later(() => keyring.close());
  const keyWatch = new KeyWatch(keyring);
  later(() => keyWatch.close());
  let waited = 0;
  const now = () => performance.now() + waited;
  const ingestStreams = new IngestStreams({ keyWatch, silenceMs: LONG_MS, most, mostPerTenant, now });
  const admission = new Admission(db, { ...AMPLE, reads_per_s: 1000, reports_per_s: 1000, scopes: 1000 });
  const figures = new ProcessFigures();
  const used = { accepter, admission, ingestStreams, figures, keyring, requireTenantKey: false };
  const app = createServer(
    { requestTimeoutMs: LONG_MS, handlerTimeoutMs: LONG_MS, maxConnections: 100, onUnavailable: () => {} },
    createLog('silent'),
  );
  requireTiers(app);
  requireAccess(app);
  declareIdentity(app);
  await app.register(
    async (tier) => {
      declareTier(tier, 'public');
      // No stream can be opened for it any more.
      tier.addHook('preHandler', async ({ headers }, reply) => {
        if (headers['x-begun']) reply.raw.writeHead(200).flushHeaders();
      });
      await mountIngestStream(tier as App, used as unknown as Deps);
    },
    { prefix: '/api' },
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  later(() => app.close());
  later(() => {
    for (const reject of giveUp) reject(ending());
  });
  return {
    url,
    size: () => ingestStreams.size,
    heldOf: (tenantId: string) => held.get(tenantId) ?? 0,
    newTenant: async () => (await createTenant(db, 'tenant', BY_COMMAND_LINE)).tenant.tenant_id,
    newTenantWithKey: async () => {
      const { tenant, key } = await createTenant(db, 'tenant', BY_COMMAND_LINE);
      return { tenantId: tenant.tenant_id, tenantKey: key };
    },
    /** The clock of the places. */
    wait: (ms: number) => {
      waited += ms;
    },
  };
}

it.each([1, 4])('is as much beside others as one may have, be it %i', async (count) => {
  const { url, size, heldOf, newTenant } = await openStreams();
  const [busy, other] = [await newTenant(), await newTenant()];
  const sendings = Array.from({ length: count }, () => openSending(url, { tenantId: busy }));
  await until(size, (open) => open === count);
  const lines = Array.from({ length: 100 }, (_item, n) => ({ scope_id: 's', name: `Note ${n}`, text: 'It is.' }));
  for (const sending of sendings) await sending.send(...lines);
  await until(
    () => heldOf(busy),
    (held) => held >= 24,
  );
  // Whoever comes later is taken meanwhile, and what was sent before would be, too.
  await openSending(url, { tenantId: other }).send(...lines);
  await until(
    () => heldOf(other),
    (held) => held >= 24,
  );
  expect([heldOf(busy), heldOf(other)]).toEqual([24, 24]);
});

/** Resolves when it is known whether it was taken. */
async function answered(sending: Sending): Promise<number> {
  await until(sending.status, (status) => status > 0);
  return sending.status();
}

describe('when all places are taken', () => {
  it('a stream of who has most is ended for who has none, not in its first minute, and says when to go on', async () => {
    const { url, size, wait, newTenantWithKey } = await openStreams({ most: 3, mostPerTenant: 3 });
    const [busy, other] = [await newTenantWithKey(), await newTenantWithKey()];
    const sendings: Sending[] = [];
    for (let n = 1; n <= 3; n++) {
      sendings.push(openSending(url, busy));
      await until(size, (open) => open === n);
    }
    expect(await answered(openSending(url, other))).toBe(503);
    wait(LONG_MS);
    expect(await answered(openSending(url, other))).toBe(200);
    const [first, ...rest] = sendings as [Sending, ...Sending[]];
    const error = { code: 'unavailable', status: 503, retry_after: 60 };
    expect((await first.all()).at(-1)).toMatchObject({ through: 0, done: false, error });
    expect(rest.map((sending) => sending.isEnded())).toEqual([false, false]);
  });

  it('none that was opened with a key is ended for who shows none', async () => {
    const { url, size, wait, newTenant, newTenantWithKey } = await openStreams({ most: 3, mostPerTenant: 3 });
    const busy = await newTenantWithKey();
    const sendings = [busy, busy, busy].map((tenant) => openSending(url, tenant));
    await until(size, (open) => open === 3);
    wait(LONG_MS);
    const tenantId = await newTenant();
    expect(await answered(openSending(url, { tenantId }))).toBe(503);
    expect(sendings.map((sending) => sending.isEnded())).toEqual([false, false, false]);
  });
});

it('one that could not be opened is cut off, and leaves its place to the next', async () => {
  const { url, size, newTenant } = await openStreams({ most: 2, mostPerTenant: 1 });
  const tenantId = await newTenant();
  const begun = openSending(url, { tenantId, headers: { 'x-begun': 'yes' } });
  await begun.all();
  expect(begun.answers).toEqual([]);
  expect(await answered(openSending(url, { tenantId }))).toBe(200);
  expect(size()).toBe(1);
});
