/** One connection to the service that costs its client little: requests are bytes made beforehand, and of an answer only the status counts. */
import { connect, type Socket } from 'node:net';

export interface Answer {
  /** 0 when there was none: cut off, refused, or too late. */
  status: number;
  ms: number;
}

const MAX_HEAD = 16_384;

export interface Wanted {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export function requestOf({ method, path, headers = {}, body }: Wanted): Buffer {
  const all = {
    Host: 'greed',
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(body)}` }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`,
  );
}

/** One request at a time; a connection that was lost is made anew with the next one. */
export class Line {
  readonly #url: URL;
  #socket: Socket | null = null;
  #head = '';
  /** Of the answer that is coming; null while its head is. */
  #left: number | null = null;
  #status = 0;
  #isLast = false;
  #answered: (status: number) => void = () => {};

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** From just before it is written to the last byte of the answer. Never rejects. */
  async ask(request: Buffer, timeoutMs = 30_000): Promise<Answer> {
    const began = performance.now();
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#answered = resolve;
    const timer = setTimeout(() => this.close(), timeoutMs);
    this.#socket ??= this.#connect();
    this.#socket.write(request);
    const status = await promise;
    clearTimeout(timer);
    return { status, ms: performance.now() - began };
  }

  close(): void {
    this.#socket?.destroy();
    this.#lost();
  }

  #connect(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay();
    // What a connection that was given up still says is nobody's answer.
    socket.on('data', (data) => this.#socket === socket && this.#read(data));
    socket.on('error', () => {});
    socket.once('close', () => this.#socket === socket && this.#lost());
    this.#head = '';
    this.#left = null;
    return socket;
  }

  #lost(): void {
    this.#socket = null;
    this.#answered(0);
  }

  #read(data: Buffer): void {
    let bytes = data.length;
    if (this.#left === null) {
      this.#head += data.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#head.length > MAX_HEAD) this.close();
        return;
      }
      bytes = this.#head.length - end - 4;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#left = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#isLast = /\nconnection: close/i.test(head);
      this.#head = '';
    }
    this.#left -= bytes;
    if (this.#left > 0) return;
    this.#left = null;
    if (this.#isLast) {
      this.#socket?.destroy();
      this.#socket = null;
    }
    this.#answered(this.#status);
  }
}

/** As many connections as are needed at once: whoever is due does not wait for the answer to another. */
export class Lines {
  readonly #url: string;
  readonly #idle: Line[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async ask(request: Buffer): Promise<Answer> {
    const line = this.#idle.pop() ?? new Line(this.#url);
    const answer = await line.ask(request);
    this.#idle.push(line);
    return answer;
  }

  close(): void {
    for (const line of this.#idle) line.close();
  }
}
