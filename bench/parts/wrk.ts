/** Load by Debian's wrk: a generator in Node takes more of a core than a bare route does, and so measures itself. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeLater } from './ending.ts';

export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const NO_WRK = 'wrk is missing; the bare route is driven by it. On Debian: apt-get install wrk';

export interface Load {
  perSecond: number;
  accepted: number;
  failed: number;
  /** Of one core. */
  generatorCpu: number;
}

export interface WrkOptions {
  port: number;
  connections: number;
  seconds: number;
  tenants: string[];
  /** From `bodiesFile`. */
  bodies: string;
}

const KEY_PREFIX_BYTES = 4;
/** Stands in a body for an idempotency key; each request gets one of its own, of this length. */
export const KEY_MARK = `${'?'.repeat(2 * KEY_PREFIX_BYTES)}-${'?'.repeat(10)}`;

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

let files = 0;

/** Its name; it is gone when the bench ends. */
export function bodiesFile(bodies: string[]): string {
  const file = join(tmpdir(), `docket-bench-${process.pid}-${files++}.jsonl`);
  closeLater(() => rmSync(file, { force: true }));
  writeFileSync(file, bodies.join('\n'));
  return file;
}

export async function runWrk({ port, connections, seconds, tenants, bodies }: WrkOptions): Promise<Load> {
  if (!hasWrk) throw new Error(NO_WRK);
  const command = `TIMEFORMAT='CPU %U %S'; time wrk -t1 -c${connections} -d${seconds}s -s '${SCRIPT}' http://127.0.0.1:${port}`;
  // A key that was used in a run before would be a replay.
  const KEY_PREFIX = `${randomBytes(KEY_PREFIX_BYTES).toString('hex')}-`;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TENANTS: tenants.join(','), BODIES: bodies, KEY_MARK, KEY_PREFIX };
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
