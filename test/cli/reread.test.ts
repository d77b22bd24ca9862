import { expect, it } from 'vitest';
import { RULES } from '../../src/pipeline/claim.ts';
import { newDatabase } from '../support/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { makeOlder } from '../support/older-rules.ts';
import { NODE, start } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

it('stops reading again, says how far it has come, and shows it to the end', async () => {
  const env = { DATABASE_URL: await newDatabase() };
  const reread = (...args: string[]) => start([NODE, 'src/cli/reread.ts', ...args], env).ended;
  const before = withVerbs(await startTestService({ settings: { ...env, ROLE: 'all' } }));
  const tenant = await before.newTenant();
  await before.ingest(tenant, 'firms', 'Acme Robotics has 1,900 employees.');
  await before.processed(tenant, 'firms', 1);
  await before.close();
  const api = await startTestService({ settings: { ...env, ROLE: 'api' } });
  await makeOlder(api.db);

  const stopped = await reread('stop');
  expect(stopped).toMatchObject({ code: 0 });
  expect(stopped.stdout).toBe(
    `1 scope is to be read again; it rests: npm run reread starts it\n  ${tenant.tenantId} firms: 0 of 1\n`,
  );
  const service = withVerbs(await startTestService({ settings: { ...env, ROLE: 'all' } }));
  await service.ingest(tenant, 'others', 'It rains.');
  await service.processed(tenant, 'others', 1);
  expect((await reread('status')).stdout).toBe(stopped.stdout);
  const { code, stdout } = await reread();
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    'All that is stored was read by the rules in force.',
  ]);
  expect((await service.summary(tenant, 'firms')).rules).toMatchObject({ in_force: RULES, applied: RULES });
  expect(await reread('often')).toMatchObject({ code: 1, stderr: expect.stringContaining('usage:') });
});
