/**
 * Load. Closed loop: wrk where it is there, else a generator of our own in this Node. Open loop: always our own, which
 * measures from the moment a request was due, so that a server that stalls cannot hide it.
 */
import { cpus } from 'node:os';
import { makeBodies } from './documents.ts';
import { openPoster, requestOf } from './poster.ts';
import { quantile } from './statistics.ts';
import { bodiesFile, hasWrk, type Load, runWrk } from './wrk.ts';

export const CONNECTIONS = 64;

const bodies = makeBodies(2000);
let file: string | null = null;

export function closedLoop(port: number, tenants: string[], seconds: number): Promise<Load> {
  if (!hasWrk) return withNode(port, tenants, seconds);
  file ??= bodiesFile(bodies);
  return runWrk({ port, connections: CONNECTIONS, seconds, tenants, bodies: file });
}

async function withNode(port: number, tenants: string[], seconds: number): Promise<Load> {
  const { post, close } = openPoster(port, CONNECTIONS);
  const next = inTurn(requestsOf(tenants));
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  let accepted = 0;
  let failed = 0;
  const client = async () => {
    while (performance.now() - started < seconds * 1000) (await post(next())).status === 202 ? accepted++ : failed++;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  close();
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: accepted / took, accepted, failed, generatorCpu: (user + system) / 1e6 / took };
}

export interface OpenLoad {
  p50: number;
  p99: number;
  /** Those of the warm-up too. */
  sent: number;
  failed: number;
  generatorCpu: number;
}

/** The first connections and the generator's own first second are not the server's latency. */
export const WARM_UP_S = 2;

/** Sends at a steady rate whatever the answers do. `onAccepted` hears of those after the warm-up. */
export const openLoop = (
  port: number,
  tenants: string[],
  perSecond: number,
  seconds: number,
  onAccepted?: (text: string, dueAt: number) => void,
): Promise<OpenLoad> => openLoopOf(port, inTurn(requestsOf(tenants)), perSecond, seconds, onAccepted);

/** The same with requests of the caller's own. */
export async function openLoopOf(
  port: number,
  next: () => string,
  perSecond: number,
  seconds: number,
  onAccepted: (text: string, dueAt: number) => void = () => {},
): Promise<OpenLoad> {
  const { post, close } = openPoster(port, CONNECTIONS);
  const latencies: number[] = [];
  let failed = 0;
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const pending: Promise<void>[] = [];
  const total = Math.floor(perSecond * (WARM_UP_S + seconds));
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const dueAt = started + (sent / perSecond) * 1000;
      pending.push(
        post(next()).then(({ status, text }) => {
          if (status !== 202) failed++;
          else if (dueAt - started > WARM_UP_S * 1000) {
            latencies.push(performance.now() - dueAt);
            onAccepted(text, dueAt);
          }
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  close();
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const generatorCpu = (user + system) / 1e6 / took;
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), sent: total, failed, generatorCpu };
}

const requestsOf = (tenants: string[]) =>
  bodies.map((body, i) => requestOf(tenants[i % tenants.length] as string, body));

export function inTurn(requests: string[]): () => string {
  let at = 0;
  return () => requests[at++ % requests.length] as string;
}

export const machine = () =>
  `${cpus().length} cores, Node ${process.version}, load by ${hasWrk ? 'wrk' : 'a Node generator'}`;
