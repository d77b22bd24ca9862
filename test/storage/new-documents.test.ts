/** Accepting in one statement: what it is given arrives as it was, and whoever is faster is seen. */
import { describe, expect, it } from 'vitest';
import { flushNew } from '../../src/domain/accept/flush-new.ts';
import type { Entry } from '../../src/domain/accept/plan.ts';
import { contentHash, fingerprint } from '../../src/domain/accept/submission.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { booleanArray, intArray, textArray } from '../../src/storage/array-params.ts';
import { newCommitter } from '../support/committer.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

const db = connect(await newDatabase());
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);
const { committer } = newCommitter(db);
const PATIENT_MS = 60_000;

type Change = Parameters<typeof newSubmission>[2];

function entry(scopeId: string, change: Change = {}): Entry {
  const submission = newSubmission(tenant.tenant_id, scopeId, change);
  const content = contentHash(submission);
  return { submission, content, fingerprint: submission.idempotencyKey ? fingerprint(submission, content) : null };
}
/** With these documents, so that the scope is there. */
const prepare = (scopeId: string, changes: Change[]) =>
  Promise.all(changes.map((change) => committer.accept(newSubmission(tenant.tenant_id, scopeId, change))));

describe('an array as a parameter', () => {
  it.each([
    ['nothing', []],
    ['quotes, braces, backslashes and empty texts', ['"a", {b}\\', '', 'NULL', null, '\n']],
    ['more than one byte for a character', ['é', '漢字', '🙂', 'e\u0301', null]],
    ['a long text', ['x'.repeat(100_000), 'ß'.repeat(100_000)]],
  ])('arrives as it was: %s', async (_name, texts) => {
    const { rows } = await db.query('select $1::text[] as texts', [textArray(texts, (text) => text)]);
    expect(rows).toEqual([{ texts }]);
  });

  it('arrives as it was: numbers and booleans', async () => {
    const [numbers, booleans] = [
      [0, 1, -1, 2 ** 31 - 1],
      [true, false],
    ];
    const { rows } = await db.query('select $1::int[] as numbers, $2::boolean[] as booleans', [
      intArray(numbers, (number) => number),
      booleanArray(booleans, (boolean) => boolean),
    ]);
    expect(rows).toEqual([{ numbers, booleans }]);
  });
});

describe('what another process stores between the look and the lock', () => {
  it.each([
    ['an id', { documentId: 'twice' }],
    ['a key', { idempotencyKey: 'twice' }],
  ])('is not stored again: the same for %s', async (name, change) => {
    const scope = `raced-by-${name.at(-1)}`;
    await prepare(scope, [{}]);
    const row = [tenant.tenant_id, scope];
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
                       and query like '%accept_new_documents%'`;
    const { flushes } = await db.transaction(async (tx) => {
      await tx.query('select from scopes where tenant_id = $1 and scope_id = $2 for update', row);
      const flushes: ReturnType<typeof flushNew>[] = [];
      for (const entries of [[entry(scope, change)], [entry(scope, change), entry(scope)]]) {
        flushes.push(flushNew(db, entries, PATIENT_MS));
        await until(
          () => db.query(waiting),
          ({ rowCount }) => rowCount === flushes.length,
        );
      }
      // Awaited later: they wait for this transaction, and then one for the other.
      return { flushes };
    });
    const [faster, slower] = await Promise.all(flushes);
    expect(faster?.outcomes).toMatchObject([{ document: { seq: 1 }, replayed: false }]);
    expect(slower?.outcomes).toEqual(['unseen', 'unseen']);
    const { rows } = await db.query('select next_seq::int from scopes where tenant_id = $1 and scope_id = $2', row);
    expect(rows).toEqual([{ next_seq: 2 }]);
  });
});
