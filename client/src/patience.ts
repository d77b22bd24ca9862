/** Ends a request that its caller gives up, or that nothing is heard of for too long. */
import { ConnectionError, DocketError } from './errors.ts';

export class Patience {
  readonly #controller = new AbortController();
  readonly #silenceMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly #giveUp = () => this.#controller.abort(this.#outer?.reason);
  #isOver = false;

  constructor(silenceMs: number, outer: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    if (outer?.aborted) this.#giveUp();
    else outer?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** For what is of the connection: whatever it fails with is a failure of that. */
  for<T>(awaited: Promise<T>): Promise<T> {
    return this.within(
      awaited.catch((error) => {
        throw error instanceof DocketError ? error : connectionError(whyFailed(error), error);
      }),
    );
  }

  /**
   * For what others have made, whose error is thrown as it is. Time counts only while something is waited for: a caller who
   * reads slowly is no silence of the service. What knows nothing of the signal is left behind when that is given.
   */
  async within<T>(awaited: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, this.#silenceMs);
    const { signal } = this.#controller;
    let leave = () => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
    });
    // Taken off again each time: on a stream that goes on for days they would pile up.
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await Promise.race([awaited, left]);
    } catch (error) {
      if (this.#outer?.aborted) throw this.#outer.reason;
      if (this.#isOver) throw connectionError(`nothing was heard for ${this.#silenceMs / 1000} s`, error);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /** To be called however it ended: also ends what is still under way. */
  end(): void {
    this.#outer?.removeEventListener('abort', this.#giveUp);
    this.#controller.abort();
  }
}

/** What fetch throws says little; what it is caused by says more. */
export function whyFailed(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

export const connectionError = (message: string, cause?: unknown) =>
  new ConnectionError('connection_failed', `The connection failed: ${message}`, { cause });
