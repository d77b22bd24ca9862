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

  /** Time counts only while something is waited for: a caller who reads slowly is no silence of the service. */
  async for<T>(awaited: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, this.#silenceMs);
    try {
      return await awaited;
    } catch (error) {
      throw this.#whyNot(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** To be called however it ended: also ends what is still under way. */
  end(): void {
    this.#outer?.removeEventListener('abort', this.#giveUp);
    this.#controller.abort();
  }

  #whyNot(error: unknown): unknown {
    if (this.#outer?.aborted) return this.#outer.reason;
    if (this.#isOver) return connectionError(`nothing was heard for ${this.#silenceMs / 1000} s`, error);
    return error instanceof DocketError ? error : connectionError(whyFailed(error), error);
  }
}

/** What fetch throws says little; what it is caused by says more. */
export function whyFailed(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

export const connectionError = (message: string, cause?: unknown) =>
  new ConnectionError('connection_failed', `The connection failed: ${message}`, { cause });
