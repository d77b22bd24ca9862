import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const acme = await service.newTenant('Acme');
const other = await service.newTenant('Other');
const create = (body?: unknown, tenantKey = acme.key) => call('POST', '/admin/scopes', { key: admin, tenantKey, body });

describe('201', () => {
  it('creates a scope', async () => {
    const { status, body } = await create({ scope_id: 'contracts-2026', name: 'Contracts' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scope_id: 'contracts-2026', name: 'Contracts', state: 'running' });
  });

  it('makes an id when none is given, with or without a body', async () => {
    for (const body of [undefined, {}, '', { name: 'Named' }]) {
      const answer = await create(body);
      expect(answer.status).toBe(201);
      expect(answer.body.scope_id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
      expect(answer.body.name).toBe((body as { name?: string })?.name ?? answer.body.scope_id);
    }
  });

  it.each(['0', 'a', 'a-', '9-9', 'x'.repeat(120)])('takes the id %s', async (scope_id) => {
    expect((await create({ scope_id })).status).toBe(201);
  });

  it('gives two tenants the same id without their meeting', async () => {
    expect((await create({ scope_id: 'shared', name: 'of Acme' })).status).toBe(201);
    expect((await create({ scope_id: 'shared', name: 'of Other' }, other.key)).status).toBe(201);
    const { body } = await call('GET', '/admin/scopes', { key: admin, tenantKey: other.key });
    expect(body.scopes.map((scope: { name: string }) => scope.name)).toEqual(['of Other']);
  });
});

describe('200', () => {
  it('lists in order of ids, page by page', async () => {
    const { key } = await service.newTenant();
    const ids = ['b', 'a-1', 'a', 'c', 'a1'];
    for (const scope_id of ids) await create({ scope_id }, key);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/admin/scopes?limit=2${cursor && `&cursor=${cursor}`}`, {
        key: admin,
        tenantKey: key,
      });
      seen.push(...body.scopes.map((scope: { scope_id: string }) => scope.scope_id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(['a', 'a-1', 'a1', 'b', 'c']);
  });
});

describe('400', () => {
  it.each(['', '-a', 'A', 'a_b', 'a b', 'é', 'a\n', 'x'.repeat(121)])('refuses the id %j', async (scope_id) => {
    const { status, body } = await create({ scope_id });
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('body/scope_id');
  });

  it('asks for the tenant key', async () => {
    const { status, body } = await call('GET', '/admin/scopes', { key: admin });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'headers/x-tenant-api-key', message: 'is required' }]);
  });
});

describe('401', () => {
  it('does not take an operator key for a tenant key', async () => {
    expect((await create({}, admin)).status).toBe(401);
  });
});

describe('409', () => {
  it('refuses an id that is taken, and 20 at once make one scope', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ scope_id: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });
});
