/** How fast documents are accepted, as ratios measured side by side in one run. */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTenant } from '../../src/domain/tenants.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { openEmbedded } from '../../src/storage/embedded/owner.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { closedLoop, machine, openLoop } from './generator.ts';
import type { Mode } from './server.ts';

const ROUNDS = 3;
const SLICE_S = 5;
const OPEN_LOOP_S = 8;
const STORED = Number(process.env.BENCH_STORED ?? 1_000_000);
const MEMORY_DOCUMENTS = Number(process.env.BENCH_MEMORY ?? 200_000);
/** With more than this of its core in use, the generator measures itself. */
const GENERATOR_LIMIT = 0.9;

interface Server {
  name: string;
  port: number;
  tenants: string[];
  child: ChildProcess;
}

const closers: (() => unknown)[] = [];
const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-bench-'));
  chmodSync(dataDir, 0o711);
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbedded({ dataDir, holder: 'docket bench', say: () => {} });
  closers.push(() => postgres.close());
  const redisUrl = await startRedis(dataDir);

  say(`${machine()}; Postgres with fsync, Redis ${redisUrl ? 'there' : 'not there: apt-get install redis-server'}`);
  const start = async (name: string, mode: Mode, stored = 0) => {
    const { url, tenants } = await newDatabase(postgres.url, name, stored);
    return startServer(name, mode, url, redisUrl, tenants);
  };
  const ceiling = await start('ceiling', 'ceiling');
  const ours = await start('ours', 'ours');
  const full = await start(`ours with ${STORED.toLocaleString('en')} stored`, 'ours', STORED);
  const onPostgres = await start('obvious on Postgres', 'obvious on Postgres');
  const onRedis = redisUrl ? await start('obvious on Redis', 'obvious on Redis') : null;
  const servers = [ceiling, ours, full, onPostgres, ...(onRedis ? [onRedis] : [])];

  const rates = new Map<Server, number[]>(servers.map((server) => [server, []]));
  let generatorCpu = 0;
  let failed = 0;
  for (const server of servers) await closedLoop(server.port, server.tenants, 2);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const server of servers) {
      const load = await closedLoop(server.port, server.tenants, SLICE_S);
      rates.get(server)?.push(load.perSecond);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu);
      failed += load.failed;
      say(
        `round ${round}: ${server.name.padEnd(30)} ${load.perSecond.toFixed(0).padStart(6)}/s, generator ${percent(load.generatorCpu)}`,
      );
    }
  }
  const rate = (server: Server) => median(rates.get(server) as number[]);

  const steady = 0.6 * rate(ours);
  const late = new Map<Server, number[]>([ceiling, ours].map((server) => [server, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const server of [ceiling, ours]) {
      const load = await openLoop(server.port, server.tenants, steady, OPEN_LOOP_S);
      late.get(server)?.push(load.p99);
      failed += load.failed;
      say(
        `round ${round}: ${server.name.padEnd(30)} p99 ${load.p99.toFixed(1)} ms, p50 ${load.p50.toFixed(1)} ms at ${steady.toFixed(0)}/s, generator ${percent(load.generatorCpu)}`,
      );
    }
  }
  const p99 = (server: Server) => median(late.get(server) as number[]);

  say(`accepting ${MEMORY_DOCUMENTS.toLocaleString('en')} documents for the memory`);
  const before = await residentMemory(ours);
  for (let accepted = 0; accepted < MEMORY_DOCUMENTS; )
    accepted += (await closedLoop(ours.port, ours.tenants, SLICE_S)).accepted;
  const growth = ((await residentMemory(ours)) - before) / 1024 / 1024;

  const results = [
    row('ours / ceiling', rate(ours) / rate(ceiling), '≥', 0.65),
    ...(onRedis ? [row('ours / obvious on Redis', rate(ours) / rate(onRedis), '≥', 2.5)] : []),
    row('ours / obvious on BullMQ’s Postgres backend', rate(ours) / rate(onPostgres), '≥', 5),
    row(`ours with ${STORED.toLocaleString('en')} stored / ours empty`, rate(full) / rate(ours), '≥', 0.9),
    row('p99 at 60 % of our capacity / p99 of the ceiling', p99(ours) / p99(ceiling), '≤', 3),
    row(`growth of memory over ${MEMORY_DOCUMENTS.toLocaleString('en')} documents, MB`, growth, '≤', 50),
  ];
  say('');
  for (const { what, value, sign, target, met } of results) {
    say(`${met ? '✓' : '✗'} ${what.padEnd(58)} ${value.toFixed(2).padStart(7)}  (${sign} ${target})`);
  }
  say(
    `  generator at most ${percent(generatorCpu)} of a core${generatorCpu > GENERATOR_LIMIT ? ': VOID, it was the bottleneck' : ''}; ${failed} requests failed`,
  );
  const perSecond = Object.fromEntries([...rates].map(([server, values]) => [server.name, values.map(Math.round)]));
  mkdirSync('bench/results', { recursive: true });
  const report = {
    at: new Date().toISOString(),
    machine: machine(),
    void: generatorCpu > GENERATOR_LIMIT,
    failed,
    perSecond,
    results,
  };
  writeFileSync('bench/results/accept.json', `${JSON.stringify(report, null, 2)}\n`);
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

function row(what: string, value: number, sign: '≥' | '≤', target: number) {
  return {
    what,
    value: Math.round(value * 1000) / 1000,
    sign,
    target,
    met: sign === '≥' ? value >= target : value <= target,
  };
}

async function newDatabase(server: string, name: string, stored: number): Promise<{ url: string; tenants: string[] }> {
  const database = `bench_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
  await query(server, `create database ${database}`);
  const url = server.replace(/[^/]+$/, database);
  await migrate(url);
  const db = openDatabase({ url, poolSize: 2, timeoutMs: 600_000, onIdleError: () => {} });
  const tenants: string[] = [];
  for (let i = 0; i < 10; i++) tenants.push((await createTenant(db, `tenant ${i}`)).tenant.tenant_id);
  if (stored > 0) await fill(url, stored);
  await db.close();
  return { url, tenants };
}

/** As if that many documents had been accepted before. */
async function fill(url: string, stored: number): Promise<void> {
  say(`storing ${stored.toLocaleString('en')} documents first`);
  await query(
    url,
    `insert into scopes (tenant_id, scope_id, name)
       select tenant_id, 'scope-' || n, 'x' from tenants cross join generate_series(0, 49) n;
     create temp table filled as
       select scope_key, tenant_id, scope_id, row_number() over (partition by scope_key order by n) - 1 as seq, n
         from generate_series(1, ${stored}) n
         join (select *, row_number() over (order by scope_key) - 1 as at from scopes) s on at = n % 500;
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at)
       select scope_key, 1, seq, 'doc_0' || lpad(n::text, 20, '0'), 1, 'queued', sha256(n::text::bytea), now() from filled order by n;
     insert into document_contents (scope_key, generation, seq, name, type, text)
       select scope_key, 1, seq, 'Document ' || n, 'txt', repeat(md5(n::text) || ' ', 60) from filled order by n;
     insert into events (type, tenant_id, scope_id, payload)
       select 'document.queued', tenant_id, scope_id, json_build_object('document_id', n, 'version', 1, 'seq', seq) from filled order by n;
     update scopes set next_seq = n, queued = n from (select scope_key, count(*) n from filled group by 1) c where c.scope_key = scopes.scope_key;`,
  );
  await query(url, 'vacuum analyze');
  await query(url, 'checkpoint');
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function startServer(
  name: string,
  mode: Mode,
  url: string,
  redisUrl: string,
  tenants: string[],
): Promise<Server> {
  const script = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = fork(script, [mode, url, redisUrl], { execArgv: ['--expose-gc'] });
  closers.push(() => child.kill());
  const { port } = await message<{ port: number }>(child);
  return { name, port, tenants, child };
}

async function residentMemory({ child }: Server): Promise<number> {
  child.send('memory');
  return (await message<{ rss: number }>(child)).rss;
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as Message));
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
  });
}

async function startRedis(folder: string): Promise<string> {
  if (spawnSync('redis-server', ['--version']).error) return '';
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  // The service's promise does not rest on Redis, so the obvious one is not slowed by making Redis durable either.
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  closers.push(() => child.kill());
  return `redis://127.0.0.1:${port}`;
}

await main().finally(async () => {
  for (const close of closers.reverse()) await close();
});
process.exit();
