/** A bring-your-own extractor over HTTP: the document out, its claims back. Slow, wrong or dead, it harms nobody else. */
import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import type { ExtractorDocument, ExtractorRequest } from '../contract/extractor.ts';
import { Breaker } from './breaker.ts';
import { checkAnswer, type ExtractorAnswer } from './extractor-answer.ts';
import { Slots } from './slots.ts';

export interface ExtractorOptions {
  url: string;
  /** Sent as a bearer token. */
  key?: string | undefined;
  /** For one attempt, to the last byte of its answer. */
  timeoutMs: number;
  /** For one document, the first included. */
  attempts: number;
  /** Documents that it has at once, over all callers. */
  atOnce: number;
  /** Documents that may wait for that; further ones fail. Not set: all, since callers have only so many in hand. */
  mostAtOnceWaiting?: number;
  /** Wait before the second attempt; twice as long before each further one. */
  backOffMs?: number;
  /** Documents that fail one after the other until it is left alone for `restMs`. */
  failuresInARow?: number;
  restMs?: number;
}

/**
 * Passing: another attempt may go well. Wrong: it will not, and the extractor is to blame. Refused: the extractor is fine,
 * and does not take this document or this key. Not asked: the extractor is left alone, or too many wait for it.
 */
type Kind = 'passing' | 'wrong' | 'refused' | 'not asked';

/** Its message is public: it never holds anything of the document, of the answer or of the key; nor has it a cause. */
export class ExtractorFailed extends Error {
  override readonly name = 'ExtractorFailed';
  readonly kind: Kind;
  readonly retryAfterMs: number;

  constructor(reason: string, kind: Kind, retryAfterMs = 0) {
    super(reason);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

const ANSWER_MOST_BYTES = 2_000_000;
/** An extractor that wants more patience is not waited for: the built-in one reads the document sooner. */
const RETRY_AFTER_MOST_MS = 5000;
const BACK_OFF_MS = 200;
const FAILURES_IN_A_ROW = 5;
const REST_MS = 10_000;

export class RemoteExtractor {
  readonly #options: ExtractorOptions;
  readonly #headers: Record<string, string>;
  readonly #slots: Slots;
  readonly #breaker: Breaker;

  constructor(options: ExtractorOptions) {
    const { url, key, atOnce, failuresInARow = FAILURES_IN_A_ROW, restMs = REST_MS } = options;
    // Not left to fetch, which would repeat them in its errors.
    if (!isPlainAddress(url)) throw new Error('the extractor needs an http or https URL without user and password');
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new Error("the extractor's key is not printable");
    this.#options = options;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'docket',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    this.#slots = new Slots(atOnce);
    this.#breaker = new Breaker({ failuresInARow, restMs });
  }

  /** Throws ExtractorFailed; or the signal's reason, at once, when that calls it off. */
  async extract(document: ExtractorDocument, signal: AbortSignal): Promise<ExtractorAnswer> {
    signal.throwIfAborted();
    this.#refuseIfLeftAlone();
    const { mostAtOnceWaiting = Number.POSITIVE_INFINITY } = this.#options;
    if (!this.#slots.hasRoom && this.#slots.waiting >= mostAtOnceWaiting)
      throw new ExtractorFailed(`is busy; ${mostAtOnceWaiting} documents wait for it already`, 'not asked');
    // Kept between attempts: at the end of the line, a document's second attempt would wait for all others' first ones.
    await this.#slots.take(signal);
    try {
      // Found dead while this one waited: so all who wait leave, one after the other.
      this.#refuseIfLeftAlone();
      return await this.#extractNow(document, signal);
    } finally {
      this.#slots.giveBack();
    }
  }

  #refuseIfLeftAlone(): void {
    const refusal = this.#breaker.refusal();
    if (refusal) throw new ExtractorFailed(refusal, 'not asked');
  }

  async #extractNow(document: ExtractorDocument, signal: AbortSignal): Promise<ExtractorAnswer> {
    const { isTrial, over } = this.#breaker.begin();
    try {
      // The document of a trial is not to be held up by what is probably dead still.
      const answer = await this.#attempt(document, isTrial ? 1 : this.#options.attempts, signal);
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof ExtractorFailed) this.#note(error);
      throw error;
    } finally {
      over();
    }
  }

  #note({ kind }: ExtractorFailed): void {
    // Five documents of a sort that it does not take must not keep all others from it.
    if (kind === 'refused') this.#breaker.succeeded();
    else this.#breaker.failed();
  }

  async #attempt(document: ExtractorDocument, attempts: number, signal: AbortSignal): Promise<ExtractorAnswer> {
    const body = JSON.stringify(requestOf(document));
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = checkAnswer(await this.#exchange(body, signal), document.text);
        if ('wrong' in answer) throw new ExtractorFailed(`its answer does not fit: ${answer.wrong}`, 'wrong');
        return answer;
      } catch (error) {
        const isWorthIt = error instanceof ExtractorFailed && error.kind === 'passing' && attempt < attempts;
        if (!isWorthIt || error.retryAfterMs > RETRY_AFTER_MOST_MS) throw error;
        await sleep(Math.max(error.retryAfterMs, this.#backOff(attempt)), undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
        // Others have found it dead meanwhile.
        if (this.#breaker.refusal()) throw error;
      }
    }
  }

  /** Between half of it and all of it, lest documents that failed together come again together. */
  #backOff(attempt: number): number {
    const { backOffMs = BACK_OFF_MS } = this.#options;
    return Math.min(RETRY_AFTER_MOST_MS, backOffMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  }

  /** One request and the JSON it is answered with. */
  async #exchange(body: string, signal: AbortSignal): Promise<unknown> {
    const { url, timeoutMs } = this.#options;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: this.#headers,
        body,
        // The document goes where the operator said, and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.any([signal, ended.signal]),
      });
      if (!response.ok) throw unwelcome(response);
      return parse(await readBounded(response));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ExtractorFailed) throw error;
      if (ended.signal.aborted) throw new ExtractorFailed(`did not answer within ${timeoutMs} ms`, 'passing');
      throw new ExtractorFailed(`its connection failed${codeOf(error)}`, 'passing');
    } finally {
      clearTimeout(timer);
      // An answer that was not read to its end keeps its connection open otherwise.
      ended.abort();
    }
  }
}

function isPlainAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Field by field: what else the caller knows of the document is not sent. */
function requestOf({ document_id, version, scope_id, name, type, text }: ExtractorDocument) {
  const request: Static<typeof ExtractorRequest> = {
    integration_version: 'v1',
    document: { document_id, version, scope_id, name, type, text },
  };
  return request;
}

function unwelcome({ status, headers }: Response): ExtractorFailed {
  if (status >= 300 && status < 400)
    return new ExtractorFailed(`answered ${status}; redirects are not followed`, 'wrong');
  const isPassing = status === 408 || status === 429 || status >= 500;
  return new ExtractorFailed(`answered ${status}`, isPassing ? 'passing' : 'refused', retryAfter(headers));
}

/** In seconds or as a date; 0 when it says nothing that can be understood. */
function retryAfter(headers: Headers): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.max(0, ms || 0);
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > ANSWER_MOST_BYTES) throw new ExtractorFailed('its answer is larger than 2 MB', 'wrong');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** JSON.parse would quote the answer in its error. */
function parse(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString());
  } catch {}
  throw new ExtractorFailed('its answer is not JSON', 'wrong');
}

/** Such as ECONNREFUSED. The rest of the error is of no use to those who see it. */
function codeOf(error: unknown): string {
  const { cause, code } = error as { cause?: { code?: unknown }; code?: unknown };
  const found = cause?.code ?? code;
  return typeof found === 'string' && /^[A-Z0-9_]+$/.test(found) ? ` (${found})` : '';
}
