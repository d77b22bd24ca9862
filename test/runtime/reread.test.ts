/** What older rules have read is read again: with the whole service, on a database that looks as if they had read it. */
import { describe, expect, it } from 'vitest';
import { MAX_PLACES } from '../../src/domain/settle/places.ts';
import { RULES } from '../../src/pipeline/claim.ts';
import { auditScope } from '../support/audit.ts';
import { onBothBackends, type QueueBackend } from '../support/backends.ts';
import { newDatabase } from '../support/database.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { holdRereadsFrom, letRereadsGoOn, makeOlder, readAgainOneByOne } from '../support/older-rules.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Contradiction {
  id: string;
  status: string;
  outdated: boolean;
  document_ids: string[];
}

type Settings = NonNullable<Parameters<typeof startTestService>[0]>['settings'];

async function startWhole(databaseUrl: string, settings: Settings) {
  const kernel = withVerbs(
    await startTestService({ settings: { ROLE: 'all', DATABASE_URL: databaseUrl, ...settings } }),
  );
  return {
    ...kernel,
    contradictions: async ({ key }: Tenant, scopeId: string): Promise<Contradiction[]> =>
      (await kernel.call('GET', `/api/contradictions?scope_id=${scopeId}&limit=100`, { tenantKey: key })).body
        .contradictions,
    decide: ({ key }: Tenant, scopeId: string, id: string, body: object) =>
      kernel.call('PATCH', `/admin/scopes/${scopeId}/contradictions/${id}`, {
        key: kernel.admin,
        tenantKey: key,
        body: { status: 'resolved', resolution: 'Asked them.', resolved_by: 'm.larsen', ...body },
      }),
    reread: (tenant: Tenant, scopeId: string) =>
      until(
        () => kernel.summary(tenant, scopeId),
        ({ rules }) => rules.applied === RULES,
      ),
    setRereads: (isOn: boolean) => kernel.db.query('update runtime set rereads = $1', [isOn]),
  };
}

const staff = (firm: string, n: number) => `${firm} has ${n} employees.`;
const FIRMS = ['Acme Robotics', 'Borealis Foods', 'Cobalt Mining', 'Delta Freight', 'Elm Textiles'];
const nameOf = (firm: string, which: string) => `${which}-${firm.slice(0, 1)}`.toLowerCase();

/** Two documents of each firm that contradict each other. */
async function fill(service: Awaited<ReturnType<typeof startWhole>>, tenant: Tenant, scopeId: string) {
  for (const [n, firm] of FIRMS.entries())
    for (const [which, more] of [
      ['one', 0],
      ['two', 411],
    ] as const)
      await service.ingest(tenant, scopeId, staff(firm, 1900 + n * 7 + more), { document_id: nameOf(firm, which) });
  await service.processed(tenant, scopeId, 2 * FIRMS.length);
}

/** Contradictions by the initial of their firm. */
const byFirm = (list: Contradiction[]) => new Map(list.map((one) => [(one.document_ids[0] as string).slice(-1), one]));

onBothBackends('what older rules have read', (backend: QueueBackend) => {
  it('is read again in the background, with the decisions that were made', async () => {
    const url = await newDatabase();
    // So few that most readings are filed.
    const settings = { ...backend.settings(), INDEX_SCOPE_KEYS: '100' };
    const before = await startWhole(url, settings);
    const tenant = await before.newTenant();
    await fill(before, tenant, 'firms');
    const found = byFirm(await before.contradictions(tenant, 'firms'));
    const idOf = (initial: string) => found.get(initial)?.id as string;
    expect([...found.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await before.decide(tenant, 'firms', idOf('b'), { upholds: 'a' });
    await before.decide(tenant, 'firms', idOf('c'), {});
    const summary = await before.summary(tenant, 'firms');
    await before.close();

    const service = await startWhole(url, { ...settings, ROLE: 'api' });
    await makeOlder(service.db);
    // Newer rules see nothing there any more.
    for (const document of ['two-c', 'two-d'])
      await service.db.query(
        `update document_contents c set text = 'It rains.' from documents d
          where d.document_id = $1 and (d.scope_key, d.generation, d.seq) = (c.scope_key, c.generation, c.seq)`,
        [document],
      );
    const documents = await service.db.query(
      'select seq, state, version, attempts, finished_at from documents order by seq',
    );
    expect((await service.summary(tenant, 'firms')).rules).toEqual({ in_force: RULES, applied: 1, reread_up_to: null });
    const told = (await service.events('firms')).length;
    await service.close();

    const after = await startWhole(url, settings);
    const now = await after.reread(tenant, 'firms');
    const again = await after.contradictions(tenant, 'firms');
    // The same ones, in the same order, but for the one that is found no more and was not decided.
    expect(again.map(({ id, status, outdated }) => [id, status, outdated])).toEqual(
      [...found.values()]
        .filter(({ id }) => id !== idOf('d'))
        .map(({ id }) => [id, id === idOf('b') || id === idOf('c') ? 'resolved' : 'open', id === idOf('c')]),
    );
    expect(byFirm(again).get('b')).toMatchObject({ upholds: 'a', resolved_by: 'm.larsen', resolution: 'Asked them.' });
    expect(now.rules).toEqual({ in_force: RULES, applied: RULES, reread_up_to: null });
    expect(now.documents).toEqual(summary.documents);
    expect(now.contradictions).toEqual({ open: 2, resolved: 2, deferred: 0, left_out: 0 });
    expect(await auditScope(after.db, tenant.tenantId, 'firms')).toEqual([]);
    // Nothing is to be seen of it but what came of it.
    expect((await after.events('firms')).slice(told)).toEqual(['contradiction.retracted']);
    const stillThere = await after.db.query(
      'select seq, state, version, attempts, finished_at from documents order by seq',
    );
    expect(stillThere.rows).toEqual(documents.rows);
    expect((await after.db.query('select from lanes')).rows).toEqual([]);

    // What the decision upholds is contradicted from outside, which is found in what was read again.
    await after.ingest(tenant, 'firms', staff('Borealis Foods', 4444), { document_id: 'three-b' });
    await until(
      () => after.contradictions(tenant, 'firms'),
      (list) => list.some(({ id, status }) => id === idOf('b') && status === 'open'),
    );
    expect(await auditScope(after.db, tenant.tenantId, 'firms')).toEqual([]);
  });
});

describe('reading again', () => {
  it('stops anywhere, and goes on from there: what waits for its other side stands as it was', async () => {
    const url = await newDatabase();
    const before = await startWhole(url, {});
    const tenant = await before.newTenant();
    await fill(before, tenant, 'firms');
    const found = byFirm(await before.contradictions(tenant, 'firms'));
    const idOf = (initial: string) => found.get(initial)?.id as string;
    await before.decide(tenant, 'firms', idOf('b'), { upholds: 'a' });
    await before.decide(tenant, 'firms', idOf('c'), { status: 'deferred' });
    await before.close();
    const service = await startWhole(url, { ROLE: 'api' });
    await makeOlder(service.db);
    await readAgainOneByOne(service.db);
    // Seqs 0 to 4: of the third firm, only the first document.
    await holdRereadsFrom(service.db, 5);
    await service.close();

    const half = await startWhole(url, {});
    await until(
      () => half.summary(tenant, 'firms'),
      ({ rules }) => rules.reread_up_to === 4,
    );
    const stands = byFirm(await half.contradictions(tenant, 'firms'));
    const statuses = ['open', 'resolved', 'deferred', 'open', 'open'];
    expect([...'abcde'].map((initial) => stands.get(initial))).toMatchObject(
      [...'abcde'].map((initial, n) => ({ id: idOf(initial), status: statuses[n], outdated: false })),
    );
    // In the middle of it, all goes on: a document goes, one comes that says the same, and one is decided.
    const gone = await half.call('DELETE', '/api/documents/one-a?scope_id=firms', { tenantKey: tenant.key });
    expect(gone.status).toBe(204);
    await half.ingest(tenant, 'firms', `${staff('Cobalt Mining', 1914)} It rains.`, { document_id: 'one-c' });
    await half.ingest(tenant, 'firms', `${staff('Delta Freight', 1921)} It rains.`, { document_id: 'one-d' });
    await half.decide(tenant, 'firms', idOf('e'), {});
    await until(
      () => half.summary(tenant, 'firms'),
      ({ documents }) => documents.superseded === 2,
    );
    await half.close();

    const after = await startWhole(url, {});
    await letRereadsGoOn(after.db);
    await after.reread(tenant, 'firms');
    const again = byFirm(await after.contradictions(tenant, 'firms'));
    expect([...again.keys()].sort()).toEqual(['b', 'c', 'd', 'e']);
    expect(again.get('b')).toMatchObject({ id: idOf('b'), status: 'resolved', outdated: false });
    expect(again.get('c')).toMatchObject({ id: idOf('c'), status: 'deferred', outdated: false });
    expect(again.get('d')).toMatchObject({ status: 'open' });
    expect(again.get('e')).toMatchObject({ id: idOf('e'), status: 'resolved', outdated: false });
    expect(await auditScope(after.db, tenant.tenantId, 'firms')).toEqual([]);
  });

  it('gives places anew where there are too many: what is left out is judged, too', async () => {
    const url = await newDatabase();
    const before = await startWhole(url, {});
    const tenant = await before.newTenant();
    for (let n = 0; n < 12; n++)
      await before.ingest(tenant, 'fact', staff('Acme Robotics', (n + 1) * 100), { document_id: `d${n}` });
    await before.processed(tenant, 'fact', 12);
    const shown = await before.contradictions(tenant, 'fact');
    const [decided, lost] = shown as [Contradiction, Contradiction];
    await before.decide(tenant, 'fact', decided.id, {});
    await before.close();
    const service = await startWhole(url, { ROLE: 'api' });
    await makeOlder(service.db);
    await readAgainOneByOne(service.db);
    // What newer rules see nothing in is one side of what was shown, and of some that were left out.
    const silent = lost.document_ids.find((id) => !decided.document_ids.includes(id));
    await service.db.query(
      `update document_contents c set text = 'It rains.' from documents d
        where d.document_id = $1 and (d.scope_key, d.generation, d.seq) = (c.scope_key, c.generation, c.seq)`,
      [silent],
    );
    const told = (await service.events('fact')).length;
    await service.close();

    const after = await startWhole(url, {});
    const { contradictions } = await after.reread(tenant, 'fact');
    const again = await after.contradictions(tenant, 'fact');
    // The one that was decided keeps its place.
    const open = MAX_PLACES.ofFact - 1;
    expect(contradictions).toEqual({ open, resolved: 1, deferred: 0, left_out: (11 * 10) / 2 - MAX_PLACES.ofFact });
    expect(again).toContainEqual(expect.objectContaining({ id: decided.id, status: 'resolved', outdated: false }));
    expect(again.filter(({ document_ids }) => document_ids.includes(silent as string))).toEqual([]);
    expect(await auditScope(after.db, tenant.tenantId, 'fact')).toEqual([]);
    const events = (await after.events('fact')).slice(told);
    const count = (type: string) => events.filter((event) => event === `contradiction.${type}`).length;
    expect(count('detected') - count('retracted')).toBe(open - (shown.length - 1));
  });

  it.each([
    ['at once', async () => {}],
    ['one by one', readAgainOneByOne],
  ])('leaves a fact decided of which all that is shown was, though more is left out: %s', async (_how, slowDown) => {
    const url = await newDatabase();
    const before = await startWhole(url, {});
    const tenant = await before.newTenant();
    for (let n = 0; n < 6; n++)
      await before.ingest(tenant, 'fact', staff('Acme Robotics', (n + 1) * 100), { document_id: `d${n}` });
    await before.processed(tenant, 'fact', 6);
    for (const { id } of await before.contradictions(tenant, 'fact')) await before.decide(tenant, 'fact', id, {});
    const shown = async ({ call }: typeof before) =>
      (await call('GET', '/api/scopes/fact/facts', { tenantKey: tenant.key })).body.facts.map(
        ({ state, documents }: Record<string, unknown>) => [state, documents],
      );
    expect(await shown(before)).toEqual([['varied', 6]]);
    await before.close();
    const service = await startWhole(url, { ROLE: 'api' });
    await makeOlder(service.db);
    await slowDown(service.db);
    await service.close();

    const after = await startWhole(url, {});
    const { contradictions } = await after.reread(tenant, 'fact');
    expect(contradictions).toEqual({ open: 0, resolved: MAX_PLACES.ofFact, deferred: 0, left_out: 5 });
    expect(await shown(after)).toEqual([['varied', 6]]);
  });

  it('comes after new work, and not at all in a scope that is paused', async () => {
    const url = await newDatabase();
    const before = await startWhole(url, {});
    const tenant = await before.newTenant();
    for (const scopeId of ['busy', 'paused']) await fill(before, tenant, scopeId);
    await before.close();
    const service = await startWhole(url, { ROLE: 'api' });
    await makeOlder(service.db);
    await service.control('pause', tenant, 'paused');
    for (let n = 0; n < 40; n++) await service.ingest(tenant, 'busy', staff('Foxglove Labs', 100 + n));
    await service.close();

    const after = await startWhole(url, { WORKERS: '1' });
    await after.reread(tenant, 'busy');
    const { rows } = await after.db.query<{ last_new: number; first_again: number }>(
      `select (max(r.revision) filter (where seq >= 10))::float8 as last_new,
              (min(r.revision) filter (where seq < 10))::float8 as first_again
         from readings r join scopes s using (scope_key) where s.scope_id = 'busy'`,
    );
    expect(rows[0]?.last_new).toBeLessThan(rows[0]?.first_again as number);
    expect((await after.summary(tenant, 'paused')).rules).toMatchObject({ applied: 1, reread_up_to: null });
    await after.control('resume', tenant, 'paused');
    await after.reread(tenant, 'paused');
    for (const scopeId of ['busy', 'paused']) expect(await auditScope(after.db, tenant.tenantId, scopeId)).toEqual([]);
  });
});
