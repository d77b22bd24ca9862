/** Routes whose answer may wait: at once in the turns of those who read, or later by those who wait, which takes none meanwhile. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Turn } from '../domain/wait/gathered.ts';
import type { Waiters, Waiting } from '../domain/wait/waiters.ts';
import type { Slots } from '../slots.ts';
import { within } from '../within.ts';
import { OPERATORS, tenantOf } from './auth.ts';
import type { Deps } from './deps.ts';
import { checkKeysAgain, keyEnded, keyPrefixesOf } from './request-keys.ts';
import { clientGone, late, whenClosed } from './when-closed.ts';

/** For many at once, none of whom can be asked whether it is still there: only so long is waited for a turn. */
export function turnOf(reads: Slots, patienceMs: number): Turn {
  return async (whose, work) => {
    await reads.take(whose, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {
      throw late();
    });
    await work().finally(() => reads.giveBack(whose));
  };
}

export interface Answers<Answer> {
  now: () => Promise<Answer>;
  later: (waiters: Waiters, waiting: Waiting) => Promise<Answer>;
}

/** The framework's own time-out would end a wait: what is read at once has the same one here. */
export async function answerWaiting<Answer>(
  { reads, waiters, keyring, keyWatch, answerWithinMs }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { now, later }: Answers<Answer>,
): Promise<Answer> {
  const as = request.operator ? OPERATORS : tenantOf(request);
  const gone = new AbortController();
  let isRefused = false;
  whenClosed(reply, () => gone.abort());
  const orGone = (error: unknown) => {
    throw isRefused ? keyEnded() : gone.signal.aborted ? clientGone() : error;
  };
  const { wait } = request.query as { wait: number };
  if (wait > 0) {
    const waiting = { reader: { tenantId: tenantOf(request), as }, ms: wait * 1000, gone: gone.signal };
    const unwatch = keyWatch.watch(keyPrefixesOf(request), () => {
      isRefused = true;
      gone.abort();
    });
    const answer = await later(waiters, waiting).catch(orGone).finally(unwatch);
    await checkKeysAgain(request, keyring);
    return answer;
  }
  const reading = reads.take(as, { signal: gone.signal }).then(() => now().finally(() => reads.giveBack(as)), orGone);
  const answer = await within(answerWithinMs, reading, null);
  if (answer === null) throw late();
  return answer;
}
