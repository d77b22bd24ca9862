/** Documents of other subjects are told apart before they are compared, on a real Postgres. */
import { expect, it } from 'vitest';
import { ScopeIndex } from '../../src/domain/settle/scope-index.ts';
import type { Pair } from '../../src/pipeline/candidates.ts';
import { RULES } from '../../src/pipeline/claim.ts';
import { type Sketch, sketchOf } from '../../src/pipeline/reconcile/sketch.ts';
import type { Lane } from '../../src/runtime/lane-candidates.ts';
import { Sketches } from '../../src/runtime/sketches.ts';
import { connect, newDatabase } from '../support/database.ts';

const db = connect(await newDatabase());

const about = (...subject: string[]): Sketch => sketchOf([subject], subject);
const [ACME, BOLT] = [about('acme'), about('bolt')];
const LONG = null;

/** A scope in which these documents are stored; those of `indexed` are in memory, too. */
async function scopeOf(scope_key: string, stored: (Sketch | null)[], { rules = RULES, indexed = [] as number[] } = {}) {
  const index = new ScopeIndex(1);
  for (const [seq, sketch] of stored.entries()) {
    await db.query(
      `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, rules, sketch)
       values ($1, 1, $2, $3, 0, '', '{}', '{}', '{}', $4, $5)`,
      [scope_key, seq, `d${seq}`, rules, sketch],
    );
    if (indexed.includes(seq)) index.add(readingOf(seq, sketch));
  }
  return { lease: { scope_key, generation: 1 }, scope: { index } };
}

const readingOf = (seq: number, sketch: Sketch | null) => ({
  ...{ seq, document_id: `d${seq}`, document_hash: 0, keys: [], groups: [], values: [], rules: RULES },
  sketch,
});

/** With a document that is new. */
const arriving = (place: Awaited<ReturnType<typeof scopeOf>>, seq: number, sketch: Sketch | null, others: number[]) =>
  ({
    ...place,
    readings: [readingOf(seq, sketch)],
    change: { joined: others.map((other): Pair => [other, seq]), parted: [] },
  }) as unknown as Lane;

/** A database that counts how many sketches it was asked for. */
function counted() {
  const asked: number[] = [];
  const query: typeof db.query = (sql, values) => {
    asked.push(String(values?.[2]).split(',').length);
    return db.query(sql, values);
  };
  return { asked, db: { ...db, query } as typeof db };
}

const left = async (sketches: Sketches, queryable: typeof db, lane: Lane) =>
  (await sketches.tellApart(queryable, [lane])).get(lane)?.map(([other]) => other);

it('looks up what is not in memory, and nothing twice', async () => {
  const [sketches, { asked, db: counting }] = [new Sketches(), counted()];
  const scope = await scopeOf('1', [ACME, BOLT, ACME, BOLT, LONG], { indexed: [0, 1] });
  const lane = arriving(scope, 9, ACME, [0, 1, 2, 3, 4]);
  expect(await left(sketches, counting, lane)).toEqual([0, 2, 4]);
  expect(await left(sketches, counting, lane)).toEqual([0, 2, 4]);
  expect(asked).toEqual([3]);
  sketches.add(scope.lease, [readingOf(9, ACME)]);
  expect(await left(sketches, counting, arriving(scope, 10, BOLT, [1, 9]))).toEqual([1]);
  expect(asked).toEqual([3]);
});

it('asks for nothing where nothing can be told', async () => {
  const [sketches, { asked, db: counting }] = [new Sketches(), counted()];
  const scope = await scopeOf('2', [ACME, BOLT]);
  expect(await left(sketches, counting, arriving(scope, 9, LONG, [0, 1]))).toEqual([0, 1]);
  expect(asked).toEqual([]);
});

it('has those compared of which it knows nothing: that are gone, were read before, or by other rules', async () => {
  const sketches = new Sketches();
  const older = await scopeOf('3', [BOLT], { rules: RULES - 1 });
  expect(await left(sketches, db, arriving(older, 9, ACME, [0]))).toEqual([0]);
  const before = await scopeOf('4', [null]);
  expect(await left(sketches, db, arriving(before, 9, ACME, [0, 5]))).toEqual([0, 5]);
});

it('holds scopes and generations apart', async () => {
  const sketches = new Sketches();
  const one = await scopeOf('5', [ACME]);
  const other = await scopeOf('6', [BOLT]);
  const lanes = [arriving(one, 9, ACME, [0]), arriving(other, 9, ACME, [0])];
  const found = await sketches.tellApart(db, lanes);
  expect(lanes.map((lane) => found.get(lane)?.length)).toEqual([1, 0]);
  const reset = { ...other, lease: { scope_key: '6', generation: 2 } };
  expect(await left(sketches, db, arriving(reset as typeof other, 9, ACME, [0]))).toEqual([0]);
});

it('looks up many in several goes', async () => {
  const [sketches, { asked, db: counting }] = [new Sketches(), counted()];
  await db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, rules, sketch)
     select 7, 1, seq, 'd' || seq, 0, '', '{}', '{}', '{}', $1, case when seq % 2 = 0 then $2::smallint[] else $3 end
       from generate_series(0, 5999) seq`,
    [RULES, ACME, BOLT],
  );
  const scope = { lease: { scope_key: '7', generation: 1 }, scope: { index: new ScopeIndex(1) } };
  const all = Array.from({ length: 6000 }, (_, seq) => seq);
  const lane = arriving(scope as Awaited<ReturnType<typeof scopeOf>>, 9000, ACME, all);
  expect(await left(sketches, counting, lane)).toEqual(all.filter((seq) => seq % 2 === 0));
  expect(asked).toEqual([5000, 1000]);
});
