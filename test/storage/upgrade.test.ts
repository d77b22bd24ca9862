/** A database that the last release made, with all it holds: it comes to the schema of a new one, and the service goes on with it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { precedenceOf } from '../../src/domain/settle/contradictions.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { describeSchema } from '../../tools/schema-sql.ts';
import { connect } from '../support/database.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { fillAsLastRelease, LAST_RELEASE_FOLDER, newDatabaseOfLastRelease } from '../support/last-release.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Contradiction {
  id: string;
  origin: string;
  status: string;
  document_ids: string[];
}

const { firm, asleep, leaving, revoked, admin } = JSON.parse(
  readFileSync(`${LAST_RELEASE_FOLDER}/keys.json`, 'utf8'),
) as {
  firm: Tenant;
  asleep: Tenant;
  leaving: Tenant;
  revoked: string;
  admin: string;
};

const url = await newDatabaseOfLastRelease();
await fillAsLastRelease(url);
const db = connect(url);

/** How many rows each table has, but for those that say what was applied. */
async function rowsByTable(): Promise<Record<string, number>> {
  const { rows } = await db.query<{ table: string; rows: number }>(
    `select relname as "table",
            (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || relname, false, true, '')))[1]::text::int as rows
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^schema_' order by 1`,
  );
  return Object.fromEntries(rows.map(({ table, rows: n }) => [table, n]));
}

/** What the log holds up to an event. */
async function findLog(last = Number.MAX_SAFE_INTEGER): Promise<{ events: number; last: number }> {
  const { rows } = await db.query<{ events: number; last: number }>(
    'select count(*)::int as events, max(event_id)::int as last from events where event_id <= $1',
    [last],
  );
  return rows[0] as { events: number; last: number };
}

// Before the service starts, which changes it all.
const [before, log] = [await rowsByTable(), await findLog()];
await migrate(url);
// First what holds before it is read again.
await db.query('update runtime set rereads = false');
const [after, schema] = [await rowsByTable(), await describeSchema(db)];

it('comes to the schema of a new one, and keeps every row', () => {
  // The fixture is worth something only while it has something of everything.
  expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual([]);
  expect(after).toMatchObject(before);
  expect(schema).toBe(readFileSync('migrations/schema.sql', 'utf8'));
});

it('gives contradictions the order that the service would, behind all that it finds itself', async () => {
  const { rows } = await db.query<{ severity: 'low'; pair: string; precedence: number }>(
    `select severity, encode(pair_sha256, 'base64') as pair, precedence::float8 from contradictions where origin = 'detected'
      order by precedence`,
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.toSorted((one, other) => precedenceOf(one) - precedenceOf(other))).toEqual(rows);
  for (const row of rows) expect(row.precedence).toBeGreaterThan(Math.max(...rows.map((one) => precedenceOf(one))));
});

describe('the service on it', async () => {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all', DATABASE_URL: url } }));
  const documentsOf = async (scopeId: string) => {
    const path = `/admin/scopes/${scopeId}/documents?limit=100`;
    const { body } = await service.call('GET', path, { key: admin, tenantKey: firm.key });
    return body.documents as { document_id: string; version: number; state: string }[];
  };
  const contradictionsOf = async (scopeId: string): Promise<Contradiction[]> =>
    (await service.call('GET', `/api/contradictions?scope_id=${scopeId}&limit=100`, { tenantKey: firm.key })).body
      .contradictions;
  const settled = (tenant: Tenant, scopeId: string) =>
    until(
      () => service.summary(tenant, scopeId),
      ({ documents }) => documents.queued + documents.processing === 0,
    );

  it('knows documents, contradictions and keys as they were', async () => {
    const states = (await documentsOf('acme')).map(({ document_id, version, state }) => [document_id, version, state]);
    expect(states).toEqual([
      ['headcount-old', 1, 'superseded'],
      ['headcount-new', 1, 'processed'],
      ['founded-a', 1, 'processed'],
      ['founded-b', 1, 'processed'],
      ['revenue-a', 1, 'processed'],
      ['revenue-b', 1, 'processed'],
      ['revenue-c', 1, 'processed'],
      ['headcount-old', 2, 'processed'],
      ['shipping', 1, 'processed'],
      ['pending', 1, 'pending'],
      ['registered', 1, 'pending'],
    ]);
    expect((await contradictionsOf('acme')).map(({ origin, status }) => `${origin} ${status}`).sort()).toEqual([
      'detected deferred',
      'detected open',
      'detected open',
      'detected resolved',
      'reported deferred',
      'reported open',
      'reported resolved',
    ]);
    expect(await documentsOf('emptied')).toEqual([]);
    const asked = (tenantKey: string, scopeId: string) =>
      service.call('GET', `/api/scopes/${scopeId}/summary`, { tenantKey }).then(({ status }) => status);
    expect(await asked(revoked, 'acme')).toBe(401);
    expect(await asked(leaving.key, 'all')).toBe(401);
    expect(await asked(firm.key, 'gone')).toBe(404);
    const { body } = await service.call('GET', `/admin/tenants/${firm.tenantId}`, { key: admin });
    expect(body).toMatchObject({ name: 'Firm', limits: { rate_per_s: 500 } });
  });

  it('processes what waited, also what a worker of that release had in hand, and holds what was held', async () => {
    for (const scopeId of ['left', 'suspect', 'trouble']) await settled(firm, scopeId);
    expect((await documentsOf('trouble')).map(({ document_id, state }) => [document_id, state])).toEqual([
      ['failed', 'failed'],
      ['retrying', 'processed'],
    ]);
    for (const scopeId of ['left', 'suspect']) {
      expect((await documentsOf(scopeId)).map(({ state }) => state)).toEqual(['processed', 'processed']);
      expect(await contradictionsOf(scopeId)).toMatchObject([{ origin: 'detected', status: 'open' }]);
    }
    expect((await service.summary(firm, 'held')).documents).toMatchObject({ queued: 1 });
    expect((await service.summary(asleep, 'a')).documents).toMatchObject({ queued: 1 });
    await service.control('resume', firm, 'held');
    await service.control('resume', asleep);
    await service.processed(firm, 'held', 1);
    await service.processed(asleep, 'a', 1);
  });

  it('queues what was stored only, and tries again what had failed', async () => {
    const operator = { key: admin, tenantKey: firm.key };
    await service.call('POST', '/admin/scopes/acme/ingest', { ...operator, body: {} });
    await service.call('POST', '/admin/scopes/trouble/ingest', { ...operator, body: { retry_failed: true } });
    await service.processed(firm, 'acme', 9);
    await service.processed(firm, 'trouble', 2);
    expect(await service.document(firm, 'acme', 'registered')).toMatchObject({ state: 'pending' });
  });

  it('keeps the contradictions from before, and compares new documents with each other', async () => {
    const before = await contradictionsOf('acme');
    await service.ingest(firm, 'acme', 'Acme Robotics was founded in 1993.', { document_id: 'founded-c' });
    await service.ingest(firm, 'acme', 'Acme Robotics was founded in 1994.', { document_id: 'founded-d' });
    await settled(firm, 'acme');
    const now = await contradictionsOf('acme');
    const known = new Set(before.map(({ id }) => id));
    expect(now.filter(({ id }) => known.has(id))).toEqual(before);
    // What older rules have read is never compared with what these have.
    expect(now.filter(({ id }) => !known.has(id)).map(({ document_ids }) => document_ids.toSorted())).toEqual([
      ['founded-c', 'founded-d'],
    ]);
    await service.ingest(firm, 'acme', 'Acme Robotics has 2,310 employees.', { document_id: 'headcount-old' });
    await settled(firm, 'acme');
    const left = await contradictionsOf('acme');
    expect(left.some(({ document_ids }) => document_ids.includes('headcount-old'))).toBe(false);
    await service.call('DELETE', '/api/documents/revenue-a?scope_id=acme', { tenantKey: firm.key });
    expect((await contradictionsOf('acme')).some(({ document_ids }) => document_ids.includes('revenue-a'))).toBe(false);
  });

  it('reads again what older rules have read, and keeps what was decided', async () => {
    const decided = (await contradictionsOf('acme')).filter(({ status }) => status !== 'open');
    expect(decided).not.toEqual([]);
    await db.query('update runtime set rereads = true');
    const { rules } = await until(
      () => service.summary(firm, 'acme'),
      (summary) => summary.rules.applied === summary.rules.in_force,
    );
    expect(rules.reread_up_to).toBeNull();
    const now = new Map((await contradictionsOf('acme')).map((one) => [one.id, one]));
    for (const { id, status } of decided) expect(now.get(id)).toMatchObject({ status });
  });

  it('shows what was read again as facts', async () => {
    const { body } = await service.call('GET', '/api/scopes/acme/facts?q=founded', { tenantKey: firm.key });
    const examples = body.facts.flatMap((fact: { values: { example: { sentence: string } }[] }) =>
      fact.values.map(({ example }) => example.sentence),
    );
    expect(examples).toContain('Acme Robotics was founded in 1993.');
  });

  it('knows the idempotency keys from before', async () => {
    const body = { scope_id: 'acme', name: 'n', document_id: 'shipping', idempotency_key: 'order-1' };
    const post = (text: string) =>
      service.call('POST', '/api/ingest', { tenantId: firm.tenantId, body: { ...body, text } });
    expect((await post('Orders are shipped within two days.')).status).toBe(202);
    expect(await post('Orders are shipped within three days.')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await documentsOf('acme')).filter(({ document_id }) => document_id === 'shipping')).toHaveLength(1);
  });

  it('counts what is there', async () => {
    for (const scopeId of ['acme', 'emptied', 'left', 'trouble']) {
      const { documents, contradictions } = await service.summary(firm, scopeId);
      const states = (await documentsOf(scopeId)).map(({ state }) => state);
      for (const state of ['pending', 'queued', 'processed', 'failed', 'superseded'])
        expect([scopeId, state, documents[state]]).toEqual([
          scopeId,
          state,
          states.filter((its) => its === state).length,
        ]);
      const statuses = (await contradictionsOf(scopeId)).map(({ status }) => status);
      for (const status of ['open', 'resolved', 'deferred'])
        expect([scopeId, status, contradictions[status]]).toEqual([
          scopeId,
          status,
          statuses.filter((its) => its === status).length,
        ]);
    }
  });

  it('goes on with the log, and purges what was deleted', async () => {
    expect(await findLog(log.last)).toEqual(log);
    expect((await findLog()).last).toBeGreaterThan(log.last);
    const left = await until(
      async () =>
        (
          await db.query<{ left: number }>(
            `select ((select count(*) from purges) + (select count(*) from tenants where tenant_id = $1)
                     + (select count(*) from documents d
                         where not exists (select from scopes s
                                            where s.scope_key = d.scope_key and s.generation = d.generation)))::int as left`,
            [leaving.tenantId],
          )
        ).rows[0]?.left,
      (n) => n === 0,
    );
    expect(left).toBe(0);
  });
});
