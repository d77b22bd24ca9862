/** What Postgres knows of the whole service, as health and metrics show it: the same on every node. */
import type { Database } from '../domain/database.ts';
import { type Family, WHOLE_SERVICE } from '../figures/text.ts';
import { findLastEventId } from '../storage/events.ts';
import { findLaneLoadAcrossTenants, type LaneLoad } from '../storage/lane-load.ts';
import { listNodes, type NodeRow } from '../storage/nodes.ts';
import { findRuntime } from '../storage/runtime.ts';
import type { SchemaWatch } from '../storage/schema-watch.ts';
import { isUp } from './node.ts';

export interface ServiceState {
  runtime: Awaited<ReturnType<typeof findRuntime>>;
  nodes: NodeRow[];
  /** Why this release cannot work with the database; null when it can. */
  unfit: string | null;
  load: LaneLoad | null;
  lastEventId: number | null;
}

/** One after the other, so that it takes one connection. In a database that another release has migrated some may be missing. */
export async function readServiceState(
  db: Database,
  schema: SchemaWatch,
  onAnswered: () => void,
): Promise<ServiceState> {
  const runtime = await findRuntime(db);
  onAnswered();
  const nodes = await listNodes(db);
  const unfit = await schema.whyUnfit(db);
  const ifThere = <Figure>(asking: Promise<Figure>) =>
    asking.catch((error) => {
      if (unfit === null) throw error;
      return null;
    });
  const load = await ifThere(findLaneLoadAcrossTenants(db));
  const lastEventId = await ifThere(findLastEventId(db).then(Number));
  return { runtime, nodes, unfit, load, lastEventId };
}

export function serviceFamilies({ runtime, nodes, load }: ServiceState): Family[] {
  const gauge = (name: string, help: string, samples: Family['samples']): Family => {
    return { name, help: `${WHOLE_SERVICE}: ${help}`, type: 'gauge', samples };
  };
  const states = (values: Record<string, number>) =>
    Object.entries(values).map(([state, value]) => ({ labels: { state }, value }));
  const up = nodes.filter(isUp).length;
  const isIn = (state: string) => Number(runtime.state === state);
  return [
    ...(load
      ? [
          gauge('docket_backlog_documents', 'documents that wait to be processed', [{ value: load.backlog }]),
          gauge('docket_oldest_waiting_seconds', 'age of the oldest document that waits and is not held on purpose', [
            { value: load.oldest_age_ms / 1000 },
          ]),
          gauge(
            'docket_lanes',
            'scopes with documents to process; held: paused or stopped at any level',
            states({ in_work: load.in_work, held: load.held, waiting: load.lanes - load.in_work - load.held }),
          ),
        ]
      : []),
    gauge('docket_nodes', 'replicas', states({ up, lost: nodes.length - up })),
    gauge(
      'docket_runtime_state',
      '1 for the state that the whole runtime is in',
      states({ running: isIn('running'), paused: isIn('paused'), stopped: isIn('stopped') }),
    ),
  ];
}
