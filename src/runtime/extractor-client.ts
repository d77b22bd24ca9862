/** One request to an extractor of the operator's own, and what its answer or its silence means. */
import { isUtf8 } from 'node:buffer';
import type { Static } from '@sinclair/typebox';
import type { ExtractorDocument, ExtractorRequest } from '../contract/extractor.ts';
import { checkAnswer, type ExtractorAnswer } from './extractor-answer.ts';

export interface ClientOptions {
  url: string;
  /** Sent as a bearer token. */
  key?: string | undefined;
  /** For one attempt, to the last byte of its answer. */
  timeoutMs: number;
}

/**
 * Unreachable: nothing was sent, whoever asked. Passing: another attempt may go well. Wrong: it will not, and the
 * extractor is to blame. Refused: the extractor is fine, and does not take this document or this key. Not asked: the
 * extractor is left alone, or too many wait for it.
 */
type Kind = 'unreachable' | 'passing' | 'wrong' | 'refused' | 'not asked';

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

/** What it is asked about, and for whose trace. */
export type AskedDocument = ExtractorDocument & { traceparent?: string | null | undefined };

const MAX_ANSWER_BYTES = 2_000_000;
/** Refused, no way to it, no such name, or no TLS: all of it before the first byte of a document. */
const UNREACHABLE =
  /^(ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|EPROTO|ERR_(TLS|SSL)_\w+|CERT_\w+|\w+_(CERT|SIGNATURE)(_\w+)?|HOSTNAME_MISMATCH)$/;

export class ExtractorClient {
  readonly #options: ClientOptions;
  readonly #headers: Record<string, string>;

  constructor(options: ClientOptions) {
    const { url, key } = options;
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
  }

  /** Throws ExtractorFailed; or the signal's reason, when that calls it off. */
  async ask(document: AskedDocument, signal: AbortSignal): Promise<ExtractorAnswer> {
    const { text, traceparent } = document;
    const headers = traceparent ? { ...this.#headers, traceparent } : this.#headers;
    const answer = checkAnswer(await this.#exchange(headers, JSON.stringify(requestOf(document)), signal), text);
    if ('wrong' in answer) throw new ExtractorFailed(`its answer does not fit: ${answer.wrong}`, 'wrong');
    return answer;
  }

  /** One request and the JSON it is answered with. */
  async #exchange(headers: Record<string, string>, body: string, signal: AbortSignal): Promise<unknown> {
    const { url, timeoutMs } = this.#options;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
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
      const code = codeOf(error);
      const kind = UNREACHABLE.test(code) ? 'unreachable' : 'passing';
      throw new ExtractorFailed(`its connection failed${code && ` (${code})`}`, kind);
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
    if (size > MAX_ANSWER_BYTES) throw new ExtractorFailed('its answer is larger than 2 MB', 'wrong');
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
  return typeof found === 'string' && /^[A-Z0-9_]+$/.test(found) ? found : '';
}
