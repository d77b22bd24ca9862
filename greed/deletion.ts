/** A deletion that goes on while the bystander is measured, and is to be answered well. */
import type { Scene } from './attack.ts';

/** Longer than any time-out of the service: what is looked at is its own answer. */
const ANSWER_MS = 60_000;

/** Begins it; what is returned waits for the answer and says what is wrong with it. */
export function beginDeletion({ deployment, tenant }: Scene, path: string): () => Promise<string[]> {
  const answer = deployment
    .asAdmin(path, { method: 'DELETE', tenant, timeoutMs: ANSWER_MS })
    .catch(() => ({ status: 0, ms: ANSWER_MS }));
  return async () => {
    const { status, ms } = await answer;
    if (status >= 200 && status < 300) return [];
    return [`the deletion was answered ${status || 'with nothing'} after ${(ms / 1000).toFixed(1)} s`];
  };
}
