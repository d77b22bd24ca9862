/** A submission that waits for its flush, and what it has to do with others that wait. */
import { AppError } from '../../errors.ts';
import { type FlushResult, isOutcome, type Outcome } from './flush.ts';
import { replay } from './flush-any.ts';
import { type Entry, scopeName } from './plan.ts';
import { type Acceptance, contentHash, fingerprint, type Submission, sizeOf } from './submission.ts';

export interface Waiting extends Entry {
  tenantId: string;
  /** Its scope's name among those of all tenants. */
  scope: string;
  /** By these it may meet another, the strongest first; with none in common, two have nothing to do with each other. */
  names: string[];
  size: number;
  since: number;
  isSettled: boolean;
  settle: (outcome: Outcome) => void;
}

export function toWaiting(submission: Submission, since: number, settle: (outcome: Outcome) => void): Waiting {
  const { tenantId, scopeId, documentId, idempotencyKey } = submission;
  const content = contentHash(submission);
  const names = [];
  if (idempotencyKey) names.push(`key ${tenantId} ${idempotencyKey}`);
  if (documentId) names.push(`document ${tenantId} ${scopeId} ${documentId}`);
  return {
    submission,
    content,
    fingerprint: idempotencyKey ? fingerprint(submission, content) : null,
    tenantId,
    scope: scopeName(tenantId, scopeId),
    names,
    size: sizeOf(submission),
    since,
    isSettled: false,
    settle,
  };
}

interface Leader {
  entry: Waiting;
  acceptance: Acceptance;
}

/** What was just committed, by those of its names with which somebody waits, who needs no flush of its own then. */
export function leadersOf(
  batch: Waiting[],
  outcomes: FlushResult['outcomes'],
  isWaiting: (name: string, entry: Waiting) => boolean,
): Map<string, Leader> {
  const leaders = new Map<string, Leader>();
  for (const [index, entry] of batch.entries()) {
    const acceptance = outcomes[index];
    if (!acceptance || !isOutcome(acceptance) || acceptance instanceof AppError) continue;
    for (const name of entry.names) if (isWaiting(name, entry)) leaders.set(name, { entry, acceptance });
  }
  return leaders;
}

/** The outcome that its leader's gives a follower, or null when only a flush can tell; then nobody after it has a leader. */
export function followerOutcome(follower: Waiting, leaders: Map<string, Leader>): Outcome | null {
  const outcome = follow(follower, leaders.get(follower.names[0] ?? ''));
  if (!outcome) for (const name of follower.names) leaders.delete(name);
  return outcome;
}

function follow(follower: Waiting, leader: Leader | undefined): Outcome | null {
  if (!leader) return null;
  const { submission, content, fingerprint } = leader.entry;
  // They met by the key, then, and the leader has the same one.
  if (follower.fingerprint && fingerprint) return replay(follower, { ...leader.acceptance.document, fingerprint });
  const same = follower.content === content && follower.submission.route === submission.route;
  return same && !leader.acceptance.replayed ? { ...leader.acceptance, replayed: false } : null;
}
