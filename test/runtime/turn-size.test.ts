/** How many documents a worker takes at once, beside whom. */
import { expect, it } from 'vitest';
import { Pace } from '../../src/runtime/pace.ts';
import { SteppedTurn } from '../domain/accept/stepped-turn.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';

const service = withVerbs(await startTestService());
const MANY = 600;

it('is less for who has much while another has little, and as before when the other has gone', async () => {
  const [heavy, light] = [await service.newTenant(), await service.newTenant()];
  const documents = Array.from({ length: MANY }, (_, nth) => ({ scope_id: 's', name: 'n', text: `${nth}` }));
  for (let at = 0; at < MANY; at += 100)
    await service.call('POST', '/api/ingest/batch', {
      tenantId: heavy.tenantId,
      body: { documents: documents.slice(at, at + 100) },
    });
  const pace = new Pace();
  const take = async () => {
    const turn = await SteppedTurn.begin(service.db, 'worker', 1, pace);
    const taken = turn.lanes.map(({ tenant_id, documents }) => [tenant_id, documents.length]);
    while (turn.at) await turn.goOn(['done']);
    return taken;
  };
  const full = await take();
  expect(full).toEqual([[heavy.tenantId, pace.full.documents]]);
  await service.ingest(light, 's', 'ok');
  expect(await take()).toEqual([[light.tenantId, 1]]);
  expect(await take()).toEqual([[heavy.tenantId, Math.ceil(pace.full.documents / 3)]]);
  pace.met(light.tenantId, false);
  expect(await take()).toEqual(full);
});
