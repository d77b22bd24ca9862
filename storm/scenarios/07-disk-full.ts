/** 7: the disk is full, then freed. No 202 for what is not stored, and it recovers without a restart. */
import { join } from 'node:path';
import { SmallDisk } from '../faults/small-disk.ts';
import { newFolder } from '../folder.ts';
import { besiege, conclude, type Run, type Scenario, scaled } from '../siege.ts';
import { sleep, timeUntil, until } from '../waiting.ts';

const DISK_MB = 400;
const RECOVERED_MS = 30_000;

export const diskFull: Scenario = {
  number: 7,
  name: 'disk-full',
  what: 'the disk full, then freed',
  backends: ['postgres', 'redis'],
  processes: [1],
  async run(run: Run) {
    const disk = new SmallDisk(join(newFolder('disk'), 'small'), DISK_MB);
    const siege = await besiege(run, { dataDir: join(disk.folder, 'data'), settings: { LANE_LEASE_MS: '2000' } });
    const { deployment, journal } = siege;
    const [node] = deployment.nodes;
    const { pid } = node as { pid: number };
    const complaints: string[] = [];
    let slowest = 0;
    const rounds = scaled(run, 10);
    for (let n = 0; n < rounds; n++) {
      await sleep(1500);
      const before = journal.count(503);
      const stopFilling = keepFull(disk);
      await until(() => journal.count(503) > before, 20_000);
      run.say(`full; ${journal.count(503) - before} answers of 503`);
      await sleep(scaled(run, 30_000, 3000));
      stopFilling();
      disk.free();
      const since = performance.now();
      const isBack = () => journal.sent.some(({ at, status }) => status === 202 && at > since);
      const back = await timeUntil(isBack, RECOVERED_MS);
      if (back === null) complaints.push(`nothing was accepted within ${RECOVERED_MS} ms of the disk being freed`);
      else slowest = Math.max(slowest, back);
      run.say(`freed; accepting again after ${back} ms`);
    }
    if (!node?.isRunning || node.pid !== pid) complaints.push('the service ended');
    const outcome = await conclude(siege, {
      complaints,
      bites: { '503s': journal.count(503) },
      figures: { rounds, 'accepting in ms': slowest },
    });
    outcome.figures['false 202s'] = outcome.verdict.counts.lost;
    return outcome;
  },
};

/** Whatever Postgres frees on its way is taken again. */
function keepFull(disk: SmallDisk): () => void {
  disk.fill();
  const timer = setInterval(() => disk.fill(), 100);
  return () => clearInterval(timer);
}
