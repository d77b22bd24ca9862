/** What an event costs the database, and how long after its commit it is there, with one stream and with very many. */
import { ask, type ChildProcess } from '../parts/child.ts';
import { amount, aside, medianRatio, percent, row, say } from '../parts/report.ts';
import type { Stores } from '../parts/stores.ts';
import { type EventsNode, SCOPES, type Wanted } from './node.ts';
import type { Delivery, Question } from './reader.ts';
import { DELIVERY_S, EVENTS_PER_S, ROUNDS, STREAMS } from './sizes.ts';
import { StatementCount } from './statements.ts';

interface Measured extends Delivery {
  /** For each event. */
  statements: number;
  reads: number;
}

export async function measureDelivery(stores: Stores, node: EventsNode, reader: ChildProcess) {
  const statements = await StatementCount.open(stores, node.databaseUrl);
  const sets = [
    { name: '1 stream', wanted: node.ofKernel(1), copies: 1 },
    { name: `${amount(STREAMS)} streams`, wanted: node.ofScopes(STREAMS), copies: STREAMS / SCOPES },
  ];
  const measured: Measured[][] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [which, { name, wanted, copies }] of sets.entries()) {
      const one = await measure(statements, node, reader, wanted, copies);
      measured[which]?.push(one.measured);
      say(`round ${round}: ${name.padEnd(14)} ${one.line}`);
    }
  }
  const of = (which: number, figure: keyof Measured) => (measured[which] as Measured[]).map((one) => one[figure]);
  const ratio = (figure: keyof Measured) => medianRatio(of(1, figure), of(0, figure));
  const all = measured.flat();
  const many = amount(STREAMS);
  return {
    rows: [
      row(`statements an event at ${many} streams / at 1 stream`, ratio('statements'), '≤', 1.1),
      aside('  of them those that read the log', ratio('reads')),
      row(`p99 from commit to delivery at ${many} streams in ${SCOPES} scopes / at 1 stream`, ratio('p99'), '≤', 5),
      aside('  from when the post was due', ratio('sincePostP99')),
    ],
    generatorCpu: Math.max(...all.map(({ generatorCpu }) => generatorCpu)),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    delivery: Object.fromEntries(
      sets.map(({ name }, which) => [
        name,
        Object.fromEntries(
          (['statements', 'reads', 'p50', 'p99', 'sincePostP99'] as const).map((figure) => [
            figure,
            of(which, figure).map((value) => Math.round(value * 100) / 100),
          ]),
        ),
      ]),
    ),
  };
}

async function measure(
  statements: StatementCount,
  node: EventsNode,
  reader: ChildProcess,
  wanted: Wanted[],
  copies: number,
) {
  const put = <Answer>(question: Question) => ask<Answer>(reader, { ...question });
  await put({ ask: 'open', wanted });
  const [before, began] = [await node.usage(), performance.now()];
  await statements.begin();
  const delivery = await put<Delivery>({ ask: 'post', perSecond: EVENTS_PER_S, seconds: DELIVERY_S, copies });
  const { all, of } = await statements.look();
  const cpu = ((await node.usage()).cpuS - before.cpuS) / ((performance.now() - began) / 1000);
  await put({ ask: 'close' });
  const each = (count: number) => count / delivery.sent;
  const purposes = Object.entries(of).map(([purpose, count]) => `${purpose} ${each(count).toFixed(2)}`);
  const line =
    `${each(all).toFixed(2)} statements an event (${purposes.join(', ')}); ` +
    `p99 ${delivery.p99.toFixed(1)} ms, p50 ${delivery.p50.toFixed(1)} ms; ` +
    `service ${percent(cpu)}, generator ${percent(delivery.generatorCpu)}`;
  return { line, measured: { ...delivery, statements: each(all), reads: each(of['read the log'] ?? 0) } };
}
