/** A TCP proxy in front of a store, which can fall silent, cut its connections, or swallow an answer. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { later } from './later.ts';

export interface Proxy {
  port: number;
  /** Cuts every connection, and refuses new ones while it is down. */
  down(): void;
  up(): void;
  /** Keeps its connections open and passes nothing on, until it is up again. */
  stall(): void;
  /** When the client sends bytes that contain this text, they are passed on, and the connection is cut before the answer. */
  cutAfterSending(text: string, times?: number): void;
  /** The same, but for that the server never gets them. */
  cutInsteadOfSending(text: string, times?: number): void;
  cuts(): number;
}

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const open = new Set<Socket>();
  let isDown = false;
  let isStalled = false;
  let trigger = { text: '', left: 0, isPassedOn: true };
  let cuts = 0;

  const server = createServer((client) => {
    if (isDown) return client.destroy();
    const upstream = connect(target.port, target.host);
    let silent = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          client.destroy();
          if (!silent) upstream.destroy();
        });
    }
    upstream.on('data', (data) => silent || isStalled || client.write(data));
    client.on('data', (data) => {
      if (isStalled) return;
      const isHit = trigger.left > 0 && data.includes(trigger.text);
      if (!isHit || trigger.isPassedOn) upstream.write(data);
      if (!isHit) return;
      trigger.left--;
      cuts++;
      silent = true;
      // The server gets to act on what was sent; only the answer is lost.
      setTimeout(() => upstream.destroy(), 200);
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    down() {
      isDown = true;
      for (const socket of open) socket.destroy();
    },
    up() {
      // What was swallowed is missing from the conversation: those who had it have to begin again.
      if (isStalled) for (const socket of open) socket.destroy();
      isDown = false;
      isStalled = false;
    },
    stall() {
      isStalled = true;
    },
    cutAfterSending(text, times = 1) {
      trigger = { text, left: times, isPassedOn: true };
    },
    cutInsteadOfSending(text, times = 1) {
      trigger = { text, left: times, isPassedOn: false };
    },
    cuts: () => cuts,
  };
}
