/** A process that was told to end: not ready at once, and closed to nobody before its delay is over. */
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { connect, newDatabase } from '../support/database.ts';
import { startService } from '../support/process.ts';
import { until } from '../support/until.ts';

async function start(settings: Record<string, string>) {
  const databaseUrl = await newDatabase();
  const { tenant } = await createTenant(connect(databaseUrl), 'tenant', BY_COMMAND_LINE);
  const service = startService({ DATABASE_URL: databaseUrl, ROLE: 'api', ...settings });
  const url = await service.listening;
  // Each on a connection of its own, as a balancer's.
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { connection: 'close', ...init.headers } });
  const probe = async (path: string) => {
    const response = await ask(path);
    return [response.status, ((await response.json()) as { detail?: string }).detail];
  };
  const post = () =>
    ask('/api/ingest', {
      method: 'POST',
      headers: { 'x-tenant-id': tenant.tenant_id, 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id: 's', name: 'n', text: 't' }),
    });
  return { service, probe, post };
}

describe('with a delay', () => {
  it('is not ready and serves on, and a second signal ends it', async () => {
    const { service, probe, post } = await start({ DRAIN_DELAY_MS: '600000' });
    expect(await probe('/readyz')).toEqual([200, undefined]);
    service.child.kill('SIGTERM');
    await until(
      () => probe('/readyz'),
      ([status]) => status === 503,
    );
    expect(await probe('/readyz')).toEqual([503, 'The service is stopping.']);
    expect(await probe('/api/health')).toEqual([503, 'The service is stopping.']);
    expect(await probe('/livez')).toEqual([200, undefined]);
    expect((await post()).status).toBe(202);

    let outcome: Awaited<typeof service.ended> | undefined;
    void service.ended.then((ended) => {
      outcome = ended;
    });
    await until(
      () => {
        service.child.kill('SIGTERM');
        return outcome?.code;
      },
      (code) => code !== undefined,
    );
    expect(outcome).toMatchObject({ code: 0, signal: null });
    expect(outcome?.stdout).toContain('closing in 600000 ms or at the next signal');
  });

  it('ends by itself when that is over', async () => {
    const { service } = await start({ DRAIN_DELAY_MS: '50' });
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });
});
