/** The embedded Postgres when it does not come to itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/owner.ts';
import { childrenOf, readPostmaster } from '../../src/storage/embedded/postmaster.ts';
import { later } from '../support/later.ts';
import { newFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

/** In the place of a postmaster that waits for a recovery that is over: it says so to everybody, and ends when told to. */
const WEDGED = `
  const message = Buffer.from('SFATAL\\0VFATAL\\0C57P03\\0Mthe database system is not yet accepting connections\\0\\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(message.length + 4, 1);
  require('node:net').createServer((client) => {
    client.on('error', () => {}).once('data', () => client.end(Buffer.concat([head, message])));
  }).listen(Number(process.argv[1]), '127.0.0.1', () => process.stdout.write('up'));
  process.once('SIGQUIT', () => {
    require('node:fs').rmSync('postmaster.pid');
    process.exit();
  });
`;

it.runIf(process.platform === 'linux')('is stopped and started when it waits with nobody to wait for', async () => {
  const dataDir = newFolder();
  const { data, account } = await prepareCluster(dataDir, () => {});
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  // Where its account may go: the project's own Node may be in a folder that nobody else may enter.
  const node = join(dirname(data), 'node');
  copyFileSync(process.execPath, node);
  const wedged = spawn(node, ['-e', WEDGED, `${port}`], { cwd: data, ...account });
  later(() => void wedged.kill('SIGKILL'));
  await once(wedged.stdout, 'data');
  const seconds = Math.floor(Date.now() / 1000);
  writeFileSync(
    join(data, 'postmaster.pid'),
    [wedged.pid, data, seconds, port, '', '127.0.0.1', '', 'starting', ''].join('\n'),
  );

  const ended = once(wedged, 'exit');
  const embedded = await openEmbedded({ dataDir, holder: 'a test', say: () => {} });
  await ended;
  await embedded.close();
  expect(embedded.url).not.toContain(`:${port}/`);
});

it.runIf(process.platform === 'linux')(
  'is stopped and started when its recovery does not go on',
  async () => {
    const dataDir = newFolder();
    const said: string[] = [];
    const embedded = await openEmbedded({ dataDir, holder: 'a test', say: (line) => said.push(line) });
    later(() => embedded.close());
    const { data } = await prepareCluster(dataDir, () => {});
    const { pid } = readPostmaster(data) as { pid: number };
    const find = (name: string) => childrenOf(pid).find(({ title }) => title.startsWith(`postgres: ${name}`))?.pid;

    // It recovers after the death of one of its processes; whoever replays is frozen before it comes to its end.
    let frozen: number | undefined;
    while (frozen === undefined) {
      const victim = await until(
        () => find('walwriter'),
        (found) => found !== undefined,
      );
      process.kill(victim as number, 'SIGKILL');
      const deadline = performance.now() + 1000;
      while (frozen === undefined && performance.now() < deadline) frozen = find('startup');
      try {
        if (frozen !== undefined) process.kill(frozen, 'SIGSTOP');
      } catch {
        frozen = undefined;
      }
    }
    // Not what was said of those that came to their end.
    said.length = 0;
    await until(
      () => said,
      (lines) => lines.some((line) => line.includes('is back')),
      40_000,
    );
    const client = new pg.Client({ connectionString: embedded.url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  },
  60_000,
);
