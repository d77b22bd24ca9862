/** Nine bugs that this service must not have, and by which of its objections the oracle is to catch each. */
import type { Objection } from '../oracle/verdict.ts';
import { freezeWorker } from '../scenarios/05-freeze-worker.ts';
import type { Scenario } from '../siege.ts';
import type { Edit } from './copy.ts';
import { calm, changing, hammer, redisGone } from './strikes.ts';

export interface Bug {
  name: string;
  what: string;
  edits: Edit[];
  /** The shortest that shows it. */
  strike: Pick<Scenario, 'run' | 'backends' | 'processes'>;
  /** One of these at least. */
  caughtBy: Objection[];
}

export const bugs: Bug[] = [
  {
    name: 'answer-before-commit',
    what: 'the answer before the commit',
    strike: hammer,
    caughtBy: ['lost'],
    edits: [
      {
        file: 'src/storage/database.ts',
        find: 'const rows = await withClient(async (client) => {',
        replace: `const { promise: early, resolve: answer } = Promise.withResolvers<Row[]>();
        const late = withClient(async (client) => {`,
      },
      {
        file: 'src/storage/database.ts',
        find: 'return (await client.run<Row>(statement, values)).rows;\n        });',
        replace: `await client.query('begin');
          try {
            const { rows } = await client.run<Row>(statement, values);
            answer(rows);
            await client.query('commit');
            return rows;
          } catch (error) {
            // The connection is used again.
            await client.query('rollback').catch(() => {});
            throw error;
          }
        });
        late.catch(() => {});
        const rows = await Promise.race([early, late]);`,
      },
    ],
  },
  {
    name: 'no-fence',
    what: 'a batch without its fence',
    strike: freezeWorker,
    caughtBy: ['events', 'claims', 'counters'],
    // The fence is of two parts, and has rows behind it of which there is one: the reading of a document and the point of a number.
    // All of them.
    edits: [
      {
        file: 'src/storage/functions/settle_lanes.sql',
        find: 'where scope_key = any (locked) and holder = worker and epoch = its_epoch and ready_at > settled_at for update);',
        replace: 'where scope_key = any (locked) for update);',
      },
      {
        file: 'src/storage/functions/settle_lanes.sql',
        find: 'where p.lane = any (leased) and (p.revision is null or p.revision = its.revision));',
        replace: 'where p.lane = any (leased));',
      },
      {
        file: 'src/storage/functions/write_readings.sql',
        find: 'where r.lane = any (settling);',
        replace: 'where r.lane = any (settling) on conflict do nothing;',
      },
      {
        file: 'src/storage/functions/write_points.sql',
        find: 'where p.lane = any (settling) and p.status is not null order by 1;',
        replace: 'where p.lane = any (settling) and p.status is not null order by 1 on conflict do nothing;',
      },
      {
        file: 'src/storage/lanes.ts',
        find: 'where scope_key = any ($1) and holder = $2 and epoch = $3 and ready_at > clock_timestamp()`',
        replace: 'where scope_key = any ($1) and $2::text is not null and $3::bigint is not null`',
      },
    ],
  },
  {
    name: 'seq-from-sequence',
    what: 'seq from a sequence',
    strike: hammer,
    caughtBy: ['gaps'],
    edits: [
      {
        file: 'src/storage/functions/add_to_scopes.sql',
        find: 'create or replace function add_to_scopes(',
        replace: `create or replace function take_numbers(scope bigint, n int) returns bigint language plpgsql as $$
declare first bigint;
begin
  execute format('create sequence if not exists numbers_%s minvalue 0', scope);
  select min(nextval(format('numbers_%s', scope))) into first from generate_series(1, n);
  return first;
end $$;
create or replace function add_to_scopes(`,
      },
      {
        file: 'src/storage/functions/add_to_scopes.sql',
        find: 's.next_seq - a.documents as first',
        replace: 'take_numbers(s.scope_key, a.documents::int) as first',
      },
      {
        file: 'src/domain/accept/flush-any.ts',
        find: 'const { scopes, created, refused } = await lockScopes(tx, wanted, options);',
        replace: `const { scopes, created, refused } = await lockScopes(tx, wanted, options);
    for (const scope of scopes.values()) {
      const n = wanted.filter(({ submission: s }) => s.tenantId === scope.tenant_id && s.scopeId === scope.scope_id).length;
      const { rows } = await tx.query<any>('select take_numbers($1, $2)::float8 as first', [scope.scope_key, n]);
      scope.next_seq = rows[0].first;
    }`,
      },
    ],
  },
  {
    name: 'event-outside',
    what: 'an event written outside the transaction',
    strike: hammer,
    caughtBy: ['events'],
    edits: [
      {
        file: 'src/storage/functions/accept_new_documents_traced.sql',
        find: 'as e (seq, id, trace)));',
        replace: 'as e (seq, id, trace) where false));',
      },
      {
        file: 'src/domain/accept/flush-new.ts',
        find: "import { newDocumentId } from '../ids.ts';",
        replace: "import { newDocumentId } from '../ids.ts';\nimport { appendEvents } from '../../events/log.ts';",
      },
      {
        file: 'src/domain/accept/flush-new.ts',
        find: 'const placed = await store(db, { wanted, rows }, patienceMs);',
        replace: `const placed = await store(db, { wanted, rows }, patienceMs);
  const events = rows.flatMap(({ at, document_id, state }, n) => {
    const { tenant_id, scope_id } = wanted[at - 1] as any;
    const seq = placed?.seqs[n] ?? null;
    const payload = { document_id, version: 1, seq: seq as number };
    const type = state === 'queued' ? ('document.queued' as const) : ('document.accepted' as const);
    return seq === null ? [] : [{ type, tenant_id, scope_id, payload }];
  });
  if (events.length > 0) await db.transaction((tx) => appendEvents(tx, events));`,
      },
    ],
  },
  {
    name: 'tenant-missing',
    what: 'a tenant missing in a where',
    strike: calm,
    caughtBy: ['lost', 'phantom'],
    edits: [
      {
        file: 'src/storage/scopes.ts',
        find: 'generation from scopes\n    where tenant_id = $1 and scope_id = $2 and',
        replace: 'generation from scopes\n    where $1::text is not null and scope_id = $2 and',
      },
    ],
  },
  {
    name: 'not-superseded',
    what: 'a new version that leaves the older ones as they were',
    strike: changing,
    caughtBy: ['stuck', 'events'],
    edits: [
      {
        file: 'src/domain/settle/plan.ts',
        find: 'older: older.filter((version) => !settled.has(version.seq) && isBelow(version)),',
        replace: 'older: [],',
      },
    ],
  },
  {
    name: 'index-before-commit',
    what: 'an index that is changed before the commit',
    strike: changing,
    caughtBy: ['counters'],
    edits: [
      {
        file: 'src/domain/settle/settle.ts',
        find: 'const done = await updateLanesSettled(',
        replace: `for (const { lane, writes } of planned)
    keepUp(lane.work.index, { ...writes, revision: writes.revision === null ? null : writes.revision - 1 });
  const done = await updateLanesSettled(`,
      },
    ],
  },
  {
    name: 'reset-without-fence',
    what: 'a reset that leaves its lane to whoever holds it, and the revision',
    strike: changing,
    caughtBy: ['stuck', 'counters', 'events'],
    edits: [
      {
        file: 'src/domain/scopes.ts',
        find: 'await deleteLane(tx, scope.scope_key);',
        replace: '',
      },
      // The revision is a second fence, which only the first batch of a scope passes, and the numbers of points are a third one.
      {
        file: 'src/storage/scopes.ts',
        find: "generation = generation + 1, convergence = 'empty', revision = 0, removed_at = 0,",
        replace: "generation = generation + 1, convergence = 'empty', removed_at = 0,",
      },
      {
        file: 'src/storage/functions/write_points.sql',
        find: 'where p.lane = any (settling) and p.status is not null order by 1;',
        replace: 'where p.lane = any (settling) and p.status is not null order by 1 on conflict do nothing;',
      },
    ],
  },
  {
    name: 'no-sweeper',
    what: 'a sweeper that never runs',
    strike: redisGone,
    caughtBy: ['stuck'],
    edits: [
      {
        file: 'src/runtime/sweeper.ts',
        find: 'const ready = await listReadyLanesAcrossTenants(db, nudges);',
        replace: 'return;\n    const ready = await listReadyLanesAcrossTenants(db, nudges);',
      },
    ],
  },
];
