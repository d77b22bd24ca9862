/** What a document costs: read each minute of a soak, so that one that fails says what has grown. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../src/storage/embedded/postmaster.ts';
import type { Deployment } from './deployment.ts';

/** Of processor time, as Linux counts it for programs. */
const TICK_MS = 10;

interface Reading {
  documents: number;
  waiting: number;
  serviceMs: number;
  postgresMs: number;
  walBytes: number;
  wholePages: number;
  checkpoints: number;
}

export class Gauges {
  readonly #deployment: Deployment;
  #last: Reading | null = null;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** Since it was asked last, in words. */
  async read(): Promise<string> {
    const now = await this.#read();
    const last = this.#last;
    this.#last = now;
    if (!last) return '';
    const documents = now.documents - last.documents;
    const each = (name: 'serviceMs' | 'postgresMs' | 'walBytes' | 'wholePages') => (now[name] - last[name]) / documents;
    return [
      `${now.documents} documents, ${now.waiting} waiting`,
      `each ${each('serviceMs').toFixed(2)} ms of the service, ${each('postgresMs').toFixed(2)} ms of Postgres`,
      `${(each('walBytes') / 1024).toFixed(1)} KB of log, ${each('wholePages').toFixed(2)} whole pages`,
      `${now.checkpoints - last.checkpoints} checkpoints`,
    ].join('; ');
  }

  async #read(): Promise<Reading> {
    const { nodes, postgres } = this.#deployment;
    const [row] = await this.#deployment.ask(
      `select sum(next_seq)::float8 as documents, sum(queued)::float8 as waiting,
              (select wal_bytes::float8 from pg_stat_wal) as "walBytes", (select wal_fpi::float8 from pg_stat_wal) as "wholePages",
              (select num_done::float8 from pg_stat_checkpointer) as checkpoints
         from scopes`,
    );
    const postmaster = postgres.pid() ?? 0;
    const backends = childrenOf(postmaster).reduce((sum, { ticks }) => sum + ticks, 0);
    return {
      ...row,
      serviceMs: nodes.reduce((sum, { pid }) => sum + ticksOf(pid), 0) * TICK_MS,
      postgresMs: (ticksOf(postmaster) + backends) * TICK_MS,
    };
  }
}

/** Its own, and those of its children that have ended. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}
