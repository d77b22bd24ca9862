/** How fast documents are accepted, as ratios measured side by side in one run. */
import { measureFigures } from '../figures/main.ts';
import type { Options } from '../figures/options.ts';
import { ask, type ChildProcess, startChild } from '../parts/child.ts';
import { makePlain } from '../parts/documents.ts';
import { runBench } from '../parts/ending.ts';
import { evenly, fill } from '../parts/fill.ts';
import { closedLoop, openLoop } from '../parts/generator.ts';
import { amount, median, percent, report, row, say } from '../parts/report.ts';
import { newDatabase, type Stores } from '../parts/stores.ts';
import type { Mode } from './server.ts';

const QUICK = process.env.BENCH_QUICK === 'true';
const ROUNDS = QUICK ? 1 : 3;
const SLICE_S = QUICK ? 2 : 5;
const OPEN_LOOP_S = QUICK ? 3 : 8;
const TENANTS = 10;
const SCOPES_EACH = 50;
const STORED = Number(process.env.BENCH_STORED ?? (QUICK ? 50_000 : 1_000_000));
const MEMORY_DOCUMENTS = Number(process.env.BENCH_MEMORY ?? (QUICK ? 10_000 : 200_000));

interface Server {
  name: string;
  port: number;
  tenants: string[];
  child: ChildProcess;
}

async function measureOlder({ postgresUrl, redisUrl }: Stores): Promise<void> {
  const start = async (name: string, mode: Mode, stored = 0): Promise<Server> => {
    const { url, tenants } = await newDatabase(postgresUrl, name, TENANTS);
    const ids = tenants.map(({ id }) => id);
    if (stored > 0) await fill(url, { scopes: evenly(ids, SCOPES_EACH, stored), contents: makePlain(2000) });
    const options = { args: [mode, url, redisUrl], execArgv: ['--expose-gc'] };
    const { child, ready } = await startChild<{ port: number }>(new URL('server.ts', import.meta.url), options);
    return { name, port: ready.port, tenants: ids, child };
  };
  const ceiling = await start('ceiling', 'ceiling');
  const ours = await start('ours', 'ours');
  const full = await start(`ours with ${amount(STORED)} stored`, 'ours', STORED);
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

  say(`accepting ${amount(MEMORY_DOCUMENTS)} documents for the memory`);
  const before = await residentMemory(ours);
  for (let accepted = 0; accepted < MEMORY_DOCUMENTS; )
    accepted += (await closedLoop(ours.port, ours.tenants, SLICE_S)).accepted;
  const growth = ((await residentMemory(ours)) - before) / 1024 / 1024;

  const rows = [
    row('ours / ceiling', rate(ours) / rate(ceiling), '≥', 0.65),
    ...(onRedis ? [row('ours / obvious on Redis', rate(ours) / rate(onRedis), '≥', 2.5)] : []),
    row('ours / obvious on BullMQ’s Postgres backend', rate(ours) / rate(onPostgres), '≥', 5),
    row(`ours with ${amount(STORED)} stored / ours empty`, rate(full) / rate(ours), '≥', 0.9),
    row('p99 at 60 % of our capacity / p99 of the ceiling', p99(ours) / p99(ceiling), '≤', 3),
    row(`growth of memory over ${amount(MEMORY_DOCUMENTS)} documents, MB`, growth, '≤', 50),
  ];
  const perSecond = Object.fromEntries([...rates].map(([server, values]) => [server.name, values.map(Math.round)]));
  report('accept', { rows, generatorCpu, failed, quick: QUICK, measured: { perSecond } });
}

const residentMemory = async ({ child }: Server) => (await ask<{ rss: number }>(child, 'memory')).rss;

export const run = (options: Options) => runBench(() => measureFigures(options, measureOlder));
