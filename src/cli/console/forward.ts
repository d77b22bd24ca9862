/** Passes a request of the page on to the service with the operator's key, and the answer back as it comes. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, SAFE_HEADERS } from './answers.ts';
import { isStream } from './routes.ts';

export interface Service {
  /** Without a slash at the end. */
  url: string;
  key: string;
}

/** The page sends filters, reasons and decisions. */
const MAX_BODY = 64 * 1024;
/** The longest text of a document, in JSON, has less than a megabyte. */
const MAX_ANSWER = 8 * 1024 * 1024;
/** A retry takes ten seconds, and so does a pause. */
const ANSWER_MS = 30_000;
/** Three heartbeats of a stream. */
const SILENCE_MS = 45_000;

export async function forward(request: IncomingMessage, response: ServerResponse, service: Service, path: string) {
  const { method = 'GET' } = request;
  const body = method === 'GET' ? null : await readBody(request);
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  const isEndless = isStream(path.split('?')[0] as string);
  const timer = setTimeout(() => stop.abort(), isEndless ? SILENCE_MS : ANSWER_MS);
  try {
    const answer = await fetch(service.url + path, {
      method,
      headers: headersFor(request, service.key, body !== null),
      body,
      signal: stop.signal,
      // Followed to another host, it would carry the key there.
      redirect: 'manual',
    });
    await passOn(answer, response, { stop: stop.signal, heard: () => isEndless && timer.refresh(), isEndless });
  } catch (error) {
    if (response.destroyed) return;
    throw error instanceof Refusal ? error : new Refusal(502, 'unreachable', reasonOf(error, service.url));
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function headersFor({ headers }: IncomingMessage, key: string, hasBody: boolean): Record<string, string> {
  const lastId = headers['last-event-id'];
  return {
    authorization: `Bearer ${key}`,
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(typeof lastId === 'string' && { 'last-event-id': lastId }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new Refusal(415, 'unsupported_media_type', 'Send the body with Content-Type: application/json.');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > MAX_BODY) throw new Refusal(413, 'payload_too_large', 'The console passes on no body of that size.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

interface Passing {
  stop: AbortSignal;
  heard: () => void;
  isEndless: boolean;
}

async function passOn(answer: Response, response: ServerResponse, { stop, heard, isEndless }: Passing): Promise<void> {
  const { status, headers } = answer;
  if (status >= 300 && status < 400)
    throw new Refusal(502, 'unreachable', `What is there sends elsewhere (${status}); is that Docket?`);
  const retryAfter = headers.get('retry-after');
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': headers.get('content-type') ?? 'application/octet-stream',
    ...(retryAfter && { 'retry-after': retryAfter }),
  });
  // A stream that has nothing to tell yet is open all the same.
  response.flushHeaders();
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    heard();
    bytes += piece.length;
    if (!isEndless && bytes > MAX_ANSWER) throw new Refusal(502, 'unreachable', 'The answer is too long.');
    if (!response.write(piece)) await once(response, 'drain', { signal: stop });
  }
  response.end();
}

/** What fetch throws says little; what it is caused by says more. */
function reasonOf(error: unknown, url: string): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'AbortError') return `${url} did not answer in time.`;
  return `Nobody answers at ${url} (${cause?.code ?? cause?.message ?? message}).`;
}
