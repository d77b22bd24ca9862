/** What the streams of one tenant have in hand together. */
import { expect, it } from 'vitest';
import type { Accepter } from '../../../src/domain/accept/committer.ts';
import { ending } from '../../../src/domain/accept/unanswered.ts';
import { Admission } from '../../../src/domain/admission.ts';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
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
import { openSending } from '../../support/ingest-stream.ts';
import { later } from '../../support/later.ts';
import { until } from '../../support/until.ts';

const AMPLE = { rate_per_s: 1_000_000, burst: 1_000_000, backlog: 1_000_000, bytes_per_s: 1_000_000_000 };
const LONG_MS = 60_000;

/** Streams whose lines are never stored, so that all they have in hand can be counted; beside others who post. */
async function openStreams() {
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
  const keyWatch = new KeyWatch({ isLive: async () => true });
  later(() => keyWatch.close());
  const ingestStreams = new IngestStreams({ keyWatch, silenceMs: LONG_MS, most: 20, mostPerTenant: 10 });
  const admission = new Admission(db, { ...AMPLE, reads_per_s: 1000, reports_per_s: 1000, scopes: 1000 });
  const used = { accepter, admission, ingestStreams, figures: new ProcessFigures(), requireTenantKey: false };
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
