/** Streams read over plain sockets, as cheaply as can be: a client of the usual kind would cost more than the service. */
import { connect, type Socket } from 'node:net';
import type { Wanted } from './node.ts';

/** All at once would overflow the backlog of the listening socket. */
const OPENED_AT_ONCE = 50;
/** Longer than the longest event here. */
const KEPT = 1000;
const DOCUMENT = '"document_id":"';

/** Read and looked at before the next read, whichever stream it is for. */
const buffer = Buffer.alloc(256 * 1024);

interface Open {
  socket: Socket;
  /** The end of what has come. */
  rest: string;
}

export class OpenStreams {
  readonly #port: number;
  #open: Open[] = [];
  /** Ended by the service, so far. */
  cut = 0;
  /** Told of each event of a document. Without it, what comes is hardly looked at. */
  onDocument: ((documentId: string) => void) | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** When each has its first bytes. */
  async open(wanted: Wanted[]): Promise<void> {
    for (let n = 0; n < wanted.length; n += OPENED_AT_ONCE)
      await Promise.all(wanted.slice(n, n + OPENED_AT_ONCE).map((one) => this.#openOne(one)));
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    const gone = open.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve).destroy()));
    await Promise.all(gone);
  }

  /** The id of the last event that all of them have got; 0 when one has none. */
  get position(): number {
    const ids = this.#open.map(({ rest }) =>
      Number(/^id: (\d+)$/m.exec(rest.slice(rest.lastIndexOf('id: ')))?.[1] ?? 0),
    );
    return ids.length > 0 ? Math.min(...ids) : 0;
  }

  #openOne({ path, headers }: Wanted): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve, reject) => {
      let begun = false;
      const callback = (length: number) => {
        if (begun) this.#read(stream, length);
        else {
          stream.rest += buffer.toString('latin1', 0, length);
          begun = stream.rest.includes(': docket\n\n');
          if (begun) resolve();
          else if (!stream.rest.startsWith('HTTP/1.1 200')) reject(new Error(`${path} answered: ${stream.rest}`));
        }
        return true;
      };
      const socket = connect({ port: this.#port, host: '127.0.0.1', onread: { buffer, callback } });
      const stream: Open = { socket, rest: '' };
      socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`);
      socket.once('error', reject);
      socket.once('close', () => {
        if (!this.#open.includes(stream)) return;
        this.cut++;
        this.#open = this.#open.filter((other) => other !== stream);
      });
      this.#open.push(stream);
    });
  }

  #read(stream: Open, length: number): void {
    if (!this.onDocument) {
      const end = buffer.toString('latin1', Math.max(0, length - KEPT), length);
      stream.rest = (stream.rest + end).slice(-KEPT);
      return;
    }
    const text = stream.rest + buffer.toString('latin1', 0, length);
    let done = 0;
    for (let at = text.indexOf(DOCUMENT); at >= 0; at = text.indexOf(DOCUMENT, done)) {
      const end = text.indexOf('"', at + DOCUMENT.length);
      if (end < 0) break;
      this.onDocument(text.slice(at + DOCUMENT.length, end));
      done = end;
    }
    stream.rest = text.slice(Math.max(done, text.length - KEPT));
  }
}
