/** 9: SIGTERM with many streams open and Redis gone, under load. It ends with 0 in ten seconds, and loses nothing. */
import { type Held, isStreaming, openOf, openStream } from '../faults/sockets.ts';
import { besiege, conclude, type Run, type Scenario, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

const END_MS = 10_000;

export const sigterm: Scenario = {
  number: 9,
  name: 'sigterm',
  what: 'SIGTERM with streams open and Redis down',
  backends: ['redis'],
  processes: [1, 4],
  async run(run: Run) {
    const siege = await besiege(run);
    const { deployment, load, journal } = siege;
    const rounds = scaled(run, 5);
    const wanted = scaled(run, 500);
    const complaints: string[] = [];
    let [slowest, inFlight, streamed, orderly] = [0, 0, 0, 0];
    for (let n = 0; n < rounds; n++) {
      await sleep(1000);
      const node = run.chance.pick(deployment.apis);
      const streams: Held[] = [];
      for (let s = 0; s < wanted; s++)
        streams.push(openStream(node.url, '/internals/kernel/events', deployment.internals));
      await until(() => streams.every(isStreaming), 20_000);
      streamed += streams.filter(isStreaming).length;
      await deployment.redis?.kill();
      await sleep(1000);
      await until(() => load.inFlight > 0, 5000, 1);
      inFlight += load.inFlight;
      const { code, ms } = await node.end(2 * END_MS);
      run.say(`ended with ${code} in ${ms} ms, ${openOf(streams)} streams left`);
      if (code !== 0) complaints.push(`it ended with ${code}`);
      if (ms > END_MS) complaints.push(`it took ${ms} ms to end`);
      slowest = Math.max(slowest, ms);
      await until(() => openOf(streams) === 0, 2000);
      orderly += streams.filter(({ wasEnded }) => wasEnded).length;
      if (openOf(streams) > 0) complaints.push(`${openOf(streams)} streams are open after its end`);
      await deployment.redis?.start();
      await node.start();
    }
    return conclude(siege, {
      complaints,
      bites: { 'streams open at the signal': streamed, 'requests in flight at the signal': inFlight },
      figures: {
        rounds,
        streams: streamed,
        'ended in ms': slowest,
        'streams ended in order': orderly,
        'in flight': inFlight,
        'cut off': journal.cutOff,
      },
    });
  },
};
