/** What an import says in the end. */
import { expect, it } from 'vitest';
import type { Docket } from '../../../client/src/index.ts';
import { draftOf } from '../../../src/cli/import/draft.ts';
import { Known } from '../../../src/cli/import/known.ts';
import { failedDocuments, outcomeLines } from '../../../src/cli/import/outcome.ts';
import { Tally } from '../../../src/cli/import/tally.ts';

const none = { total: 0, pending: 0, queued: 0, processing: 0, processed: 0, failed: 0, superseded: 0 };
const scope = { scope_id: 'leases', name: 'leases', created_at: '2026-11-17T00:00:00Z' };
const counts = { resolved: 0, deferred: 0, left_out: 0 };

function summary(
  documents: Partial<typeof none>,
  open: number,
  reasons: (string | null)[],
  score: number | null = 0.8,
) {
  const blockers = reasons.map((reason) => ({
    contradiction_id: 'con_1',
    severity: 'critical',
    subject: null,
    reason,
  }));
  return {
    scope,
    documents: { ...none, ...documents },
    claims: { total: 31_204, groups: 1 },
    contradictions: { open, ...counts },
    convergence: { status: 'converging', score, blockers } as unknown as Parameters<
      typeof outcomeLines
    >[0]['convergence'],
  };
}

it('counts what there is, without versions that no longer count, and shows what stands in the way', () => {
  const documents = { total: 12_000, superseded: 2000, processed: 9000, queued: 700, processing: 250, failed: 50 };
  expect(outcomeLines(summary(documents, 7, ['It is 1 in one and 2 in the other.', null]))).toEqual([
    'scope leases: 10,000 documents, 9,000 processed, 950 waiting, 50 failed',
    '31,204 claims about 1 thing, 7 open contradictions; converging, 0.8',
    '  critical: It is 1 in one and 2 in the other.',
    '  critical: reported by hand',
    '  …',
  ]);
});

it('says no more than there is, and lets no reason move a cursor', () => {
  expect(outcomeLines(summary({ total: 1, processed: 1 }, 1, ['a\u001b[2J'], null))).toEqual([
    'scope leases: 1 document, 1 processed',
    '31,204 claims about 1 thing, 1 open contradiction; converging',
    '  critical: a\\u{1b}[2J',
  ]);
});

it('tells what fails as it does, up to a number, and counts the rest', () => {
  const told: string[] = [];
  const tally = new Tally((line) => told.push(line));
  for (let n = 1; n <= 60; n++) tally.fail(`${n}.txt`, 'it is not UTF-8');
  expect(told).toHaveLength(51);
  expect(told.slice(49)).toEqual(['50.txt: it is not UTF-8', 'what else fails is only counted']);
  for (const seq of [3, 4, null, 5]) tally.accept(seq, 3);
  tally.unchanged = 1;
  expect([tally.line(), tally.lastSeq]).toEqual([
    '4 documents sent (1 of which the service had already), 1 unchanged, 60 failed',
    5,
  ]);
});

/** Looks through the scope for what has failed of an import of `a.txt`, `b.txt` and `c.txt`. */
async function failedOf(ids: string[], { remembered = 10, most = 10 } = {}) {
  const known = new Known('leases', remembered);
  for (const path of ['a.txt', 'b.txt', 'c.txt']) known.plan(draftOf('leases', path, 'txt', 'x', 1));
  const documents = async function* () {
    for (const document_id of ids) yield { document_id, error: 'it' };
  };
  const docket = { documents } as unknown as Docket;
  const failed: string[] = [];
  const given = { docket, scopeId: 'leases', signal: new AbortController().signal };
  const isAll = await failedDocuments(given, known, (name) => void failed.push(name), most);
  return { failed, isAll };
}

it('names those of the import that failed, and says when there may be more of them', async () => {
  expect(await failedOf(['a.txt', 'other', 'c.txt'])).toEqual({ failed: ['a.txt', 'c.txt'], isAll: true });
  expect(await failedOf(['a.txt', 'c.txt'], { most: 2 })).toEqual({ failed: ['a.txt', 'c.txt'], isAll: true });
  expect(await failedOf(['other', 'a.txt', 'c.txt'], { most: 2 })).toEqual({ failed: ['a.txt'], isAll: false });
  expect(await failedOf(['a.txt'], { remembered: 2 })).toEqual({ failed: ['a.txt'], isAll: true });
  expect(await failedOf(['a.txt', 'c.txt'], { remembered: 2 })).toEqual({ failed: ['a.txt'], isAll: false });
});
