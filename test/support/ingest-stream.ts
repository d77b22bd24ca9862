/** A client of POST /api/ingest/stream that sends when it is told to, and reads unless it is told not to. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { later } from './later.ts';
import { until } from './until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
type Json = any;

export interface SendingOptions {
  tenantId: string;
  tenantKey?: string;
  /** Without its question mark. */
  query?: string;
  headers?: Record<string, string>;
  /** Nothing is read before `read` is called. */
  isUnread?: boolean;
}

export interface Sending {
  /** Lines, or bytes as they are; resolves when the system has taken them. */
  send(...lines: (object | string | Buffer)[]): Promise<void>;
  end(): void;
  /** Goes away in the middle. */
  vanish(): void;
  read(): void;
  /** What was answered so far. */
  answers: Json[];
  status(): number;
  /** Waits for so many lines. */
  got(count: number): Promise<Json[]>;
  /** All lines, when the answer has ended. */
  all(): Promise<Json[]>;
  isEnded(): boolean;
  /** To write what is no chunk of a body. */
  socket(): Socket | null;
}

export const lineOf = (line: object | string | Buffer) =>
  typeof line === 'string' || Buffer.isBuffer(line) ? line : `${JSON.stringify(line)}\n`;

export function openSending(url: string, options: SendingOptions): Sending {
  const { tenantId, tenantKey, query = '', headers = {}, isUnread = false } = options;
  const sending: ClientRequest = request(`${url}/api/ingest/stream?${query}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/x-ndjson',
      'x-tenant-id': tenantId,
      ...(tenantKey !== undefined && { 'x-tenant-api-key': tenantKey }),
      ...headers,
    },
  });
  later(() => sending.destroy());
  const answers: Json[] = [];
  let response: IncomingMessage | undefined;
  let isEnded = false;
  let rest = '';
  const listen = () =>
    response?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      answers.push(...lines.map((line) => JSON.parse(line)));
    });
  sending.on('error', () => {
    isEnded = true;
  });
  sending.on('response', (answer) => {
    response = answer;
    answer.on('close', () => {
      isEnded = true;
    });
    answer.on('error', () => {});
    if (!isUnread) listen();
  });
  sending.flushHeaders();
  return {
    send: (...lines) =>
      new Promise((resolve) => {
        const bytes = Buffer.concat(lines.map((line) => Buffer.from(lineOf(line) as string)));
        sending.write(bytes, () => resolve());
      }),
    end: () => sending.end(),
    vanish: () => sending.destroy(),
    read: listen,
    answers,
    status: () => response?.statusCode ?? 0,
    async got(count) {
      await until(
        () => answers.length,
        (length) => length >= count,
      );
      return answers;
    },
    async all() {
      await until(
        () => isEnded,
        (ended) => ended,
      );
      return answers;
    },
    isEnded: () => isEnded,
    socket: () => sending.socket,
  };
}

/** All at once, answered when all is over. */
export async function sendLines(
  url: string,
  options: SendingOptions,
  ...lines: (object | string | Buffer)[]
): Promise<Json[]> {
  const sending = openSending(url, options);
  await sending.send(...lines);
  sending.end();
  return sending.all();
}
