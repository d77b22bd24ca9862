/** Plays a history against the real service, judged by the model. */
import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';
import type { Moment } from './histories.ts';
import { initial, type State } from './model.ts';
import { isWaiting } from './model-lanes.ts';
import { together } from './model-orders.ts';
import type { Work } from './model-work.ts';
import { Played } from './played.ts';
import { readModel, readTenant } from './reading.ts';

const MAX_TURNS = 200;
const doAll = (worker: string): Work => ({ kind: 'work', worker, fate: ['done'], turns: 2, crowded: false });

/** When drained, everything that waits at the end is processed, and there must be an end to it. */
export async function play(service: TestService, history: Moment[], { drained }: { drained: boolean }): Promise<void> {
  const tenant = await service.newTenant();
  const played = new Played(service, tenant);
  let states: State[] = [initial];
  try {
    for (const moment of history) await live(moment);
    await compare();
    if (drained) {
      await drain();
      await compare();
      for (const state of states) checkLaws(state);
    }
  } finally {
    await played.leave();
  }

  async function live(moment: Moment) {
    const done = await Promise.all(
      moment.map(async (operation) => ({ operation, seen: await played.perform(operation) })),
    );
    const after = together(states, done);
    expect(after.length, `no order explains ${JSON.stringify({ done, states })}`).toBeGreaterThan(0);
    states = after;
    return done;
  }

  async function compare() {
    const real = await readTenant(service, tenant);
    const possible = states.map(readModel);
    if (possible.length === 1) expect(real).toEqual(possible[0]);
    else expect(possible).toContainEqual(real);
  }

  async function drain() {
    const busy = new Set(states.flatMap(({ turns }) => Object.keys(turns)));
    for (const worker of busy) while (states.some(({ turns }) => turns[worker])) await live([doAll(worker)]);
    for (const scope of Object.keys(states[0]?.scopes ?? {})) {
      await live([{ kind: 'lease ends', scope }]);
      await live([{ kind: 'retries due', scope }]);
    }
    for (let turns = 0; ; turns++) {
      expect(turns, 'there is no end to it').toBeLessThan(MAX_TURNS);
      const [first] = await live([doAll('v')]);
      if (first?.seen.answer === 'took nothing') return;
      await live([doAll('v')]);
    }
  }
}

/** What holds when nothing is left to do, whatever the model says of the way there. */
function checkLaws({ scopes, events }: State): void {
  for (const { documents, lane, next } of Object.values(scopes)) {
    expect(lane).toBeNull();
    expect(documents.filter(isWaiting)).toEqual([]);
    const seqs = documents.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].filter((seq) => seq < next).sort((a, b) => a - b));
    for (const { id, version, state } of documents) {
      const newer = documents.filter((other) => other.id === id && other.version > version);
      expect(state === 'superseded').toBe(newer.some(({ state }) => state === 'processed' || state === 'superseded'));
    }
  }
  for (const [event, times] of Object.entries(events)) {
    const queued = event.replace('document.processed', 'document.queued');
    expect(times, event).toBeLessThanOrEqual(events[queued] ?? 0);
  }
}
