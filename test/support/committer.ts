/** A committer on a database, watched; and what became of what was given to it. */
import { Committer } from '../../src/domain/accept/committer.ts';
import type { Database } from '../../src/storage/database.ts';

export function newCommitter(db: Database, answerWithinMs = 30_000) {
  const awakened: string[] = [];
  let flushes = 0;
  const counted: Database = {
    ...db,
    once: (...statement) => {
      flushes++;
      return db.once(...statement);
    },
  };
  const committer = new Committer({
    db: counted,
    answerWithinMs,
    scopesPerTenant: 1000,
    onQueued: (_documents, lanes) => awakened.push(...lanes.map(({ scope_id }) => scope_id)),
    onError: (error) => {
      throw error;
    },
  });
  return { committer, awakened, flushes: () => flushes };
}

export async function settled(promises: Promise<unknown>[], of: 'code' | 'message' = 'code'): Promise<string[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason[of]));
}
