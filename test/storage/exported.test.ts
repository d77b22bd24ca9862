/** A page of an export reads as many rows as it looks at, however large the scope is, and whatever Postgres knows of the tables. */
import { expect, it } from 'vitest';
import type { Copyable, Queryable } from '../../src/storage/database.ts';
import { type ExportedScope, findExportedScope } from '../../src/storage/exported.ts';
import * as exported from '../../src/storage/exported-documents.ts';
import { listExportedReadings } from '../../src/storage/exported-readings.ts';
import { mostRowsOf } from '../support/cost.ts';
import { withVerbs } from '../support/kernel.ts';
import { addOlderVersions } from '../support/many-versions.ts';
import { startTestService } from '../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { db } = service;
const tenant = await service.newTenant();
for (const table of ['documents', 'document_contents', 'readings'])
  await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
for (let nth = 0; nth < 10; nth++)
  await service.ingest(tenant, 's', `The fee of ${nth} is €50.`, { document_id: `d-${nth}` });
await service.processed(tenant, 's', 10);
/** A page with all of its documents. */
async function listExportedDocuments(...args: Parameters<typeof exported.listExportedDocuments>) {
  const page = await exported.listExportedDocuments(...args);
  return page && { ...page, documents: [...page.documents] };
}
const LIMIT = 10;
/** What ten documents say contradicts what the others say: the sides of a claim are looked up, too. */
const WITH_SIDES = 10 * LIMIT;
const MANY = 5000;
const find = async () => (await findExportedScope(db, tenant.tenantId, 's')) as ExportedScope;
const scope = await find();

const whole = (from: number, { next_seq }: ExportedScope) => ({ from, to: next_seq, start: next_seq, limit: LIMIT });
async function costs(from: number) {
  const now = await find();
  const documents = (watched: Queryable & Copyable) =>
    listExportedDocuments(watched, scope, whole(from, now), { withTexts: true, bytes: 1_000_000 });
  const readings = (watched: Queryable) =>
    listExportedReadings(watched, scope, whole(from, now), { bytes: 250_000, most: 40 });
  return { documents: await mostRowsOf(db, documents), readings: await mostRowsOf(db, readings) };
}

it('beside many other documents', async () => {
  const before = await costs(0);
  await db.query(
    `with numbered as (select $1::bigint as scope_key, $2::int as generation, 10 + n as seq from generate_series(0, ${MANY - 1}) n),
     contents as (insert into document_contents (scope_key, generation, seq, name, type, text)
       select scope_key, generation, seq, 'n', 'txt', 'text ' || seq from numbered)
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     select scope_key, generation, seq, 'more-' || seq, 1, 'pending', '' from numbered`,
    [scope.scope_key, scope.generation],
  );
  await db.query('update scopes set next_seq = next_seq + $2, pending = $2 where scope_key = $1', [
    scope.scope_key,
    MANY,
  ]);
  expect(await costs(0)).toEqual(before);
  for (const from of [0, MANY / 2]) {
    const { documents, readings } = await costs(from);
    expect(documents).toBeLessThanOrEqual(LIMIT);
    expect(readings).toBeLessThanOrEqual(WITH_SIDES);
  }
});

it('beside many older versions of one document, each of which costs a look', async () => {
  await addOlderVersions(db, { tenantId: tenant.tenantId, scopeId: 's', documentId: 'd-3' }, MANY);
  const { documents, readings } = await costs(0);
  expect(documents).toBeLessThanOrEqual(LIMIT);
  expect(readings).toBeLessThanOrEqual(WITH_SIDES);
  const last = await costs((await find()).next_seq - LIMIT);
  expect(last.documents).toBeLessThanOrEqual(LIMIT);
});

it('ends where it gets large, and goes on from there', async () => {
  const now = await find();
  const range = { ...whole(0, now), to: 10 };
  const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes: 40 });
  expect([page?.documents.length, page?.next]).toEqual([2, 2]);
  const rest = await listExportedDocuments(db, scope, { ...range, from: 2 }, { withTexts: true, bytes: 1_000_000 });
  expect([rest?.documents.length, rest?.next]).toEqual([8, null]);
  const claims = await listExportedReadings(db, scope, range, { bytes: 1, most: 40 });
  expect([claims?.readings.length, claims?.next]).toEqual([1, 1]);
});

it('ends where rows are large by what was noted of them', async () => {
  const warnings = Array(20).fill('“'.repeat(300));
  await db.query('update documents set warnings = $3 where scope_key = $1 and generation = $2 and seq < 10', [
    ...[scope.scope_key, scope.generation, warnings],
  ]);
  const range = { ...whole(0, await find()), to: 10 };
  const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes: 20_000 });
  expect([page?.documents.length, page?.next]).toEqual([2, 2]);
  await db.query('update documents set warnings = null where scope_key = $1', [scope.scope_key]);
});

it('shows a newer version in the place of the one that was there at the start, and reads no more for it', async () => {
  const { next_seq: start } = await find();
  const numbered = `select $1::bigint, $2::int, $3::bigint + n`;
  const which = [scope.scope_key, scope.generation, start];
  await db.query(
    `insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     ${numbered}, 'd-' || n, 2, 'pending', '' from generate_series(0, 1) n`,
    which,
  );
  await db.query(
    `insert into document_contents (scope_key, generation, seq, name, type, text)
     ${numbered}, 'n', 'txt', repeat('newer ', 100) || n from generate_series(0, 1) n`,
    which,
  );
  await db.query('update scopes set next_seq = next_seq + 2 where scope_key = $1', [scope.scope_key]);
  const before = { from: 0, to: start, start, limit: LIMIT };
  const shown = async (range: typeof before, bytes: number) => {
    const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes });
    return [
      page?.documents.slice(0, 3).map(({ document_id, text }) => `${document_id} ${text?.slice(0, 12)}`),
      page?.next,
    ];
  };
  expect(await shown(before, 1_000_000)).toEqual([['d-0 newer newer ', 'd-1 newer newer ', 'd-2 The fee of 2'], LIMIT]);
  // The first two are too large together, though those were not that they take the place of.
  expect(await shown(before, 600)).toEqual([['d-0 newer newer '], 1]);
  const [others] = await shown({ ...before, start: start + 2 }, 1_000_000);
  expect(others).toEqual(['d-2 The fee of 2', 'd-3 The fee of 3', 'd-4 The fee of 4']);
  const moved = (watched: Queryable & Copyable) =>
    listExportedDocuments(watched, scope, before, { withTexts: true, bytes: 1_000_000 });
  expect(await mostRowsOf(db, moved)).toBeLessThanOrEqual(LIMIT);
});

it('is the same document by document, however small its pages are', async () => {
  // Of ten documents two are moved to newer versions, one has many older ones, and one is about to be purged.
  const { next_seq } = await find();
  const start = next_seq - 2;
  await db.query(
    `insert into document_purges (scope_key, generation, document_id, from_version, up_to_version) values ($1, $2, 'd-5', 1, 1)`,
    [scope.scope_key, scope.generation],
  );
  await db.query(`update documents set error = repeat('e', 30 * seq::int) where scope_key = $1 and seq < 10`, [
    scope.scope_key,
  ]);
  const idsBy = async (bytes: number, limit: number) => {
    const ids: string[] = [];
    let pages = 0;
    for (let from: number | null = 0; from !== null; pages++) {
      const range = { from, to: 40, start, limit };
      const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes });
      ids.push(...(page?.documents ?? []).map(({ document_id, version }) => `${document_id} ${version}`));
      from = page?.next ?? null;
      if (from !== null && from >= 40) from = null;
    }
    expect(pages).toBeLessThanOrEqual(40 + 1);
    return ids;
  };
  const whole = await idsBy(1_000_000, 100);
  expect(whole.slice(0, 6)).toEqual(['d-0 2', 'd-1 2', 'd-2 1', `d-3 ${MANY + 1}`, 'd-4 1', 'd-6 1']);
  for (const bytes of [1, 40, 150, 600, 2000])
    for (const limit of [1, 2, 3, 10]) expect(await idsBy(bytes, limit)).toEqual(whole);
  await db.query('delete from document_purges where scope_key = $1', [scope.scope_key]);
});

it('goes on behind versions that are not shown, however large they are', async () => {
  const { next_seq } = await find();
  await db.query(
    `update document_contents set text = repeat('x', 1000) where scope_key = $1 and name = 'n' and text like 'superseded %'`,
    [scope.scope_key],
  );
  const range = { from: 10 + MANY, to: next_seq, start: next_seq, limit: LIMIT };
  const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes: 3000 });
  expect([page?.documents, page?.looked, page?.next]).toEqual([[], LIMIT, 10 + MANY + LIMIT]);
});

it('writes no text to another document, though rows are removed between the looks at the two tables', async () => {
  const { next_seq } = await find();
  const remove = (table: string, seq: number) =>
    db.query(`delete from ${table} where scope_key = $1 and generation = $2 and seq = $3`, [
      ...[scope.scope_key, scope.generation, seq],
    ]);
  for (const seq of [12, 13, 19]) await remove('document_contents', seq);
  for (const seq of [10, 15, 16]) await remove('documents', seq);
  const range = { from: 10, to: 20, start: next_seq, limit: LIMIT };
  const page = await listExportedDocuments(db, scope, range, { withTexts: true, bytes: 1_000_000 });
  expect(page?.documents.map(({ document_id, text }) => `${document_id} ${text}`)).toEqual(
    [11, 14, 17, 18].map((seq) => `more-${seq} text ${seq}`),
  );
});

it('finds nothing when the scope is gone, though its rows are still there', async () => {
  const now = await find();
  const gone = { ...scope, generation: scope.generation + 1 };
  const foreign = { ...scope, tenant_id: (await service.newTenant()).tenantId };
  for (const other of [gone, foreign]) {
    expect(await listExportedDocuments(db, other, whole(0, now), { withTexts: false, bytes: 1 })).toBeNull();
    expect(await listExportedReadings(db, other, whole(0, now), { bytes: 1, most: 40 })).toBeNull();
  }
});
