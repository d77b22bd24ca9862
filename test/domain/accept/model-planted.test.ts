/** Proof that the model would object: a service with a bug planted in it does not agree with it for long. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { processing } from './histories.ts';
import { play } from './play.ts';

/** At most: it ends with the first that fails. */
const RUNS = 500;
const service = await startTestService();
const property = fc.asyncProperty(processing, (history) => play(service, history, { drained: true }));

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
  const { rows } = await service.db.query<{ sound: string }>('select pg_get_functiondef($1::regproc) as sound', [name]);
  const sound = rows[0]?.sound ?? '';
  expect(sound.split(from), 'the migration reads otherwise now').toHaveLength(2);
  await service.db.query(sound.replace(from, to));
  try {
    const { failed } = await fc.check(property, { numRuns: RUNS, endOnFailure: true });
    expect(failed).toBe(true);
  } finally {
    await service.db.query(sound);
  }
});
