import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
let scopes = 0;
const newScope = () => `scope-${scopes++}`;
const claims = { claim_a: 'It is three years.', claim_b: 'It is five years.' };
const report = (body: object) => call('POST', '/api/contradictions', { tenantId: tenant.tenantId, body });
const decide = (scopeId: string, id: string, body: object, tenantKey = tenant.key) =>
  call('PATCH', `/admin/scopes/${scopeId}/contradictions/${id}`, { key: admin, tenantKey, body });
const decision = { status: 'resolved', resolution: 'The later one holds.', resolved_by: 'me' };

describe('201 and 200', () => {
  it('records a pair once, in either order, with what was left out filled in', async () => {
    const scope_id = newScope();
    const first = await report({ scope_id, ...claims, source_a: 'lease', document_ids: ['d'] });
    expect(first).toMatchObject({
      status: 201,
      body: {
        scope_id,
        ...claims,
        source_a: 'lease',
        source_b: null,
        severity: 'medium',
        status: 'open',
        origin: 'reported',
        document_ids: ['d'],
      },
    });
    const swapped = { scope_id, claim_a: claims.claim_b, claim_b: claims.claim_a };
    const { tenantId, key } = tenant;
    const again = await call('POST', '/api/contradictions', { tenantId, tenantKey: key, body: swapped });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await report({ scope_id: newScope(), ...claims })).status).toBe(201);
  });

  it('twenty at once are one record, counted once', async () => {
    const scope_id = newScope();
    const answers = await Promise.all(Array.from({ length: 20 }, () => report({ scope_id, ...claims })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    const { rows } = await service.db.query('select contradictions_open::int as open from scopes where scope_id = $1', [
      scope_id,
    ]);
    expect(rows).toEqual([{ open: 1 }]);
  });

  it('lists by status, page by page, for the tenant and for operators', async () => {
    const scope_id = newScope();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await report({ scope_id, claim_a: `a${i}`, claim_b: `b${i}` })).body.id);
    await decide(scope_id, ids[0] as string, decision);
    const list = async (path: string, tenantKey = tenant.key) =>
      (await call('GET', path, { key: admin, tenantKey })).body;
    const page = await list(`/api/contradictions?scope_id=${scope_id}&limit=3`);
    const rest = await list(`/api/contradictions?scope_id=${scope_id}&limit=3&cursor=${page.next_cursor}`);
    expect([...page.contradictions, ...rest.contradictions].map(({ id }) => id)).toEqual(ids);
    const open = await list(`/admin/scopes/${scope_id}/contradictions?status=open`);
    expect(open.contradictions.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
  });

  it('resolves and defers with who and why, and keeps count', async () => {
    const scope_id = newScope();
    const one = (await report({ scope_id, ...claims })).body.id;
    const two = (await report({ scope_id, claim_a: 'x', claim_b: 'y' })).body.id;
    expect(await decide(scope_id, one, decision)).toMatchObject({
      status: 200,
      body: { ...decision, resolved_at: expect.any(String) },
    });
    expect((await decide(scope_id, two, { ...decision, status: 'deferred' })).body.status).toBe('deferred');
    const { rows } = await service.db.query(
      'select contradictions_open::int as open, contradictions_resolved::int as resolved, contradictions_deferred::int as deferred from scopes where scope_id = $1',
      [scope_id],
    );
    expect(rows).toEqual([{ open: 0, resolved: 1, deferred: 1 }]);
  });
});

describe('errors', () => {
  it('409 for one more than may be open in a scope, until one is decided', async () => {
    const scope_id = newScope();
    const { id } = (await report({ scope_id, ...claims })).body;
    // As many as a tenant could report in some minutes.
    await service.db.query('update scopes set contradictions_reported = 10000 where scope_id = $1', [scope_id]);
    const more = { scope_id, claim_a: 'a', claim_b: 'b' };
    expect(await report(more)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await report({ scope_id, ...claims })).status).toBe(200);
    expect((await decide(scope_id, id, decision)).status).toBe(200);
    expect((await report(more)).status).toBe(201);
    expect((await report({ ...more, claim_a: 'c' })).status).toBe(409);
  });

  it.each([
    [{ claim_a: '' }, 'body/claim_a'],
    [{ claim_b: 'x'.repeat(2001) }, 'body/claim_b'],
    [{ severity: 'high' }, 'body/severity'],
    [{ source_a: 'x'.repeat(501) }, 'body/source_a'],
    [{ document_ids: 'd' }, 'body/document_ids'],
    [{ status: 'open' }, 'body/status'],
  ])('400 for %j', async (change, path) => {
    const { status, body } = await report({ scope_id: newScope(), ...claims, ...change });
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
  });

  it('409 for one that is not open, 404 for one that is not there or is another tenant’s', async () => {
    const scope_id = newScope();
    const { id } = (await report({ scope_id, ...claims })).body;
    expect((await decide(scope_id, id, decision, other.key)).status).toBe(404);
    expect((await decide(scope_id, 'con_nothing', decision)).status).toBe(404);
    expect((await decide(scope_id, id, decision)).status).toBe(200);
    expect(await decide(scope_id, id, decision)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await call('GET', `/api/contradictions?scope_id=${scope_id}`, { tenantKey: other.key })).status).toBe(404);
  });
});
