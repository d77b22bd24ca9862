/** Short runs that bring a planted bug to light: no fault at all, or many in little time. */

import { endBackends, stopHard } from '../scenarios/03-postgres-down.ts';
import { besiege, conclude, type Run, type Scenario } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

type Strike = Pick<Scenario, 'run' | 'backends' | 'processes'>;

const PER_SECOND = 250;
const STOPS = 8;
const END_FOR_MS = 6000;
const END_EVERY_MS = 120;
const RESETS = 6;
const MAX_CHANGING_MS = 60_000;

export const calm: Strike = {
  backends: ['postgres'],
  processes: [1],
  async run(run: Run) {
    const siege = await besiege(run, {}, { changing: true });
    await sleep(3000);
    return conclude(siege, { bites: {}, figures: {} });
  },
};

/** Nothing but a client that changes its mind, until it has reset its scopes a few times. */
export const changing: Strike = {
  backends: ['postgres'],
  processes: [1],
  async run(run: Run) {
    const siege = await besiege(run, {}, { changing: true });
    await until(() => (siege.changes?.steps.resets ?? 0) >= RESETS, MAX_CHANGING_MS);
    return conclude(siege, { bites: {}, figures: {} }, STUCK_MS);
  },
};

/** Long enough for every scope to have been told of in vain. */
const GONE_MS = 3000;
const STUCK_MS = 15_000;

export const redisGone: Strike = {
  backends: ['redis'],
  processes: [1],
  async run(run: Run) {
    const siege = await besiege(run);
    await sleep(1000);
    await siege.deployment.redis?.kill();
    await sleep(GONE_MS);
    await siege.deployment.redis?.start();
    return conclude(siege, { bites: {}, figures: {} }, STUCK_MS);
  },
};

export const hammer: Strike = {
  backends: ['postgres'],
  processes: [1],
  async run(run: Run) {
    const siege = await besiege(
      run,
      { settings: { LANE_LEASE_MS: '2000' } },
      { perSecond: PER_SECOND, changing: true },
    );
    const { journal } = siege;
    await sleep(1000);
    const { ended } = await endBackends(siege, END_FOR_MS, END_EVERY_MS);
    for (let n = 0; n < STOPS; n++) {
      const before = journal.count(202);
      await until(() => journal.count(202) > before + 100, 20_000, 10);
      await stopHard(siege);
      run.say(`stop ${n + 1} of ${STOPS}`);
    }
    return conclude(siege, { bites: { '503s': journal.count(503), 'backends ended': ended }, figures: { ended } });
  },
};
