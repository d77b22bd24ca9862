/** Waits until what was sent is processed, shows how far that has come, and does not wait for what stands still. */
import { type Docket, WaitTimeoutError } from '../../../client/src/index.ts';
import { StartError } from '../../errors.ts';
import type { ShownProgress } from '../progress.ts';
import { documentsLine } from '../progress-line.ts';

/** So often it is shown how far it is. */
const LOOK_EVERY_MS = 2000;
/** So long without any progress, and somebody should look why: a turn takes a fraction of a second. */
const STILL_MS = 30_000;
/** And so long, and nobody is there who would. */
const GIVE_UP_MS = 600_000;

export interface Processing {
  docket: Docket;
  scopeId: string;
  /** All up to this seq has to be done. */
  through: number;
  progress: ShownProgress;
  signal: AbortSignal;
  giveUpMs?: number;
}

export async function untilProcessed(given: Processing): Promise<void> {
  const { docket, scopeId, through, progress, signal, giveUpMs = GIVE_UP_MS } = given;
  let [first, left, done] = [-1, -1, 0];
  let [movedAt, toldAt] = [performance.now(), performance.now()];
  while (!(await isProcessed(docket, scopeId, through, signal))) {
    const { documents, runtime, settled_through } = await docket.summary(scopeId, { signal });
    // A service that takes longer than that moment for an answer is done all the same.
    if ((settled_through ?? -1) >= through) return;
    const now = performance.now();
    const waiting = documents.queued + documents.processing;
    if (first < 0) {
      first = waiting;
      progress.begin(
        'processed',
        first,
        documentsLine(() => done),
      );
    }
    if (waiting !== left) movedAt = now;
    left = waiting;
    // Others may send more meanwhile: it does not go back for that.
    done = Math.max(done, first - left);
    progress.reached(done);
    const still = now - movedAt;
    if (still > giveUpMs)
      throw new StartError(`nothing was processed for ${seconds(still)}: ${why(runtime.effective_state)}`);
    if (still > STILL_MS && now - toldAt > STILL_MS) {
      progress.tell(`nothing has moved for ${seconds(still)}: ${why(runtime.effective_state)}`);
      toldAt = now;
    }
  }
}

/** False when it is not within a moment. */
async function isProcessed(docket: Docket, scopeId: string, through: number, signal: AbortSignal): Promise<boolean> {
  try {
    await docket.wait(scopeId, { through, timeoutMs: LOOK_EVERY_MS, signal });
    return true;
  } catch (error) {
    if (error instanceof WaitTimeoutError) return false;
    throw error;
  }
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

const why = (state: string) =>
  state === 'running' ? 'is a service with workers running?' : `processing is ${state}; an operator may resume it`;
