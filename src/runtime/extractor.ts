/** An extractor of the operator's own, for all tenants: slow, wrong or dead for the documents of one, it harms no other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Slots } from '../slots.ts';
import { Breaker } from './breaker.ts';
import type { ExtractorAnswer } from './extractor-answer.ts';
import { type AskedDocument, type ClientOptions, ExtractorClient, ExtractorFailed } from './extractor-client.ts';
import { TenantBreakers } from './tenant-breakers.ts';
import type { Watcher } from './thread-pool.ts';

export interface ExtractorOptions extends ClientOptions {
  /** For one document, the first included. */
  attempts: number;
  /** Documents that it has at once, over all callers. */
  atOnce: number;
  /** Wait before the second attempt; twice as long before each further one. */
  backOffMs?: number;
  /** Documents of a tenant that fail one after the other until it is left alone for `restMs`. */
  failuresInARow?: number;
  restMs?: number;
}

/** What became of documents since the start, how many wait in line, and whose are not sent at the moment. */
export interface ExtractorFigures {
  answered: number;
  failed: number;
  not_asked: number;
  waiting: number;
  isUnreachable: boolean;
  tenantsResting: number;
}

/** An extractor that wants more patience is not waited for: the built-in one reads the document sooner. */
const MAX_RETRY_AFTER_MS = 5000;
const BACK_OFF_MS = 200;
const FAILURES_IN_A_ROW = 5;
const REST_MS = 10_000;

export class RemoteExtractor {
  readonly #options: ExtractorOptions;
  readonly #client: ExtractorClient;
  readonly #slots: Slots;
  /** For what is nobody's fault: there is no connection to it, whatever the document. */
  readonly #connection: Breaker;
  readonly #breakers: TenantBreakers;
  readonly #counts = { answered: 0, failed: 0, not_asked: 0 };

  constructor(options: ExtractorOptions) {
    const { failuresInARow = FAILURES_IN_A_ROW, restMs = REST_MS } = options;
    this.#options = options;
    this.#client = new ExtractorClient(options);
    this.#slots = new Slots(options.atOnce);
    this.#connection = new Breaker({ what: 'could not be reached', failuresInARow, restMs });
    this.#breakers = new TenantBreakers({ what: 'has failed', failuresInARow, restMs });
  }

  get atOnce(): number {
    return this.#options.atOnce;
  }

  get figures(): ExtractorFigures {
    return {
      ...this.#counts,
      waiting: this.#slots.waiting,
      isUnreachable: this.#connection.refusal() !== null,
      tenantsResting: this.#breakers.resting,
    };
  }

  /** Throws ExtractorFailed; or the signal's reason, at once, when that calls it off. */
  async extract(tenantId: string, document: AskedDocument, watcher: Watcher): Promise<ExtractorAnswer> {
    watcher.signal.throwIfAborted();
    try {
      const answer = await this.#attempt(tenantId, document, watcher);
      this.#counts.answered++;
      return answer;
    } catch (error) {
      if (error instanceof ExtractorFailed) this.#counts[error.kind === 'not asked' ? 'not_asked' : 'failed']++;
      throw error;
    }
  }

  async #attempt(tenantId: string, document: AskedDocument, { signal, onProgress: onMoved }: Watcher) {
    const breakers = { connection: this.#connection, own: this.#breakers.of(tenantId) };
    let trial: Trial | null = null;
    let failed: ExtractorFailed | null = null;
    try {
      for (let attempt = 1; ; attempt++) {
        refuseIfLeftAlone(breakers, failed);
        // For one attempt and not for the time between two: whoever waits for a slot waits for no more than that.
        await this.#slots.take(tenantId, { signal, isBack: attempt > 1, onMoved });
        try {
          // Found dead while this one waited: so all who wait leave, one after the other.
          refuseIfLeftAlone(breakers, failed);
          trial ??= begin(breakers);
          const answer = await this.#client.ask(document, signal);
          note(breakers, null);
          return answer;
        } catch (error) {
          if (!(error instanceof ExtractorFailed) || !isPassing(error)) throw error;
          // The document of a trial is not to be held up by what is probably dead still.
          if (trial?.isTrial || attempt >= this.#options.attempts) throw error;
          failed = error;
        } finally {
          this.#slots.giveBack(tenantId);
        }
        await sleep(Math.max(failed.retryAfterMs, this.#backOff(attempt)), undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
      }
    } catch (error) {
      if (error instanceof ExtractorFailed) note(breakers, error);
      throw error;
    } finally {
      trial?.over();
    }
  }

  /** Between half of it and all of it, lest documents that failed together come again together. */
  #backOff(attempt: number): number {
    const { backOffMs = BACK_OFF_MS } = this.#options;
    return Math.min(MAX_RETRY_AFTER_MS, backOffMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  }
}

interface Breakers {
  connection: Breaker;
  /** Of the tenant whose document it is. */
  own: Breaker;
}

type Trial = ReturnType<Breaker['begin']>;

function begin({ connection, own }: Breakers): Trial {
  const trials = [connection.begin(), own.begin()];
  return {
    isTrial: trials.some(({ isTrial }) => isTrial),
    over: () => {
      for (const { over } of trials) over();
    },
  };
}

/** Whoever has failed already says why, and not that others have found it dead meanwhile. */
function refuseIfLeftAlone({ connection, own }: Breakers, failed: ExtractorFailed | null): void {
  const refusal = connection.refusal() ?? own.refusal();
  if (refusal) throw failed ?? new ExtractorFailed(refusal, 'not asked');
}

/** Null when it went well. */
function note({ connection, own }: Breakers, failed: ExtractorFailed | null): void {
  if (failed?.kind === 'not asked') return;
  if (failed?.kind === 'unreachable') {
    connection.failed();
    return;
  }
  connection.succeeded();
  // Five documents of a sort that it does not take must not keep all others of their tenant from it.
  if (failed && failed.kind !== 'refused') own.failed();
  else own.succeeded();
}

/** Whether another attempt may go well, soon enough. */
function isPassing({ kind, retryAfterMs }: ExtractorFailed): boolean {
  return (kind === 'passing' || kind === 'unreachable') && retryAfterMs <= MAX_RETRY_AFTER_MS;
}
