/** All that can be seen of a tenant: in the real service, and in the model. */
import type { TestService } from '../../support/service.ts';
import { type State, shown } from './model.ts';

const COUNTERS = ['registered', 'pending', 'queued', 'retrying', 'processed', 'failed', 'superseded'] as const;

/** What an operator can list, what was counted, which lanes there are, and what has happened. */
export async function readTenant(
  { db, call, admin }: TestService,
  { tenantId, key }: { tenantId: string; key: string },
) {
  const scopes = await db.query<{ scope_id: string; next: number; counted: number[]; lane: unknown }>(
    `select scope_id, next_seq::float8 as next, json_build_array(${COUNTERS.join(', ')}) as counted,
            case when lanes.scope_key is not null then json_build_object(
              'lease', case when holder is null then 'none' when ready_at > clock_timestamp() then 'live' else 'over' end,
              'ready', ready_at <= clock_timestamp(), 'claimed', claimed, 'suspects', suspects) end as lane
       from scopes left join lanes using (tenant_id, scope_id) where tenant_id = $1 order by scope_id`,
    [tenantId],
  );
  const events = await db.query<{ type: string; scope_id: string; payload: Record<string, unknown> }>(
    `select type, scope_id, payload from events where tenant_id = $1 and scope_id is not null`,
    [tenantId],
  );
  return {
    scopes: await Promise.all(
      scopes.rows.map(async (row) => {
        const path = `/admin/scopes/${row.scope_id}/documents`;
        const { body } = await call('GET', path, { key: admin, tenantKey: key });
        const documents = body.documents.map((one: Record<string, unknown>) =>
          [one.document_id, one.version, one.seq, one.state, one.attempts, one.error !== null].join(' '),
        );
        return { ...row, documents };
      }),
    ),
    events: events.rows.map(({ type, scope_id, payload }) => asEvent(type, scope_id, payload)).sort(),
  };
}

function asEvent(type: string, scope: string, payload: Record<string, unknown>): string {
  const { document_id, version, seq, versions, documents, retry_failed } = payload;
  return [type, scope, document_id, version, seq, versions, documents, retry_failed]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The same of a state of the model. */
export function readModel({ scopes, events }: State): Awaited<ReturnType<typeof readTenant>> {
  return {
    scopes: Object.entries(scopes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([scope_id, scope]) => ({
        scope_id,
        next: scope.next,
        counted: COUNTERS.map((counter) => scope.documents.filter(({ state }) => state === counter).length),
        lane: scope.lane && withoutTurn({ ...scope.lane, ready: scope.lane.ready !== null }),
        documents: scope.documents.map((one) =>
          [one.id, one.version, one.seq, shown(scope, one), one.attempts, one.error].join(' '),
        ),
      })),
    events: Object.entries(events)
      .flatMap(([event, times]) => Array<string>(times).fill(event))
      .sort(),
  };
}

/** Which turn a lane is in is counted otherwise by the service. */
function withoutTurn<Lane extends { turn: number }>({ turn: _turn, ...lane }: Lane) {
  return lane;
}
