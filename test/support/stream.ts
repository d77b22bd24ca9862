/** A reader of a server-sent event stream, over a plain socket so that it can also stop reading. */
import { connect, type Socket } from 'node:net';
import { later } from './later.ts';
import { until } from './until.ts';

export interface Received {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
  data: any;
}

export interface Stream {
  status: number;
  headers: string;
  events: Received[];
  /** Comments and `retry`, as they came. */
  notes: string[];
  /** The answer, when it is no stream. */
  body(): string;
  ended: Promise<void>;
  isEnded(): boolean;
  socket: Socket;
  close(): void;
  /** Waits for so many events. */
  got(n: number, withinMs?: number): Promise<Received[]>;
}

export async function openStream(url: string, path: string, headers: Record<string, string>): Promise<Stream> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  later(() => socket.destroy());
  socket.on('error', () => {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: docket\r\n${lines.join('')}\r\n`);

  let ended = false;
  let rest: Buffer = Buffer.alloc(0);
  let head: string | null = null;
  const stream: Stream = {
    status: 0,
    headers: '',
    events: [],
    notes: [],
    body: () => rest.toString(),
    ended: new Promise((resolve) => socket.once('close', () => resolve())),
    isEnded: () => ended,
    socket,
    close: () => socket.destroy(),
    async got(n, withinMs) {
      await until(
        () => stream.events.length,
        (length) => length >= n,
        withinMs,
      );
      return stream.events;
    },
  };
  void stream.ended.then(() => {
    ended = true;
  });
  socket.on('data', (data: Buffer) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    if (head === null) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      head = rest.subarray(0, end).toString();
      rest = rest.subarray(end + 4);
      stream.headers = head;
      stream.status = Number(head.split(' ')[1]);
    }
    if (head.includes('text/event-stream')) rest = readFrames(rest, stream);
  });
  await until(
    () => stream.status !== 0 || ended,
    (there) => there,
  );
  return stream;
}

/** Takes what is complete; returns the rest. The body is chunked: each chunk is one write, of whole frames. */
function readFrames(bytes: Buffer, { events, notes }: Stream): Buffer {
  let at = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return bytes.subarray(at);
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (bytes.length < line + 2 + size + 2) return bytes.subarray(at);
    const frame = bytes.toString('utf8', line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    for (const block of frame.split('\n\n').filter(Boolean)) {
      const fields = Object.fromEntries(block.split('\n').map((field) => field.split(/: (.*)/s) as [string, string]));
      if (fields.data === undefined) notes.push(block);
      else events.push({ id: fields.id ?? '', event: fields.event ?? '', data: JSON.parse(fields.data) });
    }
  }
}
