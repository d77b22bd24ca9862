/**
 * Load. Closed loop: wrk where it is there, else a generator of our own in this Node. Open loop: always our own, which
 * measures from the moment a request was due, so that a server that stalls cannot hide it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBodies } from './documents.ts';
import { closeLater } from './ending.ts';

export const CONNECTIONS = 64;
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

export interface Load {
  perSecond: number;
  accepted: number;
  failed: number;
  /** Of one core. */
  generatorCpu: number;
}

const bodies = makeBodies(2000);
const bodiesFile = join(tmpdir(), `docket-bench-${process.pid}.jsonl`);
closeLater(() => rmSync(bodiesFile, { force: true }));

export function closedLoop(port: number, tenants: string[], seconds: number): Promise<Load> {
  return hasWrk ? withWrk(port, tenants, seconds) : withNode(port, tenants, seconds);
}

function withWrk(port: number, tenants: string[], seconds: number): Promise<Load> {
  writeFileSync(bodiesFile, bodies.join('\n'));
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const command = `TIMEFORMAT='CPU %U %S'; time wrk -t1 -c${CONNECTIONS} -d${seconds}s -s '${script}' http://127.0.0.1:${port}`;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TENANTS: tenants.join(','), BODIES: bodiesFile };
    const child = spawn('bash', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('close', () => {
      const [, requests, micros, failed] = /RESULT (\d+) (\d+) (\d+)/.exec(output)?.map(Number) ?? [];
      const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(output)?.map(Number) ?? [];
      if (!requests || !micros) return reject(new Error(`wrk said: ${output}`));
      const took = micros / 1e6;
      const accepted = requests - (failed ?? 0);
      resolve({
        perSecond: accepted / took,
        accepted,
        failed: failed ?? 0,
        generatorCpu: ((user ?? 0) + (system ?? 0)) / took,
      });
    });
  });
}

async function withNode(port: number, tenants: string[], seconds: number): Promise<Load> {
  const post = poster(port, tenants);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  let accepted = 0;
  let failed = 0;
  const client = async () => {
    while (performance.now() - started < seconds * 1000) (await post()).status === 202 ? accepted++ : failed++;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
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
const WARM_UP_S = 2;

/** Sends at a steady rate whatever the answers do. `onAccepted` hears of those after the warm-up. */
export async function openLoop(
  port: number,
  tenants: string[],
  perSecond: number,
  seconds: number,
  onAccepted: (text: string, dueAt: number) => void = () => {},
): Promise<OpenLoad> {
  const post = poster(port, tenants);
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
        post().then(({ status, text }) => {
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
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), sent: total, failed, generatorCpu: (user + system) / 1e6 / took };
}

interface Answer {
  status: number;
  /** Its head too. */
  text: string;
}

/** Posts the prepared bodies in turn over plain sockets: an HTTP client would cost more than the server it measures. */
function poster(port: number, tenants: string[]): () => Promise<Answer> {
  const requests = bodies.map((body, i) => {
    const head = `POST /api/ingest HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Tenant-ID: ${tenants[i % tenants.length]}`;
    return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
  const idle: Socket[] = [];
  const queue: { request: string; answer: (answer: Answer) => void }[] = [];
  let open = 0;
  let at = 0;

  function send(socket: Socket): void {
    const next = queue.shift();
    if (!next) return void idle.push(socket);
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

  return () =>
    new Promise((answer) => {
      queue.push({ request: requests[at++ % requests.length] as string, answer });
      const socket = idle.pop();
      if (socket) send(socket);
      else if (open < CONNECTIONS) {
        open++;
        const fresh = connect(port, '127.0.0.1', () => send(fresh))
          .setEncoding('latin1')
          .setNoDelay();
        // Nothing of this may fail in a run that counts.
        fresh.on('error', (error) => {
          throw error;
        });
      }
    });
}

export const machine = () =>
  `${cpus().length} cores, Node ${process.version}, load by ${hasWrk ? 'wrk' : 'a Node generator'}`;
