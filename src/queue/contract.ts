/** The one contract with BullMQ: the queue's name, what a job carries and how it behaves, whichever backend keeps it. */
import type { JobsOptions, Queue } from 'bullmq';

export const QUEUE = 'lanes';
/** Of the keys in Redis, which others may share. */
export const PREFIX = 'docket';

/**
 * A job is a nudge: this lane has work. It carries ids only, and losing it loses nothing. Which lane is served when a
 * worker gets it is for Postgres to say, so that tenants take turns however many lanes each has.
 */
export interface Lane {
  tenant_id: string;
  scope_id: string;
}

export type LaneJobs = Queue<Lane, void, 'lane'>;
export interface LaneWorker {
  /** Waits for the jobs in hand unless forced. */
  close(force?: boolean): Promise<void>;
}

export const laneId = ({ tenant_id, scope_id }: Lane) => `${tenant_id}-${scope_id}`;

/** One waiting and one active for each lane at most. Never delayed and never retried: either would hold the lane. */
export function laneJob(lane: Lane): { name: 'lane'; data: Lane; opts: JobsOptions } {
  return {
    name: 'lane',
    data: { tenant_id: lane.tenant_id, scope_id: lane.scope_id },
    opts: {
      deduplication: { id: laneId(lane), keepLastIfActive: true },
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

export interface WorkerSettings {
  concurrency: number;
  /** A job whose worker is silent for so long goes to another. */
  lockMs: number;
}

export function workerOptions({ concurrency, lockMs }: WorkerSettings) {
  return {
    concurrency,
    lockDuration: lockMs,
    // One worker with a longer interval would slow the checks of all.
    stalledInterval: lockMs / 2,
    // What has failed is for Postgres to decide: a job never fails for having stalled.
    maxStalledCount: 1_000_000,
    // Its default of 15 s would be added to every outage.
    runRetryDelay: 500,
  };
}

/** What the two backends differ in. */
export interface Backend {
  /** Null while it is known not to answer. */
  jobs(): LaneJobs | null;
  work(process: (job: { data: Lane }) => Promise<void>, settings: WorkerSettings): LaneWorker;
  /** Throws when it does not answer. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** Whether a part of BullMQ that was just made found its store. One that did not remembers that for ever. */
export const becomesReady = (part: { waitUntilReady(): Promise<unknown> }): Promise<boolean> =>
  part.waitUntilReady().then(
    () => true,
    () => false,
  );
