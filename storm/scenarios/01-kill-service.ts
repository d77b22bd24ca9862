/** 1: kill -9 of the service under load, again and again. What it had answered 202 is there, once, and nothing else. */
import { besiege, conclude, type Run, type Scenario, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

const LEASE_MS = 2000;

export const killService: Scenario = {
  number: 1,
  name: 'kill-service',
  what: 'kill -9 of the service under load',
  backends: ['postgres', 'redis'],
  processes: [1, 4],
  async run(run: Run) {
    const siege = await besiege(run, { settings: { LANE_LEASE_MS: `${LEASE_MS}` } }, { changing: true });
    const { deployment, load, journal } = siege;
    const kills = scaled(run, 20, 2);
    let inFlight = 0;
    let slowest = 0;
    for (let n = 0; n < kills; n++) {
      await sleep(run.chance.between(700, 2000));
      // In the middle of requests, or the kill would show nothing.
      await until(() => load.inFlight > 0, 5000, 1);
      const node = run.chance.pick(deployment.nodes);
      if (load.inFlight > 0) inFlight++;
      slowest = Math.max(slowest, await node.restart(run.chance.between(0, 300)));
      run.say(`kill ${n + 1} of ${kills}`);
    }
    await sleep(1000);
    return conclude(siege, {
      bites: { 'kills with requests in flight': inFlight, 'requests cut off': journal.cutOff },
      figures: { kills, 'cut off': journal.cutOff, 'back in ms': slowest },
    });
  },
};
