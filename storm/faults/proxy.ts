/** A TCP proxy in front of a store. A network that swallows packets loses nothing for good: it delivers late. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeLater } from '../ending.ts';

type Mode = 'open' | 'blackhole' | 'trickle';

const TRICKLE_BYTES = 64;
const TRICKLE_MS = 100;

export class FaultProxy {
  readonly port: number;
  readonly #pipes = new Set<Pipe>();
  #mode: Mode = 'open';

  private constructor(port: number) {
    this.port = port;
  }

  static async start(targetPort: number): Promise<FaultProxy> {
    const pending: Socket[] = [];
    let proxy: FaultProxy | null = null;
    const server = createServer((client) => (proxy ? proxy.#join(client, targetPort) : pending.push(client)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = new FaultProxy((server.address() as AddressInfo).port);
    closeLater(() => {
      server.close();
      for (const pipe of proxy.#pipes) pipe.cut();
    });
    return proxy;
  }

  #join(client: Socket, targetPort: number): void {
    const upstream = connect(targetPort, '127.0.0.1');
    const ends = [new Pipe(client, upstream), new Pipe(upstream, client)];
    for (const pipe of ends) {
      this.#pipes.add(pipe);
      pipe.set(this.#mode);
      pipe.from.once('close', () => this.#pipes.delete(pipe));
    }
  }

  /** Nothing passes until it is open again; connections stay. */
  blackhole = () => this.#setAll('blackhole');
  /** A few bytes at a time. */
  trickle = () => this.#setAll('trickle');
  open = () => this.#setAll('open');

  #setAll(mode: Mode): void {
    this.#mode = mode;
    for (const pipe of this.#pipes) pipe.set(mode);
  }

  /** Connections that it passes on. */
  get connections(): number {
    return this.#pipes.size / 2;
  }
}

/** One direction of a connection. */
class Pipe {
  readonly from: Socket;
  readonly #to: Socket;
  #waiting: Buffer[] = [];
  #mode: Mode = 'open';
  #timer: NodeJS.Timeout | null = null;

  constructor(from: Socket, to: Socket) {
    this.from = from;
    this.#to = to;
    from.on('error', () => {});
    from.on('data', (data: Buffer) => {
      this.#waiting.push(data);
      this.#move();
    });
    // Whoever hangs up is heard at once: nothing that is lost here could be delivered any more.
    from.once('close', () => {
      if (this.#timer) clearTimeout(this.#timer);
      to.destroy();
    });
  }

  cut(): void {
    this.from.destroy();
  }

  set(mode: Mode): void {
    this.#mode = mode;
    this.#move();
  }

  #move(): void {
    if (this.#mode === 'blackhole' || this.#waiting.length === 0 || !this.#to.writable) return;
    const all = Buffer.concat(this.#waiting);
    if (this.#mode === 'open') {
      this.#waiting = [];
      this.#to.write(all);
      return;
    }
    if (this.#timer) return;
    this.#to.write(all.subarray(0, TRICKLE_BYTES));
    this.#waiting = all.length > TRICKLE_BYTES ? [all.subarray(TRICKLE_BYTES)] : [];
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#move();
    }, TRICKLE_MS);
  }
}
