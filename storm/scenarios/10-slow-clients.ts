/** 10: hundreds of sockets that drip, and stream readers that stop reading. They are closed, and the others notice nothing. */
import { type Held, isStreaming, openOf, openSlow, openStream } from '../faults/sockets.ts';
import { call } from '../http.ts';
import { quantile } from '../journal.ts';
import { repeatedly } from '../others.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

/** A reader may have this much waiting for it, in the service and below it in the kernel. */
const READER_MB = 1.5;
const MEMORY_MB = 150;
/**
 * Any flood lets the heap of a fresh process grow, by 150 to 220 MB, of which some 20 are in use: what the readers cost is
 * measured on one that is warm, and is made to collect what nobody uses.
 */
const WARM_UP = 3000;
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=160', INDEX_CACHE_MB: '16' };
/** Node looks for late requests once a second. */
const CHECK_MS = 1000;
const SLACK_MS = 1500;
/** Long ids make long events: the buffers of all who do not read are full sooner. */
const PADDING = `-${'🜁'.repeat(180)}`;

export const slowClients: Scenario = {
  number: 10,
  name: 'slow-clients',
  what: 'sockets that drip, and stream readers that stop',
  backends: ['postgres', 'redis'],
  processes: [1],
  async run(run: Run) {
    const timeoutMs = run.long ? 15_000 : 4000;
    const settings = { ...SMALL_HEAP, REQUEST_TIMEOUT_MS: `${timeoutMs}` };
    const siege = await besiege(run, { settings }, { padding: PADDING });
    const { deployment } = siege;
    const [node] = deployment.apis as [Siege['deployment']['nodes'][number]];
    await warmUp(siege);
    const memoryBefore = node.memory();
    const readers: Held[] = [];
    for (let n = 0; n < scaled(run, 100); n++)
      readers.push(openStream(node.url, '/internals/kernel/events', deployment.internals));
    await until(() => readers.every(isStreaming), 10_000);

    const drips = await repeatedly(() => drip(siege, readers, timeoutMs));
    const { slow, latest, before, during } = drips.best;
    run.say(`the last slow socket was closed after ${latest} ms`);

    // Their buffers are filled as fast as it goes: this is no time to measure others.
    const cut = await flood(siege, readers);
    const memory = node.memory();
    run.say(
      `${cut} of ${readers.length} readers were cut off; memory ${memoryBefore.toFixed(0)} to ${memory.toFixed(0)} MB`,
    );

    const complaints: string[] = [];
    if (latest > timeoutMs + CHECK_MS + SLACK_MS) complaints.push(`a slow socket was open for ${latest} ms`);
    if (!drips.isCalm)
      complaints.push(`p99 of others went from ${before} to ${during} ms, at best in ${drips.rounds} rounds`);
    if (cut < readers.length) complaints.push(`${readers.length - cut} readers that had stopped were not cut off`);
    const bound = memoryBefore + MEMORY_MB + READER_MB * readers.length;
    if (memory > bound) complaints.push(`memory went from ${memoryBefore} to ${memory} MB`);
    return conclude(siege, {
      complaints,
      bites: {
        'slow sockets that were told 408': slow.filter(({ received }) => received.includes(' 408 ')).length,
        'readers that were cut off': cut,
      },
      figures: {
        slow: slow.length,
        'closed in ms': latest,
        readers: readers.length,
        'cut off': cut,
        'p99 before ms': Math.round(before),
        'p99 during ms': Math.round(during),
        'memory MB': `${memoryBefore.toFixed(0)} to ${memory.toFixed(0)}`,
      },
    });
  },
};

/** Sockets that drip beside readers that have stopped, and what others saw of it. */
async function drip({ run, deployment, journal }: Siege, readers: Held[], timeoutMs: number) {
  for (const { socket } of readers) socket.resume();
  const began = performance.now();
  await sleep(scaled(run, 30_000, 4000));
  const struckAt = performance.now();
  for (const { socket } of readers) socket.pause();
  const slow: Held[] = [];
  for (let n = 0; n < scaled(run, 500); n++) slow.push(openSlow(deployment.urls()[0] as string));
  await sleep(timeoutMs);
  const endAt = performance.now();
  await until(() => openOf(slow) === 0, 2 * (CHECK_MS + SLACK_MS));
  const open = slow.map(({ openedAt, closedAt }) => (closedAt ?? performance.now()) - openedAt);
  return {
    slow,
    latest: Math.round(Math.max(...open)),
    before: quantile(journal.latencies(began, struckAt), 0.99),
    during: quantile(journal.latencies(struckAt, endAt), 0.99),
  };
}

const BATCH = 50;
const MAX_DOCUMENTS = 10_000;

/** The load of the flood, with nobody who does not read. */
async function warmUp(siege: Siege): Promise<void> {
  for (let n = 0; n < WARM_UP; n += BATCH) await pour(siege);
}

/** Documents, and with them events, until all readers are cut off. Returns how many were. */
async function flood(siege: Siege, readers: Held[]): Promise<number> {
  const { deployment } = siege;
  let open = readers.length;
  for (let n = 0; n < MAX_DOCUMENTS && open > 0; n += BATCH) {
    await pour(siege);
    // A socket that is not read does not hear that it was closed: the service says how many streams it has.
    const headers = { authorization: `Bearer ${deployment.internals}` };
    const { body } = await call(`${deployment.urls()[0]}/internals/metrics`, { headers });
    const streams = Number(/^docket_streams (\d+)/m.exec(body)?.[1] ?? readers.length + 1);
    // One of them is the follower's.
    open = Math.min(readers.length, Math.max(0, streams - 1));
  }
  return readers.length - open;
}

/** As many at once as are sent without waiting for each other. */
async function pour({ load }: Siege): Promise<void> {
  load.burst(BATCH);
  await until(() => load.inFlight < BATCH, 20_000, 5);
}
