/** Sends requests: with the tenant's headers, in the types of the routes, and again where that may help. */
import type { Routes } from './api-types.ts';
import { answerError, DocketError, ValidationError } from './errors.ts';
import { Patience } from './patience.ts';
import { Retries, type RetryOptions } from './retries.ts';

export interface TransportOptions extends RetryOptions {
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
}

export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
}

export type Route = keyof Routes;
export type Answer<R extends Route> = Routes[R]['answer'];
export type Input<R extends Route> = Omit<Routes[R], 'answer'>;

/** As any route may have it. */
interface AnyInput {
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  header?: Record<string, string | undefined>;
  body?: unknown;
}

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
  }

  newRetries(signal: AbortSignal | undefined): Retries {
    return new Retries(this.#options, signal);
  }

  /** A request and its answer, both JSON. Every route may be called again: what is sent has a key, or is the same twice. */
  async call<R extends Route>(route: R, input: Input<R>, { signal }: CallOptions = {}): Promise<Answer<R>> {
    const retries = this.newRetries(signal);
    for (;;) {
      try {
        return (await this.#callOnce(route, input, signal)) as Answer<R>;
      } catch (error) {
        await retries.after(error);
      }
    }
  }

  async #callOnce(route: string, input: AnyInput, signal: AbortSignal | undefined): Promise<unknown> {
    const [method = '', template = ''] = route.split(' ');
    const { query = {}, header = {}, body } = input;
    const waitsMs = Number(query.wait ?? 0) * 1000;
    const patience = new Patience(this.#options.timeoutMs + waitsMs, signal);
    try {
      const response = await this.open(
        {
          method,
          path: pathOf(template, input.path ?? {}, query),
          headers: { ...defined(header), ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
        patience,
      );
      const text = await patience.for(response.text());
      return text === '' ? undefined : parsed(text, response);
    } finally {
      patience.end();
    }
  }

  /** One attempt, whose answer is left to be read; throws what the service refuses it with. */
  async open({ method, path, headers, body }: Sent, patience: Patience): Promise<Response> {
    const { url, fetch } = this.#options;
    const response = await patience.for(
      fetch(url + path, {
        method,
        headers: { ...this.#options.headers, ...headers },
        ...(body !== undefined && { body }),
        signal: patience.signal,
        // Followed to another host, it would carry the tenant's key there.
        redirect: 'manual',
      }),
    );
    if (!response.ok) throw await patience.for(answerError(response));
    return response;
  }

  /** The same, for another who proves himself: a stream with a token has no key beside it. */
  without(...names: string[]): Transport {
    const headers = Object.entries(this.#options.headers).filter(([name]) => !names.includes(name));
    return new Transport({ ...this.#options, headers: Object.fromEntries(headers) });
  }
}

/** Throws a ValidationError for an id that no address leads to. */
export function pathOf(
  template: string,
  path: Record<string, string>,
  query: Record<string, string | number | undefined> = {},
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => segment(name, path[name] ?? ''));
  const asked = new URLSearchParams(defined(query)).toString();
  return asked === '' ? filled : `${filled}?${asked}`;
}

/** A dot or two mean a folder, also when they are escaped: fetch would send the request to another route. */
function segment(name: string, value: string): string {
  if (value === '.' || value === '..')
    throw new ValidationError('validation_failed', `${name} is '${value}', which cannot be part of an address`);
  return encodeURIComponent(value);
}

function defined(values: Record<string, string | number | undefined>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function parsed(text: string, { url, status }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DocketError('unexpected_answer', `${url} answered what is not JSON`, { status, cause });
  }
}
