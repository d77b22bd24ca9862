/** Accepting in one statement: what it is given arrives as it was, whoever is faster is seen, and the release before is served. */
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

/** As 0.1.0 calls it. */
const OF_0_1_0 = 'select seqs, awakened, locked from accept_documents($1::json, $2::json, $3::json, $4)';
function asOf010(scopeIds: string[], documents: { at: number; id: string; named?: boolean; key?: string }[]) {
  const sha256 = Buffer.alloc(32).toString('base64');
  return [
    scopeIds.map((scope_id, n) => ({ at: n + 1, tenant_id: tenant.tenant_id, scope_id })),
    documents.map(({ at, id, named = false, key = null }) => ({
      ...{ at, document_id: id, named, key, fingerprint: key && sha256, state: 'queued', content_sha256: sha256 },
    })),
    documents.map(({ id }) => ({ name: `of ${id}`, type: 'txt', source: null, provenance: null, text: 'Said.' })),
  ].map((part) => JSON.stringify(part));
}

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
    ['an id', { documentId: 'twice' }, { named: true }],
    ['a key', { idempotencyKey: 'twice' }, { key: 'twice' }],
  ])('is not stored again: the same for %s', async (name, change, same) => {
    const scope = `raced-by-${name.at(-1)}`;
    await prepare(scope, [{}]);
    const row = [tenant.tenant_id, scope];
    const { result } = await db.transaction(async (tx) => {
      await tx.query('select from scopes where tenant_id = $1 and scope_id = $2 for update', row);
      const result = flushNew(db, [entry(scope, change), entry(scope)], PATIENT_MS);
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%accept_new_documents%'`;
      await until(
        () => db.query(waiting),
        ({ rowCount }) => rowCount === 1,
      );
      await tx.query(OF_0_1_0, [...asOf010([scope], [{ at: 1, id: 'twice', ...same }]), PATIENT_MS]);
      // Awaited later: it waits for this transaction.
      return { result };
    });
    expect((await result).outcomes).toEqual(['unseen', 'unseen']);
    const { rows } = await db.query('select next_seq::int from scopes where tenant_id = $1 and scope_id = $2', row);
    expect(rows).toEqual([{ next_seq: 2 }]);
  });
});

describe('a replica of 0.1.0', () => {
  it('accepts beside this release, by the same rules', async () => {
    await prepare('shared', [{ documentId: 'there' }, { idempotencyKey: 'used' }]);
    const documents = [
      { at: 1, id: 'first' },
      { at: 1, id: 'there', named: true },
      { at: 2, id: 'nowhere' },
      { at: 1, id: 'with a key', key: 'unused' },
      { at: 1, id: 'of a key', key: 'used' },
      { at: 1, id: 'last', named: true },
    ];
    const { rows } = await db.query(OF_0_1_0, [...asOf010(['shared', 'missing'], documents), PATIENT_MS]);
    expect(rows).toEqual([{ seqs: [2, null, null, 3, null, 4], awakened: [false, false], locked: [false, false] }]);
    const [after] = await prepare('shared', [{}]);
    expect(after?.document.seq).toBe(5);
    const [newer] = await prepare('shared', [{ documentId: 'last' }]);
    expect(newer?.document).toMatchObject({ seq: 6, version: 2 });
    const { rows: events } = await db.query(
      `select payload ->> 'document_id' as id, type from events
        where scope_id = 'shared' and payload ->> 'seq' in ('2', '3', '4') order by event_id`,
    );
    expect(events).toEqual(['first', 'with a key', 'last'].map((id) => ({ id, type: 'document.queued' })));
  });
});

describe('a replica of release 1', () => {
  it('accepts beside this release, without traces', async () => {
    await prepare('without-traces', [{ documentId: 'there' }]);
    const ids = ['there', 'first', 'second'];
    const sha256 = Buffer.alloc(32).toString('base64');
    const each = <Value>(value: Value) => ids.map(() => value);
    const { rows } = await db.query(
      `select seqs, awakened, locked from accept_new_documents(
         tenant_ids => $1, scope_ids => $2, places => $3, nths => $4, ids => $5, chosen => $6, states => $7, event_types => $8,
         hashes => $9, keys => $10, fingerprints => $11, names => $12, types => $13, sources => $14, provenances => $15,
         texts => $16, patience_ms => $17)`,
      [
        ...[[tenant.tenant_id], ['without-traces'], each(1), [0, 1, 2], ids, each(true), each('queued')],
        ...[each('document.queued'), each(sha256), each(null), each(null), ids, each('txt'), each(null), each(null)],
        ...[each('Said.'), PATIENT_MS],
      ],
    );
    expect(rows).toEqual([{ seqs: [null, 1, 2], awakened: [false], locked: [false] }]);
    const { rows: stored } = await db.query(
      `select c.name, text, traceparent from document_contents c join scopes using (scope_key, generation)
        where scope_id = 'without-traces' and seq > 0 order by seq`,
    );
    expect(stored).toEqual(ids.slice(1).map((name) => ({ name, text: 'Said.', traceparent: null })));
  });
});
