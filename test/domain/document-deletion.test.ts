/** A document is deleted at once and as a whole, however many versions it has, and what it leaves is purged in pieces. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { deleteDocument } from '../../src/domain/document-deletion.ts';
import { getDocument, listDocuments } from '../../src/domain/documents.ts';
import { purgeSome } from '../../src/domain/purger.ts';
import { deleteScope, resetScope } from '../../src/domain/scopes.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { Database } from '../../src/storage/database.ts';
import { newCommitter } from '../support/committer.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newSubmission } from '../support/submission.ts';

const db = connect(await newDatabase());
const { committer } = newCommitter(db);
const VERSIONS = 2501;
let tenants = 0;

/** A document of very many versions, each with a key: all but the newest are of this state, which is queued. */
async function newDocument(state: 'superseded' | 'queued') {
  const tenantId = (await createTenant(db, `tenant ${tenants++}`, BY_COMMAND_LINE)).tenant.tenant_id;
  const post = (text: string, idempotencyKey: string | null = null) =>
    committer.accept(newSubmission(tenantId, 's', { documentId: 'd', text, idempotencyKey }));
  await post('the first', 'key 0');
  await db.query(
    `with scope as (
       update scopes set next_seq = $2::int, queued = case $3 when 'queued' then $2::int else 1 end,
              superseded = case $3 when 'queued' then 0 else $2::int - 1 end where tenant_id = $1 returning scope_key, generation
     ), first as (
       update documents set state = $3 where scope_key = (select scope_key from scope)
     ), more as (
       select scope_key, generation, n from scope, generate_series(1, $2::int - 1) n
     ), contents as (
       insert into document_contents select scope_key, generation, n, 'n', 'txt', null, null, 'text ' || n from more
     ), keys as (
       insert into idempotency_keys select $1, 'key ' || n, '', scope_key, generation, n from more
     )
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     select scope_key, generation, n, 'd', n + 1, case n when $2::int - 1 then 'queued' else $3 end, '' from more`,
    [tenantId, VERSIONS, state],
  );
  return { tenantId, post };
}

/** After each transaction, whoever waits for the scope may go first. */
const interrupted = (between: (transactions: number) => Promise<void>): Database => {
  let transactions = 0;
  return {
    ...db,
    async transaction(work) {
      const result = await db.transaction(work);
      await between(++transactions);
      return result;
    },
  };
};

async function left(tenantId: string) {
  const { rows } = await db.query<Record<string, number>>(
    `select (select count(*)::int from documents d where d.scope_key = s.scope_key) as documents,
            (select count(*)::int from document_contents c where c.scope_key = s.scope_key) as contents,
            (select count(*)::int from idempotency_keys k where k.tenant_id = s.tenant_id) as keys,
            (registered + pending + queued + retrying + processed + failed + superseded)::int as counted, queued::int
       from scopes s where tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

const purges = async () => (await db.query('select from document_purges')).rowCount;

async function purgeAll(): Promise<void> {
  while (await purgeSome(db));
  expect(await purges()).toBe(0);
}

async function deletions(tenantId: string) {
  const { rows } = await db.query<{ payload: object }>(
    `select payload from events where type = 'document.deleted' and tenant_id = $1 order by event_id`,
    [tenantId],
  );
  return rows.map(({ payload }) => payload);
}

const listed = async (tenantId: string, state?: 'superseded') => {
  const found: { version: number; seq: number }[] = [];
  for (let page: { cursor?: string } | null = {}; page; ) {
    const { items, next_cursor } = await listDocuments(db, tenantId, 's', {
      limit: 200,
      ...page,
      ...(state && { state }),
    });
    found.push(...items.map(({ version, seq }) => ({ version, seq })));
    page = next_cursor === null ? null : { cursor: next_cursor };
  }
  return found;
};

it('is out of sight at once, everywhere, and begins anew', async () => {
  const { tenantId, post } = await newDocument('superseded');
  const stays = newSubmission(tenantId, 's', { documentId: 'stays', idempotencyKey: 'stays' });
  await committer.accept(stays);
  let transactions = 0;
  await deleteDocument(
    interrupted(async () => void transactions++),
    tenantId,
    's',
    'd',
    BY_COMMAND_LINE,
  );
  expect(transactions).toBe(1);
  expect(await left(tenantId)).toMatchObject({ documents: VERSIONS, counted: 1, queued: 1 });
  expect(await deletions(tenantId)).toEqual([{ document_id: 'd', versions: VERSIONS }]);
  const missing = { code: 'not_found' };
  await expect(getDocument(db, tenantId, 's', 'd')).rejects.toMatchObject(missing);
  await expect(deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE)).rejects.toMatchObject(missing);
  expect([await listed(tenantId), await listed(tenantId, 'superseded')]).toEqual([[{ version: 1, seq: VERSIONS }], []]);
  // Of what is hidden, a page reads no more than of what is shown.
  const page = await listDocuments(db, tenantId, 's', { limit: 10 });
  expect(page).toEqual({ items: [], next_cursor: expect.any(String) });
  expect(await committer.accept(stays)).toMatchObject({ replayed: true });

  // Its numbers and its keys are free.
  expect(await post('anew', 'key 1')).toMatchObject({ replayed: false, document: { version: 1, seq: VERSIONS + 1 } });
  expect(await post('anew', 'key 1')).toMatchObject({ replayed: true, document: { version: 1, seq: VERSIONS + 1 } });
  expect(await post('newer')).toMatchObject({ document: { version: 2, seq: VERSIONS + 2 } });
  expect(await getDocument(db, tenantId, 's', 'd')).toMatchObject({ version: 2, state: 'queued' });
  expect(await listed(tenantId)).toEqual([
    { version: 1, seq: VERSIONS },
    { version: 1, seq: VERSIONS + 1 },
    { version: 2, seq: VERSIONS + 2 },
  ]);
  expect(await left(tenantId)).toMatchObject({ documents: VERSIONS, counted: 3, queued: 3 });

  await deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE);
  expect((await deletions(tenantId)).at(-1)).toEqual({ document_id: 'd', versions: 2 });
  expect(await post('once more', 'key 2')).toMatchObject({ document: { version: 1, seq: VERSIONS + 3 } });
  await purgeAll();
  expect(await left(tenantId)).toEqual({ documents: 2, contents: 2, keys: 2, counted: 2, queued: 2 });
  expect(await getDocument(db, tenantId, 's', 'd')).toMatchObject({ version: 1, seq: VERSIONS + 3 });
});

it('is purged in pieces, each of which may be the last before a crash', async () => {
  const { tenantId, post } = await newDocument('superseded');
  await deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE);
  const rows: unknown[] = [];
  const cutOff = interrupted(async (transactions) => {
    rows.push((await left(tenantId))?.documents);
    if (transactions % 3 === 0) throw new Error('cut off');
  });
  await expect(purgeSome(cutOff)).rejects.toThrow('cut off');
  expect(rows.at(-1)).toBe(VERSIONS - 101);
  expect(await post('anew')).toMatchObject({ document: { version: 1 } });
  await purgeAll();
  expect(await left(tenantId)).toEqual({ documents: 1, contents: 1, keys: 0, counted: 1, queued: 1 });
});

it.each([
  ['reset', resetScope],
  ['deleted', deleteScope],
])('leaves nothing when its scope is %s before it is purged', async (_what, end) => {
  const { tenantId, post } = await newDocument('superseded');
  await deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE);
  await end(db, tenantId, 's', BY_COMMAND_LINE);
  expect(await post('anew', 'key 3')).toMatchObject({ replayed: false, document: { version: 1, seq: 0 } });
  await purgeAll();
  expect(await left(tenantId)).toEqual({ documents: 1, contents: 1, keys: 1, counted: 1, queued: 1 });
  expect((await db.query(`select from documents where content_sha256 = ''`)).rowCount).toBe(0);
});

it('takes versions that wait out of the queue in pieces, between which others get at the scope', async () => {
  const { tenantId, post } = await newDocument('queued');
  const queued: unknown[] = [];
  const others = interrupted(async (transactions) => {
    queued.push((await left(tenantId))?.queued);
    if (transactions > 1) return;
    expect((await post('in between')).document).toMatchObject({ version: VERSIONS + 1, seq: VERSIONS });
  });
  await deleteDocument(others, tenantId, 's', 'd', BY_COMMAND_LINE);
  expect([...new Set(queued)]).toEqual([VERSIONS, VERSIONS + 1 - 1000, VERSIONS + 1 - 2000, 0]);
  expect((await left(tenantId))?.counted).toBe(0);
  expect(await deletions(tenantId)).toEqual([{ document_id: 'd', versions: VERSIONS + 1 }]);
  expect((await post('afterwards')).document).toMatchObject({ version: 1, seq: VERSIONS + 1 });
  await purgeAll();
  expect(await left(tenantId)).toMatchObject({ documents: 1, contents: 1, counted: 1, queued: 1 });
});

it('leaves the newest version as it is when it is cut off, and the same again finishes it', async () => {
  const { tenantId } = await newDocument('queued');
  const cutOff = interrupted(async (transactions) => {
    if (transactions === 2) throw new Error('cut off');
  });
  await expect(deleteDocument(cutOff, tenantId, 's', 'd', BY_COMMAND_LINE)).rejects.toThrow('cut off');
  expect(await getDocument(db, tenantId, 's', 'd')).toMatchObject({ version: VERSIONS, state: 'queued' });
  expect(await left(tenantId)).toMatchObject({ documents: VERSIONS, counted: VERSIONS, queued: VERSIONS - 1000 });
  expect(await deletions(tenantId)).toEqual([]);
  await deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE);
  expect(await left(tenantId)).toMatchObject({ counted: 0, queued: 0 });
  expect(await deletions(tenantId)).toEqual([{ document_id: 'd', versions: VERSIONS }]);
  await purgeAll();
});

it('is one deletion when two are asked for at once', async () => {
  for (const state of ['superseded', 'queued'] as const) {
    const { tenantId } = await newDocument(state);
    const results = await Promise.allSettled([1, 2].map(() => deleteDocument(db, tenantId, 's', 'd', BY_COMMAND_LINE)));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await deletions(tenantId)).toHaveLength(1);
    expect(await left(tenantId)).toMatchObject({ counted: 0 });
    await purgeAll();
  }
});
