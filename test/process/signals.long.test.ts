/**
 * Signals end the service cleanly, whoever gets them and whenever they come. It gives itself ten seconds, and ends with 1
 * when they do not do: no clock is needed here.
 */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { newRedisUrl, onRedis } from '../support/backends.ts';
import { connect as connectTo, newDatabase } from '../support/database.ts';
import { newFolderWithCluster, postgresRuns, start, startService, stop } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';

describe('signals', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s to npm ends npm, the service and Postgres with 0', async (signal) => {
    const dataDir = newFolderWithCluster();
    const service = start(['npm', 'start'], { DATA_DIR: dataDir });
    await service.listening;
    expect(await stop(service, signal)).toMatchObject({ code: 0, signal: null });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });

  it('twice, as npm passes on what the terminal has sent, is the same as once', async () => {
    const dataDir = newFolderWithCluster();
    const service = startService({ DATA_DIR: dataDir });
    await service.listening;
    service.child.kill('SIGINT');
    service.child.kill('SIGINT');
    expect(await service.ended).toMatchObject({ code: 0 });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });

  it('while it is starting, ends it as cleanly', async () => {
    const dataDir = newFolderWithCluster();
    const service = startService({ DATA_DIR: dataDir });
    await expect.poll(() => postgresRuns(dataDir), { interval: 5 }).toBe(true);
    expect(await stop(service)).toMatchObject({ code: 0 });
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });

  it('with a client that drips its request, ends in its time', async () => {
    const service = startService({ DATA_DIR: newFolderWithCluster(), REQUEST_TIMEOUT_MS: '600000' });
    const { port, hostname } = new URL(await service.listening);
    const drip = connect(Number(port), hostname, () => drip.write('POST /admin/tenants HTTP/1.1\r\nHost: x\r\n'));
    drip.on('error', () => {});
    await new Promise((resolve) => drip.once('connect', resolve));
    expect(await stop(service)).toMatchObject({ code: 0 });
  });
});

onRedis('a signal under load', () => {
  it.each(['there', 'away', 'silent'] as const)(
    'with Redis %s, ends it in its time, and it hands back what it had',
    async (redis) => {
      const url = new URL(newRedisUrl());
      const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
      url.port = `${proxy.port}`;
      const databaseUrl = await newDatabase();
      const db = connectTo(databaseUrl);
      const { tenant } = await createTenant(db, 'tenant', BY_COMMAND_LINE);
      const service = startService({ DATABASE_URL: databaseUrl, REDIS_URL: url.href });
      const address = await service.listening;
      const documents = Array.from({ length: 100 }, (_, n) => ({
        scope_id: `s-${n % 10}`,
        name: 'n',
        text: 'It is so. '.repeat(800),
      }));
      for (let n = 0; n < 10; n++) {
        const response = await fetch(`${address}/api/ingest/batch`, {
          method: 'POST',
          headers: { 'x-tenant-id': tenant.tenant_id, 'content-type': 'application/json' },
          body: JSON.stringify({ documents }),
        });
        expect(response.status).toBe(202);
      }
      if (redis === 'away') proxy.down();
      if (redis === 'silent') proxy.stall();
      expect(await stop(service)).toMatchObject({ code: 0 });
      const { rows } = await db.query('select count(*)::int as n from lanes where holder is not null');
      expect(rows).toEqual([{ n: 0 }]);
    },
  );
});
