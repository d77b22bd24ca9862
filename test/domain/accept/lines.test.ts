import { describe, expect, it } from 'vitest';
import { Lines } from '../../../src/domain/accept/lines.ts';
import { Shares } from '../../../src/domain/accept/shares.ts';
import { toWaiting, type Waiting } from '../../../src/domain/accept/waiting.ts';
import { newSubmission } from '../../support/submission.ts';

const entry = (tenantId: string, documentId: string | null = null, text = 't') =>
  toWaiting(newSubmission(tenantId, 's', { documentId, text }), 0, () => {});
const none = () => false;

function filled(...entries: Waiting[]): Lines {
  const lines = new Lines();
  for (const one of entries) lines.add(one);
  return lines;
}

/** All batches, each as the tenants of its entries. */
function drain(lines: Lines): string[][] {
  const batches: string[][] = [];
  for (let batch = lines.take(() => false, none); batch.length > 0; batch = lines.take(() => false, none))
    batches.push(batch.map(({ tenantId }) => tenantId));
  return batches;
}

describe('a batch', () => {
  it('has a share of every tenant, whoever came first and with however much', () => {
    const many = Array.from({ length: 1000 }, () => entry('greedy'));
    const large = Array.from({ length: 20 }, () => entry('large', null, 'x'.repeat(100_000)));
    const lines = filled(...many, ...large, entry('late'));
    const batches = drain(lines);
    expect(new Set(batches[0])).toEqual(new Set(['greedy', 'large', 'late']));
    expect(batches.flat()).toHaveLength(1021);
    expect(lines.size).toBe(0);
  });

  it('is larger while only one tenant posts, and then bounded, too', () => {
    const many = () => filled(...Array.from({ length: 2000 }, () => entry('alone')));
    const [one, few] = [many().take(() => false, none, true), many().take(() => false, none)];
    expect(one.length).toBeGreaterThan(few.length);
    expect(one.length).toBeLessThan(1000);
    const large = Array.from({ length: 100 }, () => entry('alone', null, 'x'.repeat(10_000)));
    expect(filled(...large).take(() => false, none, true).length).toBeLessThan(50);
  });

  it('begins with whoever had no share in the last one', () => {
    const tenants = Array.from({ length: 200 }, (_item, n) => `tenant ${n}`);
    const lines = filled(...tenants.flatMap((tenantId) => [entry(tenantId), entry(tenantId)]));
    const [first = [], second = []] = drain(lines);
    expect(first.filter((tenantId) => second.includes(tenantId))).toEqual([]);
  });

  it('has no name twice, nor one that is taken, and keeps the order of those that have one', () => {
    const [a1, b, a2, a3] = [entry('t', 'a'), entry('t', 'b'), entry('t', 'a'), entry('t', 'a')];
    const lines = filled(a1, b, a2, a3);
    expect(lines.take((name) => b.names.includes(name), none)).toEqual([a1]);
    expect(lines.take(() => false, none)).toEqual([b, a2]);
    expect(lines.take(() => false, none)).toEqual([a3]);
  });

  it('leaves nothing behind of what is set aside', () => {
    const [one, two] = [entry('t', 'a'), entry('t', 'b')];
    const lines = filled(one, two);
    const aside: Waiting[] = [];
    expect(
      lines.take(
        () => false,
        (given) => aside.push(given) > 0,
      ),
    ).toEqual([]);
    expect(aside).toEqual([one, two]);
    expect(lines.size).toBe(0);
    expect(lines.take(() => false, none)).toEqual([]);
  });
});

describe('the room for what waits', () => {
  it('is never one tenant’s: whoever comes next has as much as is left, and there is always some', () => {
    const shares = new Shares();
    const held: number[] = [];
    for (const tenantId of ['a', 'b', 'c', 'd']) {
      let rows = 0;
      for (; !shares.isFull(tenantId); rows++) shares.take({ tenantId, size: 1 });
      held.push(rows);
    }
    expect(held).toEqual([10_000, 5000, 2500, 1250]);
    shares.giveBack({ tenantId: 'a', size: 1 });
    expect(shares.isFull('d')).toBe(false);
  });

  it('is counted in bytes, too', () => {
    const shares = new Shares();
    const mine = { tenantId: 'a', size: 1024 * 1024 };
    let rows = 0;
    for (; !shares.isFull('a'); rows++) shares.take(mine);
    expect(rows).toBe(32);
    for (; rows > 0; rows--) shares.giveBack(mine);
    expect(shares.isFull('a')).toBe(false);
  });
});
