import { describe, expect, it } from 'vitest';
import { lockTable } from '../../support/lock-table.ts';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call } = service;
const tenant = await service.newTenant();
const document = { scope_id: 'scope', name: 'A name', text: 'Some text.' };
let scopes = 0;
const newScope = () => `scope-${scopes++}`;
const ingest = (body: unknown, tenantId = tenant.tenantId) => call('POST', '/api/ingest', { tenantId, body });

async function counters(scopeId: string) {
  const { rows } = await service.db.query<{ next_seq: number; pending: number; queued: number; documents: number }>(
    `select next_seq::float8, pending::float8, queued::float8,
            (select count(*)::float8 from documents where scope_key = scopes.scope_key) as documents
       from scopes where scope_id = $1`,
    [scopeId],
  );
  return rows[0];
}

describe('202', () => {
  it('answers with these properties and no other', async () => {
    const scope_id = newScope();
    const { status, body, headers } = await ingest({ ...document, scope_id });
    expect(status).toBe(202);
    expect(body).toEqual({
      scope_id,
      name: 'A name',
      type: 'txt',
      document_id: expect.stringMatching(/^doc_/),
      idempotency_key: null,
      queued: true,
      seq: 0,
      integration_version: 'v1',
      message: 'Queued for processing.',
    });
    expect(headers.has('idempotency-replayed')).toBe(false);
  });

  it('keeps what was sent, to the letter', async () => {
    const scope_id = newScope();
    const sent = {
      scope_id,
      name: 'Ünï "quoted" \\ name',
      type: 'md',
      text: 'línea 1\n\ttabbed \u2028 東京 🙂 \\u0041 "',
      document_id: 'an/odd id?é🙂',
      source: 'https://example.org/?a=b&c=d',
      idempotency_key: 'key of keep',
    };
    expect((await ingest(sent)).body).toMatchObject({
      document_id: sent.document_id,
      idempotency_key: sent.idempotency_key,
      type: 'md',
    });
    const { rows } = await service.db.query(
      `select document_id, name, type, source, text, state from documents join document_contents using (scope_key, generation, seq)
        where document_id = $1`,
      [sent.document_id],
    );
    const { scope_id: _scope, idempotency_key: _key, ...kept } = sent;
    expect(rows).toEqual([{ ...kept, state: 'queued' }]);
  });

  it.each([
    ['100,000 letters', 'x'.repeat(100_000)],
    ['100,000 astral characters', '🙂'.repeat(100_000)],
  ])('takes %s, as they are and escaped', async (_name, text) => {
    const plain = JSON.stringify({ ...document, scope_id: newScope(), text });
    expect((await ingest(plain)).status).toBe(202);
    const units = Array.from(
      { length: text.length },
      (_unit, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join('');
    expect((await ingest(`{"scope_id": "${newScope()}", "name": "n", "text": "${units}"}`)).status).toBe(202);
  });

  it('numbers 300 that come at once from 0 with no gap and no repeat, and counts them', async () => {
    const scope_id = newScope();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_item, i) => ingest({ ...document, scope_id, text: `text ${i}` })),
    );
    expect(answers.map(({ body }) => body.seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 300 }, (_item, i) => i),
    );
    expect(await counters(scope_id)).toEqual({ next_seq: 300, pending: 0, queued: 300, documents: 300 });
  });

  it('writes one event for each, in the order of their seq', async () => {
    const scope_id = newScope();
    await Promise.all(Array.from({ length: 50 }, () => ingest({ ...document, scope_id })));
    const { rows } = await service.db.query<{ type: string; tenant_id: string; payload: { seq: number } }>(
      'select type, tenant_id, payload from events where scope_id = $1 order by event_id',
      [scope_id],
    );
    expect(rows[0]).toMatchObject({ type: 'scope.created', tenant_id: tenant.tenantId });
    expect(rows.slice(1).map(({ type, payload }) => [type, payload.seq])).toEqual(
      Array.from({ length: 50 }, (_item, i) => ['document.queued', i]),
    );
  });
});

describe('the same document_id', () => {
  it('with the same content is the same document; with other content a new version: A, B, A is version 3', async () => {
    const scope_id = newScope();
    const a = { ...document, scope_id, document_id: 'd', text: 'A' };
    const b = { ...a, text: 'B' };
    expect((await ingest(a)).body.seq).toBe(0);
    expect((await ingest(a)).body.seq).toBe(0);
    expect((await ingest(b)).body.seq).toBe(1);
    expect((await ingest(b)).body.seq).toBe(1);
    expect((await ingest(a)).body.seq).toBe(2);
    const { rows } = await service.db.query(
      `select version, seq::int from documents join scopes using (scope_key, generation) where scope_id = $1 order by seq`,
      [scope_id],
    );
    expect(rows).toEqual([
      { version: 1, seq: 0 },
      { version: 2, seq: 1 },
      { version: 3, seq: 2 },
    ]);
    expect(await counters(scope_id)).toMatchObject({ next_seq: 3, queued: 3 });
  });

  it('in two hundred requests at once is one document', async () => {
    const scope_id = newScope();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => ingest({ ...document, scope_id, document_id: 'd' })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.seq}`))).toEqual(new Set(['202 0']));
    expect(await counters(scope_id)).toMatchObject({ next_seq: 1, queued: 1, documents: 1 });
  });

  it('in two scopes and of two tenants is several documents', async () => {
    const other = await service.newTenant();
    const [one, two] = [newScope(), newScope()];
    for (const scope_id of [one, two]) {
      for (const { tenantId } of [tenant, other]) {
        expect((await ingest({ ...document, scope_id, document_id: 'd' }, tenantId)).body.seq).toBe(0);
      }
    }
  });

  it('that was only stored is queued by ingest, with its seq', async () => {
    const scope_id = newScope();
    const stored = await call('POST', '/api/documents', {
      tenantId: tenant.tenantId,
      body: { ...document, scope_id, document_id: 'd' },
    });
    expect(stored.body).toMatchObject({ state: 'pending', seq: 0 });
    expect(await counters(scope_id)).toMatchObject({ pending: 1, queued: 0 });
    expect((await ingest({ ...document, scope_id, document_id: 'd' })).body.seq).toBe(0);
    expect(await counters(scope_id)).toMatchObject({ next_seq: 1, pending: 0, queued: 1, documents: 1 });
  });
});

describe('the same idempotency_key', () => {
  it('gives the first answer again and says so', async () => {
    const body = { ...document, scope_id: newScope(), idempotency_key: 'again' };
    const first = await ingest(body);
    const second = await ingest(body);
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
  });

  it('on two replicas at once: the same', async () => {
    const replica = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    for (let round = 0; round < 20; round++) {
      const body = { ...document, scope_id: newScope(), idempotency_key: `replicas ${round}` };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_item, i) =>
          (i % 2 ? replica : service).call('POST', '/api/ingest', { tenantId: tenant.tenantId, body }),
        ),
      );
      expect(new Set(answers.map((answer) => `${answer.status} ${JSON.stringify(answer.body)}`)).size).toBe(1);
      expect(await counters(body.scope_id)).toMatchObject({ next_seq: 1, documents: 1 });
    }
  });

  it.each([
    ['another text', { text: 'Other text.' }],
    ['another name', { name: 'Other' }],
    ['a document_id', { document_id: 'd' }],
    ['another scope', { scope_id: 'another-scope' }],
  ])('with %s is 422, names the first document to the tenant, and changes nothing', async (name, change) => {
    const body = { ...document, scope_id: newScope(), idempotency_key: `reused ${name}` };
    const first = await ingest(body);
    const answer = await ingest({ ...body, ...change });
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const { tenantId, key: tenantKey } = tenant;
    const told = await call('POST', '/api/ingest', { tenantId, tenantKey, body: { ...body, ...change } });
    expect(told.body.detail).toContain(first.body.document_id);
    expect(await counters(body.scope_id)).toMatchObject({ next_seq: 1, queued: 1, documents: 1 });
    expect((await ingest(body)).status).toBe(202);
  });

  it('with another body in the same moment: one is accepted, the other 422', async () => {
    const scope_id = newScope();
    const answers = await Promise.all(
      ['A', 'B'].map((text) => ingest({ ...document, scope_id, text, idempotency_key: 'same moment' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
  });

  it('of another tenant or on another route is another key', async () => {
    const other = await service.newTenant();
    const body = { ...document, scope_id: newScope(), idempotency_key: 'mine' };
    await ingest(body);
    const answer = await ingest(body, other.tenantId);
    expect([answer.status, answer.headers.has('idempotency-replayed')]).toEqual([202, false]);
    expect((await call('POST', '/api/documents', { tenantId: tenant.tenantId, body })).status).toBe(422);
  });

  it('is bound to the document that a repeat finds, and outlives a newer version', async () => {
    const scope_id = newScope();
    const a = { ...document, scope_id, document_id: 'd', text: 'A' };
    await ingest(a);
    const bound = await ingest({ ...a, idempotency_key: 'late key' });
    expect(bound.body.seq).toBe(0);
    await ingest({ ...a, text: 'B' });
    const replayed = await ingest({ ...a, idempotency_key: 'late key' });
    expect([replayed.body.seq, replayed.headers.get('idempotency-replayed')]).toEqual([0, 'true']);
    expect(await counters(scope_id)).toMatchObject({ next_seq: 2 });
  });

  it('dies with its document and with its scope', async () => {
    const body = { ...document, scope_id: newScope(), document_id: 'd', idempotency_key: 'mortal' };
    await ingest(body);
    const path = `/api/documents/d?scope_id=${body.scope_id}`;
    expect((await call('DELETE', path, { tenantKey: tenant.key })).status).toBe(204);
    const second = await ingest(body);
    expect([second.body.seq, second.headers.has('idempotency-replayed')]).toEqual([1, false]);
    await call('DELETE', `/admin/scopes/${body.scope_id}`, { key: service.admin, tenantKey: tenant.key });
    const third = await ingest(body);
    expect([third.body.seq, third.headers.has('idempotency-replayed')]).toEqual([0, false]);
  });
});

describe('400', () => {
  it.each([
    [{ scope_id: undefined }, 'body/scope_id'],
    [{ scope_id: 'UPPER' }, 'body/scope_id'],
    [{ scope_id: 'x'.repeat(121) }, 'body/scope_id'],
    [{ name: '' }, 'body/name'],
    [{ name: 'x'.repeat(501) }, 'body/name'],
    [{ type: 'x'.repeat(51) }, 'body/type'],
    [{ text: '' }, 'body/text'],
    [{ text: undefined }, 'body/text'],
    [{ text: 5 }, 'body/text'],
    [{ text: 'x'.repeat(100_001) }, 'body/text'],
    [{ text: '🙂'.repeat(100_001) }, 'body/text'],
    [{ document_id: '' }, 'body/document_id'],
    [{ document_id: 'x'.repeat(201) }, 'body/document_id'],
    [{ document_id: null }, 'body/document_id'],
    [{ source: '' }, 'body/source'],
    [{ source: 'x'.repeat(501) }, 'body/source'],
    [{ idempotency_key: '' }, 'body/idempotency_key'],
    [{ idempotency_key: 'x'.repeat(201) }, 'body/idempotency_key'],
    [{ provenance: 'x' }, 'body/provenance'],
    [{ text: 'a\0b' }, 'body/text'],
    [{ name: '\ud800' }, 'body/name'],
    [{ idempotency_key: '\udc00x' }, 'body/idempotency_key'],
  ])('refuses %j', async (change, path) => {
    const answer = await ingest({ ...document, ...change });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path }] } });
  });

  it('takes every field at its bound', async () => {
    const answer = await ingest({
      scope_id: 'x'.repeat(120),
      name: '🙂'.repeat(500),
      type: '',
      text: 'x',
      document_id: '🙂'.repeat(200),
      source: 'x'.repeat(500),
      idempotency_key: '🙂'.repeat(200),
    });
    expect(answer.status).toBe(202);
  });
});

describe('503', () => {
  it('in the time of one answer, though the tenant and the document are each waited for', async () => {
    const [ANSWER_MS, HELD_MS] = [6000, 4500];
    const slow = await startTestService({ settings: { HANDLER_TIMEOUT_MS: `${ANSWER_MS}` } });
    const { tenantId } = await slow.newTenant();
    const [tenants, documents] = [await lockTable(slow.db, 'tenants'), await lockTable(slow.db, 'documents')];
    const began = performance.now();
    const answer = slow.call('POST', '/api/ingest', { tenantId, body: document });
    setTimeout(tenants, HELD_MS);
    expect((await answer).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(HELD_MS + ANSWER_MS);
    await documents();
  });
});

describe('413', () => {
  it('for a body of 4 MB, and for a batch of 9 MB', async () => {
    expect((await ingest({ ...document, text: 'x'.repeat(4_000_000) })).status).toBe(413);
    const documents = [{ ...document, text: 'x'.repeat(9_000_000) }];
    expect((await call('POST', '/api/ingest/batch', { tenantId: tenant.tenantId, body: { documents } })).status).toBe(
      413,
    );
  });
});

describe('POST /api/ingest/batch', () => {
  const batch = (documents: unknown[]) =>
    call('POST', '/api/ingest/batch', { tenantId: tenant.tenantId, body: { documents } });

  it('answers each item by itself, in order, and one bad item does not sink the rest', async () => {
    const scope_id = newScope();
    const { status, body } = await batch([
      { ...document, scope_id, text: 'first' },
      { ...document, scope_id, text: '' },
      { ...document, scope_id, text: 'a\0' },
      'nonsense',
      { ...document, scope_id, text: 'second', idempotency_key: 'of batch' },
      { ...document, scope_id, text: 'third', idempotency_key: 'of batch' },
    ]);
    expect([status, body.accepted, body.rejected]).toEqual([202, 2, 4]);
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([202, 400, 400, 400, 202, 422]);
    expect(body.results[1].error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body/text' }] });
    expect(body.results.flatMap((result: { document?: { seq: number } }) => result.document?.seq ?? [])).toEqual([
      0, 1,
    ]);
    expect(await counters(scope_id)).toMatchObject({ next_seq: 2, queued: 2 });
  });

  it('takes a hundred, and neither none nor a hundred and one', async () => {
    const scope_id = newScope();
    expect((await batch(Array(100).fill({ ...document, scope_id }))).body.results).toHaveLength(100);
    expect((await batch([])).status).toBe(400);
    expect((await batch(Array(101).fill(document))).status).toBe(400);
  });

  it('keeps the order of one document’s versions', async () => {
    const scope_id = newScope();
    const versions = ['A', 'B', 'B', 'A'].map((text) => ({ ...document, scope_id, document_id: 'd', text }));
    const { body } = await batch(versions);
    expect(body.results.map((result: { document: { seq: number } }) => result.document.seq)).toEqual([0, 1, 1, 2]);
  });
});
