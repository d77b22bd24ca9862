/** What is counted of groups, step by step, is what all documents together say. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FiledUpTo, FilingRoom, planFiling } from '../../../src/domain/settle/filing.ts';
import { planGroups } from '../../../src/domain/settle/groups.ts';
import { saidInAll } from '../../../src/domain/settle/said.ts';
import { ScopeIndex } from '../../../src/domain/settle/scope-index.ts';
import type { NewGroup } from '../../../src/storage/groups.ts';
import type { Reading } from '../../../src/storage/readings.ts';

/** A scope as it is stored, and what is in memory of it. */
class Scope {
  readonly readings = new Map<number, Reading>();
  readonly rows = new Map<number, NewGroup>();
  readonly index = new ScopeIndex(1);
  readonly counted = { groups: 0, shared: 0, changed: 0 };
  filed: FiledUpTo = { filed_up_to: -1, keys_filed_up_to: -1 };
  point = 1;

  settle(added: Reading[], gone: number[], mostKeys: number): void {
    const removed = gone.map((seq) => this.readings.get(seq) as Reading);
    const filed = saidInAll([...this.readings.values()].filter(({ seq }) => seq <= this.filed.filed_up_to));
    const lowered = saidInAll(removed.filter(({ seq }) => seq <= this.filed.filed_up_to));
    const plan = planGroups(
      {
        stored: (group) => {
          const row = this.rows.get(group);
          return row && { ...row, filed: this.#asListed(filed, lowered, group, [...added, ...removed]) };
        },
        unfiled: (group) => this.index.inGroup(group),
      },
      { added, removed, disputes: new Map(), point: this.point },
    );
    const filing = planFiling(this.index, this.filed, { added, leaving: removed }, mostKeys, new FilingRoom(added));

    for (const seq of gone) this.readings.delete(seq);
    for (const reading of added) this.readings.set(reading.seq, reading);
    for (const row of plan.rows)
      if (row.documents > 0) this.rows.set(row.group_key, row);
      else this.rows.delete(row.group_key);
    // As file_readings does: a group that has no row yet has one document.
    for (const [group, said] of saidInAll(filing.file.map((seq) => this.readings.get(seq) as Reading)))
      if (!this.rows.has(group))
        this.rows.set(group, {
          ...{ group_key: group, documents: 1, disputes: 0, changed_at: null },
          leader: Math.min(...(said[0]?.values ?? [])),
          varied: (said[0]?.values.length ?? 0) > 1,
        });
    this.index.remove(gone);
    for (const reading of added) this.index.add(reading);
    this.index.fileUpTo(filing);
    this.filed = filing;
    this.counted.groups += plan.groups;
    this.counted.shared += plan.shared;
    this.point++;
  }

  /** What list_groups and list_values answer: not all values, only those that are asked for and those that lead. */
  #asListed(filed: Said, lowered: Said, group: number, changed: Reading[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { values } of filed.get(group) ?? [])
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const most = 2 + new Set((lowered.get(group) ?? []).flatMap(({ values }) => values)).size;
    const several = [...counts].filter(([, n]) => n > 1).sort(([a, one], [b, other]) => other - one || a - b);
    const lowest = [...counts].sort(([a], [b]) => a - b);
    const asked = [...this.index.inGroup(group), ...(saidInAll(changed).get(group) ?? [])].flatMap(
      ({ values }) => values,
    );
    return new Map([
      ...several.slice(0, most),
      ...lowest.slice(0, most),
      ...asked.flatMap((value) => (counts.has(value) ? [[value, counts.get(value) as number] as const] : [])),
    ]);
  }
}

type Said = ReturnType<typeof saidInAll>;

function expectCounted(scope: Scope): void {
  const said = saidInAll([...scope.readings.values()]);
  expect(scope.counted.groups).toBe(said.size);
  expect(scope.counted.shared).toBe([...said.values()].filter(({ length }) => length > 1).length);
  for (const [group, documents] of said) {
    const row = scope.rows.get(group);
    const isFiled = documents.some(({ seq }) => seq <= scope.filed.filed_up_to);
    if (!row) expect([documents.length, isFiled]).toEqual([1, false]);
    else
      expect([group, row.documents, row.leader, row.varied]).toEqual([
        group,
        documents.length,
        leaderOf(documents),
        new Set(documents.flatMap(({ values }) => values)).size > 1,
      ]);
  }
  for (const group of scope.rows.keys()) expect(said.has(group)).toBe(true);
}

function leaderOf(documents: { values: number[] }[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { values } of documents) for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || a - b)[0]?.[0];
}

/** Few groups and values, so that many documents say the same, and often something else. */
const says = fc
  .array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 4 })), { maxLength: 4 })
  .map((pairs) => ({ groups: pairs.map(([group]) => group), values: pairs.map(([, value]) => value) }));
const step = fc.record({ added: fc.array(says, { maxLength: 4 }), gone: fc.array(fc.nat(), { maxLength: 3 }) });

it.each([0, 6, 1000])('whatever comes and goes, with %i keys in memory', (mostKeys) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const scope = new Scope();
      let next = 0;
      // Some are processed late: their seqs are lower than those of others that are there already.
      const late: number[] = [];
      for (const { added, gone } of steps) {
        const there = [...scope.readings.keys()];
        const leaving = [...new Set(gone.flatMap((n) => there[n % (there.length || 1)] ?? []))];
        const arriving = added.map((said, n): Reading => {
          const seq = n === 1 && late.length > 0 ? (late.pop() as number) : next++;
          if (n === 2) late.push(next++);
          return {
            seq,
            document_id: `d${seq}`,
            document_hash: (seq * 7919) % 101,
            keys: [seq, seq + 1],
            rules: 1,
            sketch: null,
            ...said,
          };
        });
        scope.settle(arriving, leaving, mostKeys);
        expectCounted(scope);
      }
    }),
    { numRuns: 300 },
  );
});
