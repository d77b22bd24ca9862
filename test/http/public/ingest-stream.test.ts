/** POST /api/ingest/stream: what becomes of lines, good and bad, and what is answered to them. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSending, sendLines } from '../../support/ingest-stream.ts';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, url, admin } = service;
const { tenantId, key } = await service.newTenant();
const own = { tenantId, tenantKey: key };
const document = (n: number | string, more: object = {}) => ({
  scope_id: 'streamed',
  name: `Note ${n}`,
  text: `It is ${n}.`,
  document_id: `note-${n}`,
  ...more,
});
const stored = async (scope: string) =>
  (await call('GET', `/api/scopes/${scope}/documents?limit=200`, { tenantKey: key })).body.documents;
const statuses = (answers: { status?: number }[]) => answers.flatMap(({ status }) => status ?? []);
const send = (query: string, ...lines: (object | string | Buffer)[]) => sendLines(url, { ...own, query }, ...lines);

describe('200', () => {
  it('answers each line in order with what POST /api/ingest answers, and the last line counts them', async () => {
    const lines = [1, 2, 3].map((n) => document(n, { scope_id: 'plain', provenance: `sha256:${n}` }));
    const answers = await send('', ...lines);
    expect(answers).toHaveLength(4);
    for (const [at, answer] of answers.slice(0, 3).entries())
      expect(answer).toEqual({
        line: at + 1,
        status: 202,
        document: {
          scope_id: 'plain',
          name: `Note ${at + 1}`,
          type: 'txt',
          document_id: `note-${at + 1}`,
          idempotency_key: null,
          queued: true,
          seq: at,
          integration_version: 'v1',
          message: 'Queued for processing.',
        },
      });
    expect(answers[3]).toEqual({ through: 3, accepted: 3, rejected: 0, skipped: 0, done: true });
    expect(await stored('plain')).toMatchObject([1, 2, 3].map((n) => ({ provenance: `sha256:${n}`, state: 'queued' })));
  });

  it('answers while it is sent to', async () => {
    const sending = openSending(url, own);
    for (let n = 1; n <= 3; n++) {
      await sending.send(document(n, { scope_id: 'to-and-fro' }));
      expect((await sending.got(n))[n - 1]).toMatchObject({ line: n, status: 202 });
    }
    sending.end();
    expect((await sending.all()).at(-1)).toMatchObject({ through: 3, done: true });
  });

  it('takes a last line without a newline, other ends of lines, and blank lines, which count and are not answered', async () => {
    const [one, two] = [1, 2].map((n) => JSON.stringify(document(n, { scope_id: 'ends' })));
    const answers = await send('', `${one}\r\n\n \t\r\n${two}`);
    expect(answers.map(({ line, through }) => line ?? through)).toEqual([1, 4, 4]);
    expect(answers.at(-1)).toMatchObject({ accepted: 2, done: true });
  });

  it('says of an empty body that it was one', async () => {
    expect(await send('')).toEqual([{ through: 0, accepted: 0, rejected: 0, skipped: 0, done: true }]);
    const { status, body } = await call('POST', '/api/ingest/stream', { tenantId });
    expect([status, JSON.parse(body)]).toEqual([200, { through: 0, accepted: 0, rejected: 0, skipped: 0, done: true }]);
  });

  it('says the first answer again to the same key, and stores nothing twice', async () => {
    const lines = [1, 2, 3].map((n) => ({ scope_id: 'again', name: `${n}`, text: 't', idempotency_key: `again-${n}` }));
    const first = await send('', ...lines);
    const second = await send('', ...lines, lines[0] as object);
    expect(second.slice(0, 3)).toEqual(first.slice(0, 3).map((answer) => ({ ...answer, replayed: true })));
    expect(second[3]).toEqual({ ...first[0], line: 4, replayed: true });
    expect(await stored('again')).toHaveLength(3);
    const other = await send('', { ...lines[0], text: 'other' });
    expect(other[0]).toMatchObject({ line: 1, status: 422, error: { code: 'idempotency_key_reused' } });
  });

  it('keeps the versions of one document in their order', async () => {
    const versions = Array.from({ length: 20 }, (_item, n) =>
      document('same', { scope_id: 'versions', text: `Version ${n}.` }),
    );
    const answers = await send('', ...versions);
    expect(statuses(answers)).toEqual(Array(20).fill(202));
    const { body } = await call('GET', '/api/documents/note-same/text?scope_id=versions', { tenantKey: key });
    expect(body).toMatchObject({ version: 20, text: 'Version 19.' });
  });

  it('takes gzip, in several members, too', async () => {
    const lines = (from: number) => [from, from + 1].map((n) => JSON.stringify(document(n, { scope_id: 'packed' })));
    const packed = Buffer.concat([1, 3].map((from) => gzipSync(`${lines(from).join('\n')}\n`)));
    const answers = await sendLines(url, { ...own, headers: { 'content-encoding': 'gzip' } }, packed);
    expect(answers.at(-1)).toMatchObject({ through: 4, accepted: 4, done: true });
    expect(await stored('packed')).toHaveLength(4);
  });
});

describe('a line that is wrong', () => {
  it.each<[string, object | string | Buffer, number, string]>([
    ['no JSON', '{"name": \n', 400, 'malformed_json'],
    ['no object', '[1]\n', 400, 'validation_failed'],
    ['nothing but null', 'null\n', 400, 'validation_failed'],
    ['without a name', { scope_id: 'wrong', text: 't' }, 400, 'validation_failed'],
    ['without a scope', { name: 'n', text: 't' }, 400, 'validation_failed'],
    ['with an unknown member', { ...document(1), extra: 1 }, 400, 'validation_failed'],
    ['with a kind that is no text', { ...document(1), kind: 7 }, 400, 'validation_failed'],
    ['with half a character', '{"scope_id":"wrong","name":"n","text":"\\ud800"}\n', 400, 'validation_failed'],
    ['of many values', { ...document(1), extra: Array(100).fill({}) }, 400, 'validation_failed'],
    ['with a name of many bytes', { ...document(1), ['x'.repeat(1001)]: 1 }, 400, 'validation_failed'],
    ['with a text that is too long', document(1, { text: 'x'.repeat(100_001) }), 400, 'validation_failed'],
    ['longer than a line may be', document(1, { text: 'x'.repeat(2_200_000) }), 413, 'payload_too_large'],
    [
      'that is not UTF-8',
      Buffer.from('{"scope_id":"wrong","name":"\xff","text":"t"}\n', 'latin1'),
      400,
      'malformed_json',
    ],
  ])('costs that line: %s', async (_name, line, status, code) => {
    const [before, after] = [document('a', { scope_id: 'around' }), document('b', { scope_id: 'around' })];
    const answers = await send('', before, line, after);
    expect(statuses(answers)).toEqual([202, status, 202]);
    expect(answers[1]).toMatchObject({ line: 2, error: { code, status } });
    expect(answers[3]).toEqual({ through: 3, accepted: 2, rejected: 1, skipped: 0, done: true });
  });

  it('names the field', async () => {
    const [answer] = await send('', { scope_id: 'Not A Scope', name: '', text: 't' });
    expect(answer.error.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'body/name',
      'body/scope_id',
    ]);
  });

  it('is out of reach for a key that is limited to other scopes', async () => {
    const limited = await service.newTenant();
    const { body } = await call('POST', `/admin/tenants/${limited.tenantId}/keys`, {
      key: admin,
      body: { scope_ids: ['mine'] },
    });
    const as = { tenantId: limited.tenantId, tenantKey: body.api_key };
    const answers = await sendLines(url, as, document(1, { scope_id: 'mine' }), document(2, { scope_id: 'theirs' }));
    expect(statuses(answers)).toEqual([202, 404]);
    const refused = openSending(url, { ...as, query: 'scope_id=theirs' });
    await refused.send(document(1));
    expect([await refused.got(1).then(() => refused.status()), refused.answers[0].code]).toEqual([404, 'not_found']);
  });
});

describe('a scope in the address', () => {
  it('is that of every line that names none; another one is wrong', async () => {
    const plain = { name: 'n', text: 't' };
    const answers = await send(
      'scope_id=named',
      plain,
      { ...plain, scope_id: 'named' },
      { ...plain, scope_id: 'other' },
    );
    expect(statuses(answers)).toEqual([202, 202, 400]);
    expect(answers[2].error.errors[0].path).toBe('body/scope_id');
    expect(await stored('named')).toHaveLength(2);
  });
});

describe('an export', () => {
  const exported = (n: number, more: object = {}) => ({
    kind: 'document',
    ...document(n, { scope_id: 'elsewhere' }),
    version: 3,
    seq: 7,
    source: null,
    provenance: `p-${n}`,
    state: 'processed',
    ...more,
  });

  it('is taken into the scope that the address names; what is no document is skipped', async () => {
    const answers = await send(
      'scope_id=taken-in',
      exported(1),
      { kind: 'claim', whatever: 1 },
      { kind: 'cursor', cursor: 'x' },
      exported(2, { type: 'md' }),
      { kind: 'end', counts: {} },
    );
    expect(statuses(answers)).toEqual([202, 204, 204, 202, 204]);
    expect(answers[1]).toEqual({ line: 2, status: 204, skipped: 'claim' });
    expect(answers.at(-1)).toEqual({ through: 5, accepted: 2, rejected: 0, skipped: 3, done: true });
    expect(await stored('taken-in')).toMatchObject([
      { document_id: 'note-1', version: 1, seq: 0, provenance: 'p-1', type: 'txt', source: null },
      { document_id: 'note-2', version: 1, seq: 1, provenance: 'p-2', type: 'md', source: null },
    ]);
  });

  it('goes to its own scope without one in the address', async () => {
    expect(statuses(await send('', exported(3)))).toEqual([202]);
    expect(await stored('elsewhere')).toMatchObject([{ document_id: 'note-3' }]);
  });

  it('without texts is refused with a hint; an entry of a register, which has none, is registered', async () => {
    const { text: _text, ...without } = exported(1);
    const answers = await send('scope_id=register', without, exported(2, { text: null }));
    expect(statuses(answers)).toEqual([400, 201]);
    expect(answers[0].error.detail).toContain('include=documents,texts');
    expect(answers[1].document).toMatchObject({ document_id: 'note-2', state: 'pending', version: 1 });
    const { body } = await call('GET', '/api/documents/note-2/text?scope_id=register', { tenantKey: key });
    expect(body.text).toBe(null);
  });
});

describe('answers=errors', () => {
  it('has the errors alone, and how far it came after each thousand lines', async () => {
    const lines = Array.from({ length: 2500 }, (_item, n) => (n === 1499 ? '{\n' : document(n, { scope_id: 'many' })));
    const answers = await send('answers=errors', ...lines);
    expect(answers).toMatchObject([
      { through: 1000 },
      { line: 1500, status: 400 },
      { through: 2000 },
      { through: 2500, accepted: 2499, rejected: 1, done: true },
    ]);
    const { body } = await call('GET', '/api/scopes/many/summary', { tenantKey: key });
    expect(body.documents.queued).toBe(2499);
  });
});

describe('refused as a whole', () => {
  const refuse = async (headers: Record<string, string>, query = '') => {
    const response = await fetch(`${url}/api/ingest/stream?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'x-tenant-id': tenantId, ...headers },
      body: '{}\n',
    });
    return [response.status, ((await response.json()) as { code: string }).code];
  };

  it('401 without a tenant, and with the key of another', async () => {
    expect(await refuse({ 'x-tenant-id': 'ten_nobody' })).toEqual([401, 'unauthorized']);
    expect(await refuse({ 'x-tenant-api-key': (await service.newTenant()).key })).toEqual([401, 'unauthorized']);
  });
  it('403 with a key that may not ingest', async () => {
    const reader = (await service.newTenant()).tenantId;
    const keys = `/admin/tenants/${reader}/keys`;
    const { body } = await call('POST', keys, { key: admin, body: { permissions: ['read'] } });
    const headers = { 'x-tenant-id': reader, 'x-tenant-api-key': body.api_key };
    expect(await refuse(headers)).toEqual([403, 'forbidden']);
  });
  it('415 for another type', async () =>
    expect(await refuse({ 'content-type': 'application/json' })).toEqual([415, 'unsupported_media_type']));
  it('400 for another encoding, an unknown parameter, and an idempotency key for all', async () => {
    for (const [headers, query] of [
      [{ 'content-encoding': 'br' }, ''],
      [{}, 'nonsense=1'],
      [{}, 'answers=some'],
      [{ 'idempotency-key': 'one' }, ''],
    ] as [Record<string, string>, string][])
      expect(await refuse(headers, query)).toEqual([400, 'validation_failed']);
  });
  it('405 for another method', async () =>
    expect((await call('GET', '/api/ingest/stream', { tenantId })).status).toBe(405));
});
