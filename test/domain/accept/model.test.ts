/** Random histories of posts, repeats, reads and deletions, several at a time, against the real service and the model. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { initial, type Operation, type Seen, type State, together } from './model.ts';

const RUNS = 1000;
const service = await startTestService();
const { call, admin } = service;

const scope = fc.constantFrom('one', 'two');
const id = fc.constantFrom('a', 'b');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constantFrom('ingest' as const, 'ingest' as const, 'store' as const),
      scope,
      id: fc.option(id),
      text: fc.constantFrom('x', 'y'),
      key: fc.option(fc.constantFrom('k', 'l')),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), scope, id }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), scope, id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete scope' as const), scope }) },
);
/** What happens at the same time; four have 24 orders, and more would find no more. */
const moments = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

type Tenant = { tenantId: string; key: string };

async function perform({ tenantId, key }: Tenant, operation: Operation): Promise<Seen> {
  const { kind, scope } = operation;
  if (kind === 'delete scope') return call('DELETE', `/admin/scopes/${scope}`, { key: admin, tenantKey: key });
  if (kind === 'read' || kind === 'delete') {
    const method = kind === 'read' ? 'GET' : 'DELETE';
    const { status, body } = await call(method, `/api/documents/${operation.id}?scope_id=${scope}`, { tenantKey: key });
    return kind === 'read' && status === 200
      ? { status, seq: body.seq, version: body.version, state: body.state }
      : { status };
  }
  const { id, text, key: idempotency } = operation;
  const { status, headers, body } = await call('POST', kind === 'ingest' ? '/api/ingest' : '/api/documents', {
    tenantId,
    body: {
      scope_id: scope,
      name: 'n',
      text,
      ...(id && { document_id: id }),
      ...(idempotency && { idempotency_key: idempotency }),
    },
  });
  return { status, seq: body.seq, id: body.document_id, replayed: headers.get('idempotency-replayed') === 'true' };
}

/** What an operator can list, and what the counters say, in the model's own form. */
async function readAll({ tenantId, key }: Tenant) {
  const { rows } = await service.db.query<{ scope_id: string; next: number; pending: number; queued: number }>(
    'select scope_id, next_seq::float8 as next, pending::float8, queued::float8 from scopes where tenant_id = $1 order by scope_id',
    [tenantId],
  );
  return Promise.all(
    rows.map(async (row) => {
      const { body } = await call('GET', `/admin/scopes/${row.scope_id}/documents`, { key: admin, tenantKey: key });
      const documents = body.documents.map((document: Record<string, unknown>) => [
        document.document_id,
        document.version,
        document.seq,
        document.state,
      ]);
      return { ...row, documents };
    }),
  );
}

function asRead({ scopes }: State) {
  return Object.entries(scopes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([scope_id, { next, documents }]) => ({
      scope_id,
      next,
      pending: documents.filter(({ state }) => state === 'pending').length,
      queued: documents.filter(({ state }) => state === 'queued').length,
      documents: documents.map(({ id, version, seq, state }) => [id, version, seq, state]),
    }));
}

it(`agrees with the model over ${RUNS} histories`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(moments, async (history) => {
      const tenant = await service.newTenant();
      let states: State[] = [initial];
      for (const operations of history) {
        const done = await Promise.all(
          operations.map(async (operation) => ({ operation, seen: await perform(tenant, operation) })),
        );
        states = together(states, done);
        expect(states.length, `no order explains ${JSON.stringify(done)}`).toBeGreaterThan(0);
      }
      expect(states.map(asRead)).toContainEqual(await readAll(tenant));
    }),
    { numRuns: RUNS },
  );
});

it('would see a difference: the model refuses what cannot be', () => {
  const post = { kind: 'ingest', scope: 'one', id: 'a', text: 'x', key: null } as const;
  const seen = (seq: number) => ({ status: 202, seq, replayed: false, id: 'a' });
  const first = together([initial], [{ operation: post, seen: seen(0) }]);
  expect(first).toHaveLength(1);
  expect(together(first, [{ operation: post, seen: seen(1) }])).toEqual([]);
  expect(together(first, [{ operation: { ...post, text: 'y' }, seen: seen(2) }])).toEqual([]);
  expect(together(first, [{ operation: { kind: 'read', scope: 'one', id: 'a' }, seen: { status: 404 } }])).toEqual([]);
});
