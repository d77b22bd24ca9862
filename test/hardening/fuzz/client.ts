/** HTTP over a plain socket: it sends whatever bytes it is given, which no proper client would. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** How long an answer may take; the service has time-outs of its own that are shorter. */
const PATIENCE_MS = 15_000;

/** One connection at a time, kept for the next request as long as the server keeps it. */
export class Connection {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | null = null;
  /** Tells whoever reads that there is more, or that there will be no more. */
  #onChange = () => {};
  #received: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(url: string) {
    const { port, hostname } = new URL(url);
    this.#port = Number(port);
    this.#host = hostname;
  }

  /** Sends one request and reads its answer. Of a stream only the beginning. */
  async exchange(bytes: Buffer, isHead: boolean): Promise<RawAnswer> {
    const isReused = this.#socket !== null;
    try {
      return await this.#once(bytes, isHead);
    } catch (error) {
      // The server may close a kept connection at the very moment it is used again; that is no failure of this request.
      if (!isReused || !(error instanceof NoAnswer) || this.#received.length > 0) throw error;
      return this.#once(bytes, isHead);
    }
  }

  async #once(bytes: Buffer, isHead: boolean): Promise<RawAnswer> {
    this.#open().write(bytes);
    try {
      const answer = await this.read(isHead);
      if (isStream(answer) || isHead || answer.headers.connection === 'close') this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Sends bytes that may be several requests or none, and reads all answers until the server closes. */
  async converse(bytes: Buffer, { end = false } = {}): Promise<RawAnswer[]> {
    this.close();
    const socket = this.#open();
    socket.write(bytes);
    if (end) socket.end();
    const answers: RawAnswer[] = [];
    try {
      while (await this.#more(() => this.#received.length > 0)) answers.push(await this.read(false));
      return answers;
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    if (this.#socket) return this.#socket;
    const socket = connect({ port: this.#port, host: this.#host, allowHalfOpen: true });
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#ended = false;
    const over = () => {
      if (this.#socket !== socket) return;
      this.#ended = true;
      this.#onChange();
    };
    socket.on('error', over).on('end', over).on('close', over);
    socket.on('data', (data: Buffer) => {
      if (this.#socket !== socket) return;
      this.#received = Buffer.concat([this.#received, data]);
      this.#onChange();
    });
    return socket;
  }

  /** Waits until that holds; false when the server has closed before. */
  async #more(holds: () => boolean): Promise<boolean> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!holds()) {
      if (this.#ended) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onChange = resolve;
      const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
      await promise;
      clearTimeout(timer);
      if (performance.now() >= deadline) throw new NoAnswer(`no answer within ${PATIENCE_MS} ms`);
    }
    return true;
  }

  async read(isHead: boolean): Promise<RawAnswer> {
    if (!(await this.#more(() => this.#received.includes('\r\n\r\n'))))
      throw new NoAnswer(`the connection was closed after ${this.#received.length} bytes`);
    const end = this.#received.indexOf('\r\n\r\n');
    const answer = { ...headOf(this.#received.toString('latin1', 0, end)), body: Buffer.alloc(0) };
    this.#received = this.#received.subarray(end + 4);
    // What comes before the answer proper.
    if (answer.status === 100) return this.read(isHead);
    if (isHead || answer.status === 204 || answer.status === 304 || isStream(answer)) return answer;
    return { ...answer, body: await this.#body(answer.headers) };
  }

  async #body(headers: Record<string, string>): Promise<Buffer> {
    if (headers['transfer-encoding'] === 'chunked') return this.#chunks();
    return this.#take(Number(headers['content-length'] ?? 0));
  }

  async #take(length: number): Promise<Buffer> {
    if (!(await this.#more(() => this.#received.length >= length)))
      throw new NoAnswer(`the answer ends after ${this.#received.length} of ${length} bytes`);
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }

  async #chunks(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      await this.#more(() => this.#received.includes('\r\n'));
      const line = await this.#take(this.#received.indexOf('\r\n') + 2);
      const size = Number.parseInt(line.toString('latin1'), 16);
      if (!(size >= 0)) throw new NoAnswer('a chunk of the answer has no size');
      chunks.push((await this.#take(size + 2)).subarray(0, size));
      if (size === 0) return Buffer.concat(chunks);
    }
  }
}

export const isStream = ({ headers }: Pick<RawAnswer, 'headers'>) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

function headOf(text: string): Pick<RawAnswer, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n');
  const fields = lines.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])),
  };
}
