/** The nodes table: which replicas there are, when each was last heard of, and what it said. */
import type { Queryable } from './database.ts';

/** What a node tells the others about itself. */
export interface NodeReport {
  workers: { target: number; actual: number; busy: number };
  arrival_per_s: number;
  service_per_s: number;
  utilisation: number;
  /** Batches that it has settled since it started. */
  batches: number;
}

export interface NodeRow {
  node_id: string;
  role: string;
  started_at: string;
  seen_at: string;
  silent_ms: number;
  /** Since it was last seen to have settled a batch. */
  unproductive_ms: number | null;
  report: NodeReport;
}

/** A node that was lost is remembered for so long, for operators to see. */
const REMEMBERED = '10 minutes';

/** Says that a node is alive, and forgets those that have been silent for long. */
export async function updateNodeSeen(db: Queryable, nodeId: string, role: string, report: NodeReport): Promise<void> {
  await db.query(
    `with forgotten as (delete from nodes where seen_at < now() - interval '${REMEMBERED}' and node_id <> $1)
     insert into nodes (node_id, role, report) values ($1, $2, $3)
     on conflict (node_id) do update
        set seen_at = now(), report = excluded.report,
            progressed_at = case when (excluded.report->>'batches')::int > (nodes.report->>'batches')::int then now()
                                 else nodes.progressed_at end`,
    [nodeId, role, JSON.stringify(report)],
  );
}

export async function listNodes(db: Queryable): Promise<NodeRow[]> {
  const { rows } = await db.query<NodeRow>(
    `select node_id, role, started_at, seen_at, report,
            (extract(epoch from now() - seen_at) * 1000)::float8 as silent_ms,
            (extract(epoch from now() - progressed_at) * 1000)::float8 as unproductive_ms
       from nodes order by started_at, node_id`,
  );
  return rows;
}

export async function deleteNode(db: Queryable, nodeId: string): Promise<void> {
  await db.query('delete from nodes where node_id = $1', [nodeId]);
}
