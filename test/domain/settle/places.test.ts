/** Which contradictions are kept and shown, step by step, is what all that were found say together. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Replaced } from '../../../src/domain/settle/carry-over.ts';
import {
  ContradictionsChange,
  type ContradictionsPlan,
  precedenceOf,
} from '../../../src/domain/settle/contradictions.ts';
import { RULES } from '../../../src/pipeline/claim.ts';
import type { AddedConflict, DetectedContradiction, NewConflict } from '../../../src/storage/detected.ts';

const limits = { ofDocument: 3, ofFact: 2 };

/** Added to `nth` for what older rules make of the same sentences. */
const OLDER = 10;

/** One that is found whenever these documents are compared; `nth` tells several between two documents apart. */
function conflictOf(a: number, b: number, nth: number, seqs = [a, b]): NewConflict {
  const hash = createHash('sha256').update(`${a} ${b} ${nth}`).digest();
  const severity = (['critical', 'medium', 'low'] as const)[hash.readUInt8(8) % 3] ?? 'low';
  return {
    ...{ contradiction_id: `con_${a}_${b}_${nth}`, pair: hash.toString('base64'), severity },
    ...{ claim_a: `a${nth % OLDER}`, claim_b: `b${nth % OLDER}`, subject: '', attribute: '', reason: '' },
    ...{ span_a: [0, 1], span_b: [0, 1] },
    ...{ document_a: `d${a}`, document_b: `d${b}`, seq_a: seqs[0] as number, seq_b: seqs[1] as number },
    ...{ group_a: groupOf(hash.readUInt8(9), nth), group_b: groupOf(hash.readUInt8(10), nth), value_a: 1, value_b: 2 },
  };
}

/** Those of older rules are others. */
const groupOf = (byte: number, nth: number) => (byte % 4) + (nth < OLDER ? 0 : 4);
const GROUPS = [0, 1, 2, 3, 4, 5, 6, 7];

type Row = AddedConflict;
const isDecided = ({ status }: Row) => status === 'resolved' || status === 'deferred';
const inOrder = (one: Row, other: Row) => one.precedence - other.precedence;
const seqsOf = ({ seq_a, seq_b }: Row) => [seq_a, seq_b];
const groupsOf = ({ group_a, group_b }: Row) => [...new Set([group_a, group_b])];

/** A scope as it is stored. */
class Scope {
  rows = new Map<string, Row>();
  readonly counted = { open: 0, resolved: 0, deferred: 0, left_out: 0, critical: 0 };
  readonly disputes = new Map<number, number>();
  readonly outdated = new Set<string>();
  /** Documents that were read by the rules in force, once all there were was read by older ones. */
  readonly again = new Set<number>();

  settle(conflicts: NewConflict[], leaving: number[] = [], replaced: Replaced | null = null): ContradictionsPlan {
    const change = new ContradictionsChange(conflicts, this.#detected(conflicts, leaving), leaving, replaced, limits);
    const first = (wanted: Map<number, number>, of: (row: Row) => number[], rows: Row[]) =>
      [...wanted].flatMap(([list, most]) => rows.filter((row) => of(row).includes(list)).slice(0, most));
    const rows = [...this.rows.values()].sort(inOrder);
    const facts = change.placeInDocuments(first(change.documents, seqsOf, rows).map(asStored));
    const plan = change.placeInFacts(
      first(
        facts,
        groupsOf,
        rows.filter(({ places }) => (places & 3) === 3),
      ).map(asStored),
    );
    this.#write(plan);
    return plan;
  }

  /** As if older rules had found it all. */
  makeOlder(): void {
    for (const row of this.rows.values()) row.precedence = precedenceOf(row, RULES - 1);
  }

  readAgain(documents: number[], found: NewConflict[]): void {
    const isThere = (seq: number) => this.again.has(seq) || documents.includes(seq);
    const between = found.filter(({ seq_a, seq_b }) => [seq_a, seq_b].every(isThere));
    const fresh = between.filter(({ seq_a, seq_b }) => [seq_a, seq_b].some((seq) => documents.includes(seq)));
    this.settle(fresh, documents, { rules: RULES, isAgain: true, seqs: new Map(documents.map((seq) => [seq, seq])) });
    for (const document of documents) this.again.add(document);
  }

  decide(nth: number): void {
    const open = [...this.rows.values()].filter(({ status }) => status === 'open');
    const row = open[nth % (open.length || 1)];
    if (!row) return;
    row.status = nth % 2 ? 'resolved' : 'deferred';
    this.counted.open--;
    this.counted[row.status]++;
    if (row.severity === 'critical') this.counted.critical--;
    for (const group of groupsOf(row)) this.disputes.set(group, (this.disputes.get(group) ?? 0) - 1);
  }

  #detected(conflicts: NewConflict[], leaving: number[]): DetectedContradiction[] {
    const pairs = new Set(conflicts.map(({ pair }) => pair));
    const rows = [...this.rows.values()];
    const found = (why: 'pair' | 'side', those: Row[]) =>
      those.map(
        (row): DetectedContradiction => ({
          ...{ ...asStored(row), why, pair: row.pair, upheld: [], outdated: this.outdated.has(row.contradiction_id) },
          sides: {
            ...{ claims: [row.claim_a, row.claim_b], attribute: row.attribute },
            rules: seqsOf(row).map((seq) => (this.again.has(seq) ? RULES : RULES - 1)),
          },
        }),
      );
    const goes = (row: Row) => seqsOf(row).some((seq) => leaving.includes(seq));
    return [
      ...found(
        'pair',
        rows.filter(({ pair }) => pairs.has(pair)),
      ),
      ...found('side', rows.filter(goes)),
    ];
  }

  #write({ added, moved, restated, outdated, placed, gone, disputes, ...plan }: ContradictionsPlan): void {
    for (const id of gone) this.rows.delete(id);
    for (const one of added) this.rows.set(one.contradiction_id, { ...one });
    for (const { id, conflict } of moved)
      Object.assign(this.rows.get(id) as Row, { seq_a: conflict.seq_a, seq_b: conflict.seq_b });
    for (const { id, conflict, precedence } of restated)
      Object.assign(this.rows.get(id) as Row, { ...conflict, contradiction_id: id, precedence });
    for (const id of outdated) this.outdated.add(id);
    for (const { id, places, status } of placed) Object.assign(this.rows.get(id) as Row, { places, status });
    for (const name of ['open', 'resolved', 'deferred', 'left_out', 'critical'] as const)
      this.counted[name] += plan[name];
    for (const [group, step] of disputes) this.disputes.set(group, (this.disputes.get(group) ?? 0) + step);
  }
}

function asStored(row: Row) {
  const { contradiction_id: id, status, severity, document_a, document_b, precedence, places } = row;
  return {
    ...{ id, status, severity, precedence, places, documents: [document_a, document_b] },
    ...{ seqs: [row.seq_a, row.seq_b] as [number, number], groups: [row.group_a, row.group_b] as [number, number] },
  };
}

/** Whether one is among the first of each of its lists. */
function areFirst(rows: Row[], of: (row: Row) => number[], most: number): (row: Row, side: number) => boolean {
  const sorted = [...rows].sort(inOrder);
  const lists = new Map<number, Set<Row>>();
  for (const row of sorted)
    for (const list of of(row)) {
      const first = lists.get(list) ?? new Set();
      if (first.size < most) lists.set(list, first.add(row));
    }
  return (row, list) => lists.get(list)?.has(row) ?? false;
}

/** Those of all that are to be kept, and the names of those that are to be shown. */
function expected(rows: Row[]) {
  const ofDocument = areFirst(rows, seqsOf, limits.ofDocument);
  const kept = rows.filter((row) => isDecided(row) || seqsOf(row).some((seq) => ofDocument(row, seq)));
  const both = kept.filter((row) => seqsOf(row).every((seq) => ofDocument(row, seq)));
  const ofFact = areFirst(both, groupsOf, limits.ofFact);
  const shown = both.filter((row) => groupsOf(row).every((group) => ofFact(row, group)));
  const open = shown.filter((row) => !isDecided(row));
  return { kept: names(kept), open: names(open) };
}

const names = (rows: Row[]) => rows.map(({ contradiction_id }) => contradiction_id).sort();
const isOf = (wanted: string) => (row: Row) => row.status === wanted;

function expectRight(scope: Scope): void {
  const rows = [...scope.rows.values()];
  const { kept, open } = expected(rows);
  expect(names(rows)).toEqual(kept);
  expect(names(rows.filter(isOf('open')))).toEqual(open);
  const disputing = rows.filter((row) => !isDecided(row));
  expect(scope.counted).toEqual({
    open: open.length,
    left_out: rows.filter(isOf('left_out')).length,
    resolved: rows.filter(isOf('resolved')).length,
    deferred: rows.filter(isOf('deferred')).length,
    critical: disputing.filter(({ severity }) => severity === 'critical').length,
  });
  for (const group of GROUPS)
    expect(scope.disputes.get(group) ?? 0).toBe(disputing.filter((row) => groupsOf(row).includes(group)).length);
}

const DOCUMENTS = 9;
const conflicts = fc
  .uniqueArray(
    fc
      .tuple(fc.nat({ max: DOCUMENTS - 1 }), fc.nat({ max: DOCUMENTS - 1 }), fc.nat({ max: 2 }))
      .filter(([a, b]) => a < b)
      .map(([a, b, nth]) => conflictOf(a, b, nth)),
    { selector: ({ pair }) => pair, minLength: 5, maxLength: 60 },
  )
  .chain((all) =>
    fc.record({
      all: fc.constant(all),
      orders: fc.tuple(...[0, 1].map(() => fc.shuffledSubarray(all, { minLength: all.length }))),
      size: fc.integer({ min: 1, max: 12 }),
    }),
  );

function arrive(found: NewConflict[], size: number): Scope {
  const scope = new Scope();
  for (let at = 0; at < found.length; at += size) {
    scope.settle(found.slice(at, at + size));
    expectRight(scope);
  }
  return scope;
}

type Sides = Pick<NewConflict, 'seq_a' | 'seq_b' | 'claim_a' | 'claim_b'>;
const sentencesOf = ({ seq_a, seq_b, claim_a, claim_b }: Sides) => [seq_a, claim_a, seq_b, claim_b].join(' ');
const bySentences = ({ rows }: Scope) => new Map([...rows.values()].map((row) => [sentencesOf(row), row]));

describe('what is kept and shown', () => {
  it('does not depend on the order of arrival, nor does what is after a deletion', () => {
    let leftOut = 0;
    fc.assert(
      fc.property(conflicts, ({ all, orders, size }) => {
        const whole = expected(
          all.map((one) => ({ ...one, precedence: precedenceOf(one), places: 0, status: 'left_out' as const })),
        );
        const scopes = orders.map((order, n) => arrive(order, n === 0 ? order.length : size));
        for (const scope of scopes) expect(names([...scope.rows.values()])).toEqual(whole.kept);
        leftOut += scopes[0]?.counted.left_out ?? 0;
        for (const scope of scopes) {
          scope.settle([], [0]);
          expectRight(scope);
        }
        expect(scopes[1]?.rows).toEqual(scopes[0]?.rows);
      }),
      { numRuns: 300 },
    );
    expect(leftOut).toBeGreaterThan(0);
  });

  it('is right after each step, whatever comes, is replaced, is decided and goes', () => {
    const step = fc.record({
      document: fc.nat({ max: DOCUMENTS - 1 }),
      others: fc.array(fc.tuple(fc.nat({ max: DOCUMENTS - 1 }), fc.nat({ max: 2 })), { maxLength: 12 }),
      decided: fc.array(fc.nat(), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const scope = new Scope();
        const seqs = new Map<number, number>();
        for (const [n, { document, others, decided }] of steps.entries()) {
          const old = seqs.get(document);
          const seq = 100 + n;
          seqs.delete(document);
          const found = others.flatMap(([other, nth]) => {
            const its = seqs.get(other);
            if (its === undefined) return [];
            return [
              document < other
                ? conflictOf(document, other, nth, [seq, its])
                : conflictOf(other, document, nth, [its, seq]),
            ];
          });
          const before = [...scope.rows.values()].filter(isDecided);
          const again = new Map(found.map((one) => [one.pair, one]));
          scope.settle([...again.values()], old === undefined ? [] : [old]);
          if (others.length > 0) seqs.set(document, seq);
          expectRight(scope);
          const isLeft = (row: Row) => old !== undefined && seqsOf(row).includes(old) && !again.has(row.pair);
          for (const row of before) expect([row, scope.rows.has(row.contradiction_id)]).toEqual([row, !isLeft(row)]);
          for (const nth of decided) scope.decide(nth);
          expectRight(scope);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is what newer rules alone would have kept, once they have read everything again, and what was decided', () => {
    const seen = { restated: 0, outdated: 0, left: 0 };
    const found = fc.uniqueArray(
      fc
        .tuple(fc.nat({ max: DOCUMENTS - 1 }), fc.nat({ max: DOCUMENTS - 1 }), fc.nat({ max: 2 }))
        .filter(([a, b]) => a < b),
      { selector: String, maxLength: 60 },
    );
    const order = fc.shuffledSubarray([...Array(DOCUMENTS).keys()], { minLength: DOCUMENTS });
    const decided = fc.array(fc.nat(), { maxLength: 6 });
    fc.assert(
      fc.property(
        found,
        found,
        order,
        fc.integer({ min: 1, max: 4 }),
        decided,
        (older, newer, documents, size, which) => {
          const scope = new Scope();
          scope.settle(older.map(([a, b, nth]) => conflictOf(a, b, nth + OLDER)));
          for (const nth of which) scope.decide(nth);
          scope.makeOlder();
          const before = new Map([...scope.rows].map(([id, row]) => [id, { ...row }]));
          const conflicts = newer.map(([a, b, nth]) => conflictOf(a, b, nth));
          for (let at = 0; at < DOCUMENTS; at += size) {
            scope.readAgain(documents.slice(at, at + size), conflicts);
            expectRight(scope);
          }
          const fresh = new Scope();
          fresh.settle(conflicts);
          const [now, alone] = [bySentences(scope), bySentences(fresh)];
          for (const [said, { places, precedence, severity }] of alone)
            expect(now.get(said)).toMatchObject({ places, precedence, severity });
          for (const [said, row] of now) if (!isDecided(row)) expect(alone.has(said)).toBe(true);
          const isFound = new Set(conflicts.map(sentencesOf));
          for (const { contradiction_id, status, ...was } of [...before.values()].filter(isDecided)) {
            const said = sentencesOf(was);
            expect(now.get(said)).toMatchObject({ contradiction_id, status });
            expect(scope.outdated.has(contradiction_id)).toBe(!isFound.has(said));
          }
          seen.restated += [...scope.rows.keys()].filter((id) => before.has(id) && !scope.outdated.has(id)).length;
          seen.outdated += scope.outdated.size;
          seen.left += scope.counted.left_out;
        },
      ),
      { numRuns: 300 },
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
  });

  it('tells of what appears and disappears, and of nothing that was never seen', () => {
    const scope = new Scope();
    const seen = new Set<string>();
    for (let other = 1; other < 30; other++) {
      const { detected, retracted } = scope.settle([conflictOf(0, other, 0)]);
      for (const { id } of retracted) expect(seen.delete(id)).toBe(true);
      for (const { id } of detected) seen.add(id);
      expect([...seen].sort()).toEqual(names([...scope.rows.values()].filter(isOf('open'))));
    }
    expect(scope.counted.left_out).toBe(29 - seen.size);
    expect(seen.size).toBeLessThanOrEqual(limits.ofDocument);
  });
});
