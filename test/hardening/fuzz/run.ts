/** npm run fuzz -- [--requests 100000] [--seed N]: the long form, against the service as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toldUsage } from '../../../src/cli/usage.ts';
import { findLeaks, secretsOf } from '../leaks.ts';
import { fuzz } from './fuzz.ts';
import { count5xx, describeBreaks, table } from './report.ts';
import { makeWorld, type Place, readDocument, settle } from './setup.ts';
import { CANARY, type World } from './world.ts';

const USAGE = `usage: npm run fuzz -- [--requests N] [--seed N]
  Sends requests made by chance from openapi.yaml, 100000 of them, to a service of its own, and checks every answer.`;
if (toldUsage(USAGE)) process.exit();

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed))
  throw new Error('--requests and --seed are numbers');

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Service extends Place {
  child: ChildProcess;
  log(): string;
}

async function start(dataDir: string): Promise<Service> {
  const admin = randomBytes(24).toString('hex');
  const internals = randomBytes(24).toString('hex');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    ADMIN_API_KEYS: admin,
    INTERNALS_API_KEYS: internals,
    TENANT_RATE_PER_S: '1000000',
    TENANT_BURST: '10000000',
    TENANT_BYTES_PER_S: '1000000000',
    TENANT_READS_PER_S: '1000000',
    TENANT_REPORTS_PER_S: '1000000',
  };
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        chunks.push(text);
        const address = /Docket is at (http:\S+),/.exec(text)?.[1];
        if (address) resolve(address);
      });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${chunks.join('').slice(-2000)}`)));
  });
  return { url, admin, internals, child, log: () => chunks.join('') };
}

async function stop({ child }: Service): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

function leaksIn(service: Service, world: World, dataDir: string): string[] {
  const { admin, internals, tenantKey, streamToken } = world;
  const secrets = secretsOf({ admin, internals, 'tenant key': tenantKey, token: streamToken.slice(-43) });
  const postgres = join(dataDir, 'postgres/log');
  const logs = {
    'the log': service.log(),
    "Postgres's log": existsSync(postgres) ? readFileSync(postgres, 'utf8') : '',
  };
  return findLeaks(logs, [...secrets, { name: 'document text', text: CANARY }]);
}

const dataDir = mkdtempSync(join(tmpdir(), 'docket-fuzz-'));
chmodSync(dataDir, 0o711);
const service = await start(dataDir);
try {
  const document = await readDocument(service.url);
  const world = await makeWorld(service, document);
  say(`${requests} requests, seed ${seed}, at ${service.url}`);
  const step = Math.max(1, Math.floor(requests / 20));
  const onProgress = (done: number) => {
    if (done % step === 0) say(`${done} of ${requests}`);
  };
  const report = await fuzz({ url: service.url, document, world, requests, seed, onProgress });
  const { documents, failed } = await settle(service, world);
  const died = service.child.exitCode !== null;
  const leaks = leaksIn(service, world, dataDir);
  say(`\n${table(report)}\n`);
  say(`${requests} requests in ${(report.ms / 1000).toFixed(0)} s, seed ${seed}`);
  say(`5xx: ${count5xx(report)}; answers that break the contract: ${report.breaks.length}`);
  say(`documents afterwards: ${documents}, failed ${failed}, none waits; process ${died ? 'DIED' : 'lives'}`);
  say(`logs: ${leaks.length === 0 ? 'no key and no text' : leaks.join('\n')}`);
  if (report.breaks.length > 0) say(`\n${describeBreaks(report)}`);
  if (report.breaks.length + leaks.length > 0 || died) process.exitCode = 1;
} finally {
  const code = await stop(service);
  if (code !== 0) {
    say(`the service ended with ${code}`);
    process.exitCode = 1;
  }
  rmSync(dataDir, { recursive: true, force: true });
}
