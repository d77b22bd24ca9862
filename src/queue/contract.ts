/** The one contract with BullMQ: the queue's name, what a job carries and how it behaves, whichever backend keeps it. */
import type { JobsOptions, Queue } from 'bullmq';

/** Not `lanes`, as 0.1.0 had it: what that has left there is of another kind. */
export const QUEUE = 'turns';
/** Of the keys in Redis, which others may share. */
export const PREFIX = 'docket';

/**
 * A job is a nudge: there is work. It carries nothing, and losing it loses nothing. Which lanes are served when a worker gets it
 * is for Postgres to say, so that tenants take turns however many lanes each has.
 */
export type TurnJobs = Queue<Record<string, never>, void, 'turn'>;
export interface TurnWorker {
  /** Waits for the jobs in hand unless forced. */
  close(force?: boolean): Promise<void>;
}

/** So many nudges are there at once, at most: as many as workers can be awake, over all nodes. */
export const SLOTS = 1024;
export const slotId = (slot: number) => `slot-${slot % SLOTS}`;

/** One waiting and one active for each slot at most. Never delayed and never retried: either would hold the slot. */
export function turnJob(slot: number): { name: 'turn'; data: Record<string, never>; opts: JobsOptions } {
  return {
    name: 'turn',
    data: {},
    opts: {
      deduplication: { id: slotId(slot), keepLastIfActive: true },
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
  jobs(): TurnJobs | null;
  work(process: () => Promise<void>, settings: WorkerSettings): TurnWorker;
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
