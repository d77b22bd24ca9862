import { describe, expect, it } from 'vitest';
import { listContradictions } from '../../src/storage/contradiction-lists.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { listDocuments } from '../../src/storage/documents.ts';
import { findScope, type ScopeHandle } from '../../src/storage/scopes.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { admin, call, db } = service;
const { tenantId, key: tenantKey } = await service.newTenant();
const TEXT_ARRAY = 1009;

/** 25 contradictions of 80 KB each, which are a fiftieth of that as they are stored; and 200 documents of 6 KB. */
for (let n = 0; n < 25; n++) {
  const document_ids = Array.from({ length: 100 }, (_, m) => `${'😀'.repeat(190)}${n}-${m}`);
  await call('POST', '/api/contradictions', {
    tenantId,
    body: { scope_id: 's', claim_a: `${n} a`, claim_b: 'b', document_ids },
  });
}
for (let n = 0; n < 2; n++) {
  const documents = Array(100).fill({ scope_id: 's', name: 'n', text: 't' });
  await call('POST', '/api/ingest/batch', { tenantId, body: { documents } });
}
await db.query(
  `update document_contents set name = repeat('😀', 500), source = repeat('😀', 500), provenance = repeat('😀', 500)`,
);

async function pages(path: string, name: string) {
  const found: { ids: string[]; bytes: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, headers } = await call('GET', `${path}limit=200${cursor && `&cursor=${cursor}`}`, {
      key: admin,
      tenantKey,
    });
    const ids = body[name].map(({ id, seq }: { id?: string; seq?: number }) => id ?? String(seq));
    found.push({ ids, bytes: Number(headers.get('content-length')) });
    cursor = body.next_cursor;
  }
  return found;
}

describe('a page of large rows', () => {
  it.each([
    ['/api/contradictions?scope_id=s&', 'contradictions', 25],
    ['/api/contradictions?scope_id=s&status=open&', 'contradictions', 25],
    ['/admin/scopes/s/contradictions?', 'contradictions', 25],
    ['/api/scopes/s/documents?', 'documents', 200],
    ['/api/scopes/s/documents?state=queued&', 'documents', 200],
    ['/admin/scopes/s/documents?', 'documents', 200],
  ])('ends at a megabyte, and the next one goes on: %s', async (path, name, count) => {
    const found = await pages(path, name);
    expect(found).toHaveLength(2);
    for (const { ids, bytes } of found) {
      expect(ids.length).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(1_200_000);
    }
    expect(new Set(found.flatMap(({ ids }) => ids)).size).toBe(count);
  });

  it('has one row, however large that is', async () => {
    const scope_id = 'huge';
    for (const claim_a of ['a', 'b'])
      await call('POST', '/api/contradictions', { tenantId, body: { scope_id, claim_a, claim_b: 'c' } });
    await db.query(`update contradictions set resolution = repeat('r', 1100000) where claim_b = 'c'`);
    expect((await pages('/api/contradictions?scope_id=huge&', 'contradictions')).map(({ ids }) => ids.length)).toEqual([
      1, 1,
    ]);
  });
});

it('lists send no arrays of Postgres, which pg parses character by character', async () => {
  const scope = (await findScope(db, tenantId, 's')) as ScopeHandle;
  const types: number[] = [];
  const watched = {
    query: async (...given: Parameters<Queryable['query']>) => {
      const result = await db.query(...given);
      types.push(
        ...(result as unknown as { fields: { dataTypeID: number }[] }).fields.map(({ dataTypeID }) => dataTypeID),
      );
      return result;
    },
  } as Queryable;
  const first = { after: '0', isNewestFirst: false, limit: 1 };
  expect((await listContradictions(watched, scope, {}, first))[0]?.document_ids).toHaveLength(100);
  expect((await listDocuments(watched, scope, null, -1, 1))[0]?.warnings).toEqual([]);
  expect(types).not.toContain(TEXT_ARRAY);
});
