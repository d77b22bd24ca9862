import { expect, it } from 'vitest';
import { deleteDocument, getDocument } from '../../src/domain/documents.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { Database } from '../../src/storage/database.ts';
import { newCommitter } from '../support/committer.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newSubmission } from '../support/submission.ts';

const db = connect(await newDatabase());
const { committer } = newCommitter(db);
const VERSIONS = 1201;
let tenants = 0;

/** A document of very many versions: all but the newest are superseded. */
async function newDocument() {
  const tenantId = (await createTenant(db, `tenant ${tenants++}`)).tenant.tenant_id;
  const post = (text: string) => committer.accept(newSubmission(tenantId, 's', { documentId: 'd', text }));
  await post('the first');
  await db.query(
    `with scope as (
       update scopes set next_seq = $2::int, queued = 1, superseded = $2::int - 1 where tenant_id = $1 returning scope_key, generation
     ), first as (
       update documents set state = 'superseded' where scope_key = (select scope_key from scope)
     ), more as (
       select scope_key, generation, n from scope, generate_series(1, $2::int - 1) n
     ), contents as (
       insert into document_contents select scope_key, generation, n, 'n', 'txt', null, null, 'text ' || n from more
     )
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     select scope_key, generation, n, 'd', n + 1, case n when $2::int - 1 then 'queued' else 'superseded' end, '' from more`,
    [tenantId, VERSIONS],
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
  const { rows } = await db.query<{ documents: number; contents: number; counted: number; queued: number }>(
    `select (select count(*)::int from documents d where d.scope_key = s.scope_key) as documents,
            (select count(*)::int from document_contents c where c.scope_key = s.scope_key) as contents,
            (registered + pending + queued + retrying + processed + failed + superseded)::int as counted, queued::int
       from scopes s where tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

async function deletions(tenantId: string) {
  const { rows } = await db.query<{ payload: object }>(
    `select payload from events where type = 'document.deleted' and tenant_id = $1 order by event_id`,
    [tenantId],
  );
  return rows.map(({ payload }) => payload);
}

it('erases a document of many versions in pieces, between which others get at the scope', async () => {
  const { tenantId, post } = await newDocument();
  const seen: (number | undefined)[] = [];
  const others = interrupted(async (transactions) => {
    seen.push((await left(tenantId))?.documents);
    if (transactions > 1) return;
    expect((await post('in between')).document).toMatchObject({ version: VERSIONS + 1, seq: VERSIONS });
  });
  await deleteDocument(others, tenantId, 's', 'd');
  expect(seen).toEqual([VERSIONS - 500, VERSIONS - 999, 0]);
  expect(await left(tenantId)).toEqual({ documents: 0, contents: 0, counted: 0, queued: 0 });
  expect(await deletions(tenantId)).toEqual([{ document_id: 'd', versions: VERSIONS + 1 }]);
  await expect(getDocument(db, tenantId, 's', 'd')).rejects.toMatchObject({ code: 'not_found' });
  expect((await post('afterwards')).document).toMatchObject({ version: 1, seq: VERSIONS + 1 });
});

it('leaves the newest version as it is when it is cut off, and the same again finishes it', async () => {
  const { tenantId } = await newDocument();
  const cutOff = interrupted(() => Promise.reject(new Error('cut off')));
  await expect(deleteDocument(cutOff, tenantId, 's', 'd')).rejects.toThrow('cut off');
  expect(await getDocument(db, tenantId, 's', 'd')).toMatchObject({ version: VERSIONS, state: 'queued' });
  expect(await left(tenantId)).toEqual({ documents: 701, contents: 701, counted: 701, queued: 1 });
  expect(await deletions(tenantId)).toEqual([]);
  await deleteDocument(db, tenantId, 's', 'd');
  expect(await left(tenantId)).toEqual({ documents: 0, contents: 0, counted: 0, queued: 0 });
  expect(await deletions(tenantId)).toEqual([{ document_id: 'd', versions: 701 }]);
});

it('is one deletion when two are asked for at once', async () => {
  const { tenantId } = await newDocument();
  const results = await Promise.allSettled([1, 2].map(() => deleteDocument(db, tenantId, 's', 'd')));
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  expect(await deletions(tenantId)).toHaveLength(1);
  expect(await left(tenantId)).toMatchObject({ documents: 0, counted: 0 });
});
