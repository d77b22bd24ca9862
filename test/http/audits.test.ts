/** Every route there is: what it says that it audits is what it notes, and nothing else is noted. The routes come from the app. */
import { describe, expect, it } from 'vitest';
import { asking, requireAccess } from '../../src/http/access.ts';
import { requireAudits } from '../../src/http/audits.ts';
import { createServer } from '../../src/http/server.ts';
import { declareTier, isReading, requireTiers } from '../../src/http/tiers.ts';
import { createLog } from '../../src/log.ts';
import { type Route, routesOf, send } from '../hardening/isolation/ask.ts';
import { absentIds, type Ids, newParty } from '../hardening/isolation/parties.ts';
import { EXPECTED, type Expectation } from '../hardening/isolation/routes.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const { call, admin, internals, db } = service;
const auditsOf = new Map(service.app.routes.map(({ method, url, config }) => [`${method} ${url}`, config?.audits]));
const routes = routesOf(service.app.routes).map((route) => ({
  ...route,
  audits: auditsOf.get(route.name) ?? 'nothing',
}));

interface Row {
  action: string;
  actor: string;
  actor_kind: string;
  tenant_id: string | null;
  scope_id: string | null;
  request_id: string;
}

async function rowsAfter(id: string): Promise<Row[]> {
  return (await db.query<Row & { audit_id: string }>('select * from audit_log where audit_id > $1', [id])).rows;
}
const lastId = async () =>
  (await db.query<{ last: string }>('select coalesce(max(audit_id), 0) as last from audit_log')).rows[0]
    ?.last as string;

/** As after its last attempt: the one document that is queued in its scope has failed, and its scope has no work left. */
async function failDocument({ tenantId, scopeId, documentId }: Ids): Promise<void> {
  const { rows } = await db.query<{ scope_key: string }>(
    `update scopes set queued = queued - 1, failed = failed + 1 where tenant_id = $1 and scope_id = $2 returning scope_key`,
    [tenantId, scopeId],
  );
  const { rowCount } = await db.query(
    `update documents set state = 'failed', error = 'It failed.', attempts = 1, finished_at = now()
      where scope_key = $1 and document_id = $2 and state = 'queued'`,
    [rows[0]?.scope_key, documentId],
  );
  expect(rowCount).toBe(1);
  await db.query('delete from lanes where scope_key = $1', [rows[0]?.scope_key]);
}

/** As who may do it, with ids of its own: what it leads to, and what was noted. */
async function attempt(route: Route) {
  const expectation = EXPECTED[route.name] as Expectation;
  const party = await newParty(service, 'mine');
  const scope = { tenant_id: party.ids.tenantId, scope_id: party.ids.scopeId };
  // What runs is neither started nor resumed.
  if (/\/(start|resume)$/.test(route.url)) await call('POST', '/admin/runtime/pause', { key: admin, body: scope });
  // What has not failed is not tried again.
  if (route.name === 'POST /admin/documents/retry') await failDocument(party.ids);
  const before = await lastId();
  const ids = expectation.reach === 'creates' ? { ...absentIds(), tenantId: party.ids.tenantId } : party.ids;
  const { status } = await send(service, route, expectation, ids, party.ids.tenantId, internals, party.key);
  return { party, ids, status, expected: expectation.status, noted: await rowsAfter(before) };
}

it('looks at routes that change something, at some that do not, and at every tier of them', () => {
  const changing = routes.filter(({ audits }) => audits !== 'nothing');
  expect(new Set(changing.map(({ tier }) => tier))).toEqual(new Set(['public', 'admin', 'internals']));
  expect(changing.length).toBeGreaterThan(20);
  expect(changing.filter(({ method }) => isReading(method)).map(({ name }) => name)).toEqual([
    'GET /admin/tenants/:tenantId/scopes/:scopeId/documents/:document_id/text',
  ]);
});

describe.each(routes)('$name', (route) => {
  it(route.audits === 'nothing' ? 'notes nothing' : `notes ${route.audits}, and who it was`, async () => {
    const { party, ids, status, expected, noted } = await attempt(route);
    expect(status).toBe(expected);
    if (route.audits === 'nothing') return expect(noted).toEqual([]);
    const [row, ...others] = noted.filter(({ action }) => action === route.audits);
    expect(others).toEqual([]);
    const isTenants = route.tier === 'public';
    expect(row).toMatchObject({
      actor_kind: isTenants ? 'tenant' : 'operator',
      actor: (isTenants ? party.key : internals).slice(0, 11),
      request_id: 'same',
      ...(route.name !== 'POST /admin/tenants' && { tenant_id: ids.tenantId }),
      ...(/scope|document|contradiction|runtime/.test(route.audits) && { scope_id: ids.scopeId }),
    });
  });
});

describe('the service', () => {
  /** An app with one route. */
  function appWith(method: 'GET' | 'POST', config: object) {
    const app = createServer(
      { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
      createLog('silent'),
    );
    requireTiers(app);
    requireAccess(app);
    requireAudits(app);
    app.register(
      async (admins) => {
        declareTier(admins, 'admin');
        admins.route({ method, url: '/x', config, onRequest: asking('read', async () => {}), handler: () => 'x' });
      },
      { prefix: '/admin' },
    );
    return app.ready();
  }
  const checked = { checksScopes: true };

  it('does not start with a route that changes something and does not say what it audits', async () => {
    await expect(appWith('POST', checked)).rejects.toThrow('POST /admin/x changes something: say in its config');
    await appWith('POST', { ...checked, audits: 'nothing' });
    await appWith('POST', { ...checked, audits: 'scope.deleted' });
    await appWith('GET', checked);
  });
});
