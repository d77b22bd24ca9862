/** This node among the others: says every second that it is alive, and follows what was decided for the runtime. */
import type { RuntimeState } from '../contract/runtime.ts';
import type { Queryable } from '../domain/database.ts';
import { Periodic } from '../periodic.ts';
import { deleteNode, listNodes, type NodeReport, type NodeRow, updateNodeSeen } from '../storage/nodes.ts';
import { findRuntime } from '../storage/runtime.ts';

const EVERY_MS = 1000;
/** A node that is silent for longer is lost: several of its signs of life are missing. */
const LOST_MS = 5000;

export interface NodeOptions {
  db: Queryable;
  nodeId: string;
  role: string;
  report: () => NodeReport;
  follow: (runtime: { state: RuntimeState; restarts: number }) => void;
  onError: (error: unknown) => void;
}

export class Node {
  readonly #options: NodeOptions;
  readonly #beating: Periodic;
  #isGone = false;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#beating = new Periodic({ task: () => this.#beat(), pauseMs: EVERY_MS, onError: options.onError });
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#beating.start();
  }

  async #beat(): Promise<void> {
    await this.announce();
    this.#options.follow(await findRuntime(this.#options.db));
  }

  /** Now, instead of at the next beat. */
  async announce(): Promise<void> {
    const { db, nodeId, role, report } = this.#options;
    await updateNodeSeen(db, nodeId, role, report());
    // A last beat that was slow has brought back the row of a node that has stopped meanwhile.
    if (this.#isGone) await deleteNode(db, nodeId);
  }

  async list() {
    return (await listNodes(this.#options.db)).map(describe);
  }

  async stop(): Promise<void> {
    await this.#beating.stop();
    this.#isGone = true;
    await deleteNode(this.#options.db, this.#options.nodeId);
  }
}

export const isUp = ({ silent_ms }: NodeRow) => silent_ms <= LOST_MS;

export function describe(node: NodeRow) {
  const { node_id, role, started_at, seen_at, report } = node;
  const state = isUp(node) ? ('up' as const) : ('lost' as const);
  return { node_id, role, state, started_at, seen_at, workers: report.workers };
}
