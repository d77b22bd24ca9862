/** What everything is held against: a bare route under wrk, with the bodies that the service gets. */
import { type ChildProcess, endChild, startChild } from './child.ts';
import { cpuOf } from './proc.ts';
import { type Load, runWrk } from './wrk.ts';

export interface BareLoad extends Load {
  /** Of the server, for a request. */
  cpuMicros: number;
}

/** It looks at no tenant, but it wants the header. */
const TENANTS = ['nobody'];
/** Until its code is compiled. */
const WARM_UP_S = 2;

export class BareRoute {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #bodies: string;

  private constructor(child: ChildProcess, port: number, bodies: string) {
    this.#child = child;
    this.#port = port;
    this.#bodies = bodies;
  }

  /** `bodies` is a file of them, as for wrk. */
  static async start(bodies: string): Promise<BareRoute> {
    const script = new URL('bare-server.ts', import.meta.url);
    const { child, ready } = await startChild<{ port: number }>(script);
    const route = new BareRoute(child, ready.port, bodies);
    await route.load(64, WARM_UP_S);
    return route;
  }

  async load(connections: number, seconds: number): Promise<BareLoad> {
    const pid = this.#child.pid as number;
    const before = cpuOf(pid);
    const load = await runWrk({ port: this.#port, connections, seconds, tenants: TENANTS, bodies: this.#bodies });
    if (load.failed > 0) throw new Error(`the bare route refused ${load.failed} requests`);
    return { ...load, cpuMicros: ((cpuOf(pid) - before) / load.accepted) * 1e6 };
  }

  end(): Promise<void> {
    return endChild(this.#child);
  }
}
