/** The outside client's way to the service: plain HTTP with a time-out, and nothing that is retried behind its back. */
import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came.
  body: any;
  ms: number;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
}

// Without a bound of its own: what waits here for a socket would be taken for a service that is slow to answer.
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Rejects when there was no answer at all: the outcome is unknown then. */
export function call(url: string, { method, headers = {}, body, timeoutMs = 30_000 }: Call = {}): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        headers: {
          ...headers,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (data) => {
          received += data;
        });
        response.once('error', reject);
        response.once('end', () => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers } = response;
          try {
            resolve({ status, headers, body: received ? JSON.parse(received) : null, ms: performance.now() - began });
          } catch {
            resolve({ status, headers, body: received, ms: performance.now() - began });
          }
        });
      },
    );
    const timer = setTimeout(() => sent.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    sent.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(text);
  });
}
