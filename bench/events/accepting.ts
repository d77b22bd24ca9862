/** Whether those who post notice that others read all of it as it comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type ChildProcess } from '../parts/child.ts';
import { closedLoop } from '../parts/generator.ts';
import { amount, aside, medianRatio, percent, row, say } from '../parts/report.ts';
import { query } from '../parts/stores.ts';
import type { EventsNode } from './node.ts';
import type { Look, Question } from './reader.ts';
import { ACCEPTING_ROUNDS, ACCEPTING_S, ACCEPTING_STREAMS } from './sizes.ts';

/** To the last event, after the load. */
const CATCH_UP_MS = 10_000;

export async function measureAccepting(node: EventsNode, reader: ChildProcess) {
  const put = (question: Question) => ask<Look>(reader, { ...question });
  const rates: Record<number, number[]> = { 0: [], [ACCEPTING_STREAMS]: [] };
  /** What the service itself works for a document: it hangs less on who else is on the machine. */
  const works: Record<number, number[]> = { 0: [], [ACCEPTING_STREAMS]: [] };
  let [generatorCpu, failed] = [0, 0];
  for (let round = 1; round <= ACCEPTING_ROUNDS; round++) {
    for (const streams of [0, ACCEPTING_STREAMS]) {
      const before = await put({ ask: 'open', wanted: node.ofKernel(streams) });
      const [used, began] = [await node.usage(), performance.now()];
      const load = await closedLoop(node.port, node.tenants, ACCEPTING_S);
      const tookS = (performance.now() - began) / 1000;
      const workS = (await node.usage()).cpuS - used.cpuS;
      const readerCpu = ((await put({ ask: 'look' })).cpuS - before.cpuS) / tookS;
      const lateMs = streams > 0 ? await catchUp(node, () => put({ ask: 'look' })) : 0;
      const cut = (await put({ ask: 'close' })).cut - before.cut;
      rates[streams]?.push(load.perSecond);
      works[streams]?.push((workS / load.accepted) * 1e6);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu, readerCpu);
      // A stream that was cut off has failed as much as a request.
      failed += load.failed + cut;
      say(
        `round ${round}: accepting, ${`${amount(streams)} streams`.padEnd(14)} ${load.perSecond.toFixed(0).padStart(6)}/s; ` +
          `service ${percent(workS / tookS)}, ${((workS / load.accepted) * 1e6).toFixed(0)} µs a document, generator ${percent(load.generatorCpu)}, reader ${percent(readerCpu)}; ` +
          `${cut} streams cut off, the rest had all after ${lateMs.toFixed(0)} ms`,
      );
    }
  }
  const ratio = (figures: Record<number, number[]>) =>
    medianRatio(figures[ACCEPTING_STREAMS] as number[], figures[0] as number[]);
  const rounded = (figures: Record<number, number[]>) =>
    Object.fromEntries(
      Object.entries(figures).map(([streams, values]) => [`${streams} streams`, values.map(Math.round)]),
    );
  return {
    rows: [
      row(`accepted documents a second with ${ACCEPTING_STREAMS} streams open / with none`, ratio(rates), '≥', 0.9),
      aside('  processor time of the service for each of them', ratio(works)),
    ],
    generatorCpu,
    failed,
    perSecond: rounded(rates),
    serviceMicrosEach: rounded(works),
  };
}

/** Until every stream has the last event of the log. Returns how long that took. */
async function catchUp(node: EventsNode, look: () => Promise<Look>): Promise<number> {
  const [{ newest }] = (await query(node.databaseUrl, 'select max(event_id)::float8 as newest from events')) as [
    { newest: number },
  ];
  const began = performance.now();
  while ((await look()).position < newest) {
    if (performance.now() - began > CATCH_UP_MS) return Number.NaN;
    await sleep(20);
  }
  return performance.now() - began;
}
