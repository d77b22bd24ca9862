/** What is kept of stored claims, on a real Postgres. */
import { expect, it } from 'vitest';
import { RULES } from '../../src/pipeline/claim.ts';
import { ClaimCache, Room } from '../../src/runtime/claim-cache.ts';
import { connect, newDatabase } from '../support/database.ts';

const db = connect(await newDatabase());
const PLACE = { scope_key: '1', generation: 1 };

async function store(seq: number, claims: string, { scope_key, generation } = PLACE, rules = RULES) {
  await db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, rules)
     values ($1, $2, $3, $4, 0, $5, '{}', '{}', '{}', $6)`,
    [scope_key, generation, seq, `d${seq}`, claims, rules],
  );
}

/** A database that counts how many readings it was asked for. */
function counted() {
  const asked: number[][] = [];
  const query: typeof db.query = (sql, values) => {
    asked.push((values?.[2] ?? []) as number[]);
    return db.query(sql, values);
  };
  return { asked, db: { ...db, query } as typeof db };
}

it('asks for what it does not have, and for nothing twice', async () => {
  const cache = new ClaimCache();
  for (const seq of [1, 2, 3]) await store(seq, `claims of ${seq}`);
  const { asked, db: counting } = counted();
  cache.add(PLACE, [{ seq: 3, document_id: 'd3', claims: 'claims of 3' }]);
  const listed = await cache.list(counting, PLACE, [3, 1, 7]);
  expect(listed.map(({ seq, claims }) => [seq, claims])).toEqual([
    [3, 'claims of 3'],
    [1, 'claims of 1'],
  ]);
  expect((await cache.list(counting, PLACE, [1, 2, 3])).map(({ seq }) => seq).sort()).toEqual([1, 2, 3]);
  expect(asked).toEqual([[1, 7], [2]]);
});

it('knows nothing of what older rules have read, so that it has what they read again later', async () => {
  const cache = new ClaimCache();
  const place = { scope_key: '9', generation: 1 };
  await store(1, 'claims of old', place, RULES - 1);
  expect(await cache.list(db, place, [1])).toEqual([]);
  await db.query("update readings set rules = $1, claims = 'claims of now' where scope_key = 9", [RULES]);
  expect(await cache.list(db, place, [1])).toMatchObject([{ claims: 'claims of now' }]);
});

it('holds scopes and generations apart', async () => {
  const cache = new ClaimCache();
  const others = [
    { scope_key: '2', generation: 1 },
    { scope_key: '2', generation: 2 },
  ];
  for (const [n, place] of others.entries()) {
    await store(1, `claims ${n}`, place);
    cache.add(place, [{ seq: 1, document_id: 'd1', claims: `claims ${n}` }]);
  }
  for (const [n, place] of others.entries())
    expect(await cache.list(db, place, [1])).toEqual([{ seq: 1, document_id: 'd1', claims: `claims ${n}` }]);
});

it('hands out no more at once than fits, and at least two', async () => {
  const cache = new ClaimCache();
  const place = { scope_key: '3', generation: 1 };
  const long = 'x'.repeat(10_000_000);
  cache.add(
    place,
    [1, 2].map((seq) => ({ seq, document_id: `d${seq}`, claims: long })),
  );
  const listed = await cache.list(db, place, [1, 2]);
  expect(listed.map(({ claims }) => claims?.length)).toEqual([long.length, long.length]);
  await store(5, 'five', place);
  expect((await cache.list(db, place, [5, 1, 2])).map(({ seq, claims }) => [seq, claims === null])).toEqual([
    [1, false],
    [2, true],
    [5, false],
  ]);
});

it('hands out no more than that for several scopes together', async () => {
  const cache = new ClaimCache();
  const room = new Room();
  const long = 'x'.repeat(10_000_000);
  const listed = [];
  for (const scope_key of ['4', '5', '6']) {
    const place = { scope_key, generation: 1 };
    cache.add(place, [{ seq: 1, document_id: 'd1', claims: long }]);
    await store(2, 'stored', place);
    listed.push(...(await cache.list(db, place, [1, 2], room)).map(({ claims }) => claims?.length ?? null));
  }
  expect(listed).toEqual([long.length, 6, null, 6, null, 6]);
});
