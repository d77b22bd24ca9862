/** Posts prepared requests over plain sockets: an HTTP client would cost more than the server it measures. */
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** Its head too. */
  text: string;
}

export function requestOf(tenant: string, body: string): string {
  const head = `POST /api/ingest HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Tenant-ID: ${tenant}`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export interface Poster {
  post(request: string): Promise<Answer>;
  close(): void;
}

/** So many connections at most; whoever finds none free waits. */
export function openPoster(port: number, connections: number): Poster {
  const sockets: Socket[] = [];
  const idle: Socket[] = [];
  const queue: { request: string; answer: (answer: Answer) => void }[] = [];
  let first = 0;

  function send(socket: Socket): void {
    const next = queue[first];
    if (!next) return void idle.push(socket);
    first++;
    if (first === queue.length) {
      queue.length = 0;
      first = 0;
    }
    let received = '';
    socket.on('data', function read(data: string) {
      received += data;
      const body = received.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (body < 4 || received.length < body + length) return;
      socket.off('data', read);
      next.answer({ status: Number(received.slice(9, 12)), text: received });
      send(socket);
    });
    socket.write(next.request);
  }

  function open(): void {
    const socket = connect(port, '127.0.0.1', () => send(socket))
      .setEncoding('latin1')
      .setNoDelay();
    sockets.push(socket);
    // Nothing of this may fail in a run that counts.
    socket.on('error', (error) => {
      throw error;
    });
  }

  return {
    post: (request) =>
      new Promise((answer) => {
        queue.push({ request, answer });
        const socket = idle.pop();
        if (socket) send(socket);
        else if (sockets.length < connections) open();
      }),
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** All of these, as fast as they are answered. Throws when one was not accepted. */
export async function postAll(port: number, requests: string[], connections: number): Promise<void> {
  const poster = openPoster(port, connections);
  let at = 0;
  const client = async () => {
    for (let request = requests[at++]; request !== undefined; request = requests[at++]) {
      const { status, text } = await poster.post(request);
      if (status !== 202)
        throw new Error(`a document was answered ${status}: ${text.slice(text.indexOf('\r\n\r\n') + 4)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  poster.close();
}
