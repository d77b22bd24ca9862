/** Random histories of callers and workers against the real service and the model; and proof that it would object. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '../../support/rounds.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { processing } from './histories.ts';
import { play } from './play.ts';

const RUNS = rounds(30, 200);
/** At most: it ends with the first that fails. */
const RUNS_PLANTED = 500;
/** One history at a time in each: a worker takes whatever lane is next, whoever's it is. */
const services = await Promise.all([startTestService(), startTestService()]);
const propertyOf = (service: TestService) =>
  fc.asyncProperty(processing, (history) => play(service, history, { drained: true }));

it.concurrent.for(services)(
  `agrees with the model over ${RUNS / services.length} histories of callers and workers`,
  async (service) => {
    await fc.assert(propertyOf(service), { numRuns: RUNS / services.length });
  },
);

const planted = [
  [
    'settles for a lease that is lost',
    'settle_lanes',
    'and holder = worker and epoch = its_epoch and ready_at > settled_at',
    '',
  ],
  [
    'settles what was planned for another state of the scope',
    'settle_lanes',
    'and (p.revision is null or p.revision = its.revision)',
    '',
  ],
  ['leaves older versions as they were', 'write_documents', 'if older is null then', 'if true then'],
  ['forgets a counter', 'write_scopes', 's.retrying + p.retrying', 's.retrying'],
  ['tells of what was not settled', 'append_events_of', 'where lanes is null or lane = any (lanes)', ''],
  ['lets a lane sleep when there is something to do', 'awaken_lanes', 'where lanes.holder is null', 'where false'],
  ['takes a lane that is leased', 'lease_lanes', "+ lease_ms * interval '1 ms'", ''],
  ['does not count a worker that vanished', 'note_vanished', 'if lane.holder is null then', 'if true then'],
  ['claims what is not due', 'lease_lanes', 'and d.not_before <= moment', ''],
] as const;

it.for(planted)('would see a service that %s', async ([, name, from, to]) => {
  const [service] = services;
  const { rows } = await service.db.query<{ sound: string }>('select pg_get_functiondef($1::regproc) as sound', [name]);
  const sound = rows[0]?.sound ?? '';
  expect(sound.split(from), 'the migration reads otherwise now').toHaveLength(2);
  await service.db.query(sound.replace(from, to));
  try {
    const { failed } = await fc.check(propertyOf(service), { numRuns: RUNS_PLANTED, endOnFailure: true });
    expect(failed).toBe(true);
  } finally {
    await service.db.query(sound);
  }
});
