/** How long a light tenant waits for a document, alone and beside a tenant that is deep in work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { aside, median, type Row, row, say } from '../parts/report.ts';
import { cloneDatabase, emptyRedis, type Stores, type Tenant } from '../parts/stores.ts';
import { type Deep, mixed } from './deep.ts';
import { ServiceNode } from './node.ts';
import { SAMPLES } from './sizes.ts';

const ALTERNATIONS = 2;
const LOOK_EVERY_MS = 5;
const LONGEST_MS = 30_000;
const GET_BUSY_MS = 1500;
const SCOPE = 'light';

export async function measureNeighbour(stores: Stores, deep: Deep) {
  const rows: Row[] = [];
  const waits: Record<string, object> = {};
  for (const backend of stores.redisUrl ? ['Redis', 'Postgres'] : ['Postgres']) {
    const redisUrl = backend === 'Redis' ? await emptyRedis(stores.redisUrl, 0) : '';
    const { alone, beside, batchMs } = await measure(redisUrl, deep);
    say(
      `light tenant on ${backend}: alone ${describe(alone)}; beside ${describe(beside)}; a batch takes ${batchMs.toFixed(0)} ms`,
    );
    waits[backend] = { alone: alone.map(Math.round), beside: beside.map(Math.round), batchMs: Math.round(batchMs) };
    rows.push(
      row(
        `light tenant beside a deep neighbour, on ${backend}: batch times more than alone`,
        (median(beside) - median(alone)) / batchMs,
        '≤',
        3,
      ),
      aside('  the longest of them', (Math.max(...beside) - median(alone)) / batchMs),
    );
  }
  return { rows, lightTenantMs: waits };
}

const describe = (waits: number[]) => `${median(waits).toFixed(0)} ms, at most ${Math.max(...waits).toFixed(0)} ms`;

async function measure(redisUrl: string, deep: Deep) {
  const databaseUrl = await cloneDatabase(deep.url, 'deep');
  const node = await ServiceNode.start({ databaseUrl, redisUrl, pipeline: 'stages' });
  await node.control('pause', deep.neighbour);
  await node.control('resume');
  const light = deep.others[0] as Tenant;
  const alone: number[] = [];
  const beside: number[] = [];
  const turns = { count: 0, seconds: 0 };
  // The first one makes the scope and warms the threads.
  await waitForOne(node, light, 0);
  for (let n = 0; n < ALTERNATIONS; n++) {
    for (let i = 0; i < SAMPLES / ALTERNATIONS; i++) alone.push(await waitForOne(node, light, i));
    await node.control('resume', deep.neighbour);
    await sleep(GET_BUSY_MS);
    const before = await node.turns();
    for (let i = 0; i < SAMPLES / ALTERNATIONS; i++) beside.push(await waitForOne(node, light, i));
    const after = await node.turns();
    turns.count += after.count - before.count;
    turns.seconds += after.seconds - before.seconds;
    if ((await node.backlog()) === 0) throw new Error('the neighbour ran out of work');
    await node.control('pause', deep.neighbour);
  }
  await node.end();
  return { alone, beside, batchMs: (turns.seconds / turns.count) * 1000 };
}

/** From its 202 until it is processed, in ms. */
async function waitForOne(node: ServiceNode, tenant: Tenant, n: number): Promise<number> {
  const { name, type, text } = mixed[n % mixed.length] as (typeof mixed)[number];
  const { document_id } = await node.call('POST', '/api/ingest', tenant, { scope_id: SCOPE, name, type, text });
  const accepted = performance.now();
  for (;;) {
    const { state } = await node.call('GET', `/api/documents/${document_id}?scope_id=${SCOPE}`, tenant);
    const waited = performance.now() - accepted;
    if (state === 'processed') return waited;
    if (waited > LONGEST_MS) throw new Error(`document ${document_id} is ${state} after ${LONGEST_MS} ms`);
    await sleep(LOOK_EVERY_MS);
  }
}
