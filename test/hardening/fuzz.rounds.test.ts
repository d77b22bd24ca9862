/** Requests made from the contract, right ones and wrong ones. */
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { startTestService } from '../support/service.ts';
import { fuzz, isInVain } from './fuzz/fuzz.ts';
import { count5xx, describeBreaks } from './fuzz/report.ts';
import { makeWorld, settle } from './fuzz/setup.ts';

/** One that stays: a new one each time would fail on somebody else's change. `npm run fuzz` takes new ones. */
const SEED = 20_261_115;
const REQUESTS = rounds(1500, 3000);

describe('the service', () => {
  it('answers whatever it is sent as its contract says, and goes on working', async () => {
    const { url, admin, internals, app } = await startTestService({ settings: { ROLE: 'all' } });
    const document = app.swagger();
    const place = { url, admin, internals };
    const world = await makeWorld(place, document);
    const report = await fuzz({ url, document, world, requests: REQUESTS, seed: SEED, asksAgain: true });

    expect(report.breaks, describeBreaks(report)).toEqual([]);
    expect(count5xx(report)).toBe(0);
    expect(report.tally.size).toBe(Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path)).length + 1);
    expect([...report.tally].filter(([route]) => isInVain(report, route))).toEqual([]);
    expect((await settle(place, world)).documents).toBeGreaterThan(0);
  });
});
