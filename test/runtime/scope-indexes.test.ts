/** The index of a scope in memory is what its readings are, whoever changed them: with readings that a test writes itself. */
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import type { Queryable } from '../../src/domain/database.ts';
import { FilingRoom, planFiling } from '../../src/domain/settle/filing.ts';
import type { ScopeIndex } from '../../src/domain/settle/scope-index.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { type OpenScope, ScopeIndexes } from '../../src/runtime/scope-indexes.ts';
import { findScopeHead } from '../../src/storage/readings.ts';
import { connect, newDatabase } from '../support/database.ts';

const KEYS = 40;
/** More than are read at once, twice over. */
const MANY = 1200;

const db = connect(await newDatabase());
let tenantId = '';
let scopes = 0;

beforeAll(async () => {
  tenantId = (await createTenant(db, 'Acme', BY_COMMAND_LINE)).tenant.tenant_id;
});

/** A scope with so many readings, of revision 1. */
async function scopeOf(count: number) {
  const { rows } = await db.query<{ scope_key: string }>(
    `insert into scopes (tenant_id, scope_id, name, revision) values ($1, $2, $2, 1) returning scope_key`,
    [tenantId, `s${scopes++}`],
  );
  const scope = { scope_key: rows[0]?.scope_key as string, generation: 1 };
  await write(scope, 0, count, 1);
  return scope;
}

type Scope = Awaited<ReturnType<typeof scopeOf>>;

const write = ({ scope_key }: Scope, from: number, to: number, revision: number) =>
  db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, revision)
     select $1, 1, seq, 'd' || seq, (seq * 7919) % 1009, '', array(select n * $4 + seq % 3 from generate_series(1, ${KEYS}) n),
            array[seq % 5, $4], array[seq, seq], $4
       from generate_series($2::bigint, $3::bigint - 1) seq`,
    [scope_key, from, to, revision],
  );

/** As settling and deleting leave it. */
const moveOn = ({ scope_key }: Scope, { removed }: { removed: boolean }) =>
  db.query(
    `update scopes set revision = revision + 1, removed_at = case when $2 then revision + 1 else removed_at end
      where scope_key = $1`,
    [scope_key, removed],
  );

const remove = ({ scope_key }: Scope, seqs: number[]) =>
  db.query('delete from readings where scope_key = $1 and seq = any ($2)', [scope_key, seqs]);

/** Counts the readings that are read, and does something once after the first page. */
function watched(afterFirst?: () => Promise<unknown>) {
  const counted = { readings: 0, pages: 0 };
  const query = async (text: string, values?: unknown[]) => {
    const answer = await db.query(text, values as never);
    const { found } = answer.rows[0] as { found: { readings: unknown[] }[] };
    for (const { readings } of found) counted.readings += readings.length;
    if (counted.pages++ === 0) await afterFirst?.();
    return answer;
  };
  return { db: { query } as unknown as Queryable, counted };
}

async function open(indexes: ScopeIndexes, scope: Scope, queryable: Queryable = db): Promise<OpenScope> {
  const head = await findScopeHead(db, scope);
  const [opened] = await indexes.open(queryable, [{ ...scope, head }], { asItIsNow: false });
  return opened as OpenScope;
}

const shown = (index: ScopeIndex) => ({
  readings: index.readings(),
  byKey: Array.from({ length: 3 * KEYS }, (_, key) => index.withKey(key).map(({ seq }) => seq)),
  byGroup: [0, 1, 2, 3, 4].map((group) => index.inGroup(group)),
  sizes: [index.size, index.unfiledSize],
});

/** What is in memory is what somebody finds who knows nothing. */
async function expectExact({ index, head }: OpenScope, scope: Scope) {
  const { rows } = await db.query<{ seqs: number[] }>(
    'select json_agg(seq order by seq) as seqs from readings where scope_key = $1 and seq > $2',
    [scope.scope_key, head.keys_filed_up_to],
  );
  expect(index.readings().map(({ seq }) => seq)).toEqual(rows[0]?.seqs);
  expect(head.revision).toBe((await findScopeHead(db, scope)).revision);
  expect(index.revision).toBe(head.revision);
  expect(shown(index)).toEqual(shown((await open(new ScopeIndexes(64), scope)).index));
}

it('has a large scope, page by page', async () => {
  const scope = await scopeOf(MANY);
  const { db: pages, counted } = watched();
  await expectExact(await open(new ScopeIndexes(64), scope, pages), scope);
  expect(counted.readings).toBe(MANY);
  expect(counted.pages).toBeGreaterThan(2);
});

it('forgets what another node has removed, and has what that has added or read again, without reading the rest', async () => {
  const scope = await scopeOf(MANY);
  const indexes = new ScopeIndexes(64);
  await open(indexes, scope);
  await remove(scope, [0, 7, 500, MANY - 1]);
  await write(scope, 500, 501, 2);
  await write(scope, MANY, MANY + 3, 2);
  await moveOn(scope, { removed: true });
  const { db: pages, counted } = watched();
  const opened = await open(indexes, scope, pages);
  expect(counted).toEqual({ readings: 4, pages: 1 });
  expect(opened.index.get(500)?.keys[0]).toBe(2 + (500 % 3));
  await expectExact(opened, scope);
});

it('is exact when the scope changes while its pages are read', async () => {
  const scope = await scopeOf(MANY);
  const { db: pages } = watched(async () => {
    await remove(scope, [3, MANY - 2]);
    await write(scope, 3, 4, 2);
    await write(scope, MANY, MANY + 1, 2);
    await moveOn(scope, { removed: true });
  });
  const opened = await open(new ScopeIndexes(64), scope, pages);
  expect([opened.index.get(3)?.keys[0], opened.index.get(MANY - 2)]).toEqual([2, undefined]);
  await expectExact(opened, scope);
});

it('is exact when another node files what is there, and its keys later', async () => {
  const scope = await scopeOf(100);
  const indexes = new ScopeIndexes(64);
  await open(indexes, scope);
  const file = (column: string, seq: number) =>
    db.query(`update scopes set ${column} = $2, revision = revision + 1 where scope_key = $1`, [scope.scope_key, seq]);
  await file('keys_filed_up_to', -1);
  await file('filed_up_to', 60);
  const opened = await open(indexes, scope);
  await expectExact(opened, scope);
  expect(opened.index.readings()).toHaveLength(100);
  expect(opened.index.unfiledSize).toBeLessThan(opened.index.size / 2);
  await file('keys_filed_up_to', 40);
  const later = await open(indexes, scope);
  await expectExact(later, scope);
  expect(later.index.readings()).toHaveLength(59);
});

it('is to become smaller where there is no room for it', async () => {
  const [large, small] = [await scopeOf(2 * MANY), await scopeOf(100)];
  const [tight, none] = [new ScopeIndexes(1), new ScopeIndexes(0)];
  const mostOf = async (indexes: ScopeIndexes, scope: Scope) => (await open(indexes, scope)).index.mostKeys;
  // What is read for the first time may fit once others are gone that nobody needs any more.
  expect([await mostOf(tight, large), await mostOf(tight, large)]).toEqual([Infinity, MANY * (KEYS + 2 + 10)]);
  expect([await mostOf(tight, small), await mostOf(tight, small)]).toEqual([Infinity, Infinity]);
  expect([await mostOf(none, small), await mostOf(none, small)]).toEqual([Infinity, 4000]);
});

it('stays as large as it is beside scopes that are not worked on any more', async () => {
  const indexes = new ScopeIndexes(2);
  const [hot, ...cold] = await Promise.all(Array.from({ length: 12 }, () => scopeOf(150)));
  for (const scope of cold) await open(indexes, scope);
  for (let round = 0; round < 3; round++)
    expect((await open(indexes, hot as Scope)).index).toMatchObject({ mostKeys: Infinity });
  expect(indexes.counts.misses).toBe(12);
});

it('may be as large as before once ten minutes have passed', async () => {
  const [indexes, scope] = [new ScopeIndexes(64), await scopeOf(10)];
  const { index } = await open(indexes, scope);
  index.keepLess(4000);
  expect((await open(indexes, scope)).index.mostKeys).toBe(4000);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 601_000);
  onTestFinished(() => clock.mockRestore());
  expect((await open(indexes, scope)).index.mostKeys).toBe(Infinity);
});

it('is not read again and again where all of the scopes together are too large', async () => {
  const indexes = new ScopeIndexes(4);
  const scopes = await Promise.all(Array.from({ length: 12 }, () => scopeOf(150)));
  const missesOfARound = async () => {
    const before = indexes.counts.misses;
    for (const scope of scopes) {
      const { index, head } = await open(indexes, scope);
      const change = { added: [], leaving: [] };
      const { file, file_keys, ...filed } = planFiling(index, head, change, 400_000, new FilingRoom([]));
      if (file.length === 0) continue;
      expect(file).toEqual(file_keys);
      await db.query(
        'update scopes set filed_up_to = $2, keys_filed_up_to = $3, revision = revision + 1 where scope_key = $1',
        [scope.scope_key, filed.filed_up_to, filed.keys_filed_up_to],
      );
      index.fileUpTo(filed);
      index.revision = head.revision + 1;
      indexes.keep(scope.scope_key, index);
    }
    return indexes.counts.misses - before;
  };
  const misses: number[] = [];
  for (let round = 0; round < 5; round++) misses.push(await missesOfARound());
  // The first time, once more those that were crowded out, and none after that.
  expect(misses[0]).toBe(12);
  expect(misses.slice(3)).toEqual([0, 0]);
});

it('is not changed in the hands of a turn by another one that has read less of it', async () => {
  const [large, scope] = [await scopeOf(MANY), await scopeOf(10)];
  const indexes = new ScopeIndexes(64);
  await open(indexes, scope);
  await remove(scope, [0]);
  await moveOn(scope, { removed: true });
  // This turn has lost its leases by the time it has read the first page of both scopes, and the next pages of the large one.
  let other: OpenScope | undefined;
  const { db: pages } = watched(async () => {
    await write(scope, 10, 11, 3);
    await remove(scope, [1]);
    await moveOn(scope, { removed: true });
    other = await open(indexes, scope);
  });
  const heads = await Promise.all([large, scope].map((one) => findScopeHead(db, one)));
  await indexes.open(
    pages,
    [large, scope].map((one, n) => ({ ...one, head: heads[n] as OpenScope['head'] })),
    { asItIsNow: false },
  );
  expect(other?.index.readings().map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
