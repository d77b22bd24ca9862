/** What the two kinds of flush have in common. */
import type { AppError } from '../../errors.ts';
import type { Acceptance } from './submission.ts';

export type Outcome = Acceptance | AppError;

export interface FlushResult {
  /** One for each entry, in order; null for one that was there already, and is left for a flush that looks first. */
  outcomes: (Outcome | null)[];
  /** Documents that were queued. */
  queued: number;
  /** Lanes that had nothing queued before, and have now. */
  awakened: { tenant_id: string; scope_id: string }[];
}

export const TRIES = 5;

/** Two transactions waited for each other and Postgres ended one: the same again will go through. */
export function isDeadlock(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  return code === '40P01' || code === '40001';
}
