/** What the two kinds of flush have in common. */
import type { AppError } from '../../errors.ts';
import type { Acceptance } from './submission.ts';

export type Outcome = Acceptance | AppError;

/** Why an entry was left alone: its id or key or scope has to be looked at first, or somebody else has its scope locked. */
export type Left = 'unseen' | 'locked';

export interface FlushResult {
  /** One for each entry, in order. */
  outcomes: (Outcome | Left)[];
  /** Documents that were queued. */
  queued: number;
  /** Lanes that had nothing queued before, and have now. */
  awakened: { tenant_id: string; scope_id: string }[];
}

export const TRIES = 5;

export const isOutcome = (outcome: Outcome | Left): outcome is Outcome => typeof outcome !== 'string';

/** Two transactions waited for each other and Postgres ended one: the same again will go through. */
export function isDeadlock(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  return code === '40P01' || code === '40001';
}
