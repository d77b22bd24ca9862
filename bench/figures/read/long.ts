/** Whether a page of facts of long documents has as many facts as one of short ones, and takes as long: scopes that are asked in turn. */
import { amount, median, say } from '../../parts/report.ts';
import type { Stores } from '../../parts/stores.ts';
import type { Outcome } from '../figure.ts';
import { LONG, READS } from '../sizes.ts';
import { longText } from './firms.ts';
import { Reader } from './reader.ts';

const PATH = 'scopes/SCOPE/facts';
const WARM_UP = 5;

export async function measureLong(stores: Stores): Promise<Outcome[]> {
  const reader = await Reader.start(stores);
  for (const [scope, { documents, sentences }] of LONG.entries())
    await reader.fill(scope, documents, documents, (nth) => longText(nth, sentences));
  await reader.analyze();
  const times: number[][] = LONG.map(() => []);
  for (let n = -WARM_UP; n < READS; n++)
    for (const scope of LONG.keys()) {
      const ms = await reader.timeOf(scope, PATH);
      if (n >= 0) times[scope]?.push(ms);
    }
  const medians = times.map((list) => median(list));
  const shown: number[] = [];
  for (const [scope, { documents, sentences }] of LONG.entries()) {
    const { facts } = await reader.read(scope, PATH);
    shown.push(facts.length);
    say(
      `${amount(documents)} documents of ${amount(sentences)} sentences: ${facts.length} facts in ${medians[scope]?.toFixed(2)} ms`,
    );
  }
  await reader.end();
  const [short, ...others] = medians as [number, ...number[]];
  return [{ value: Math.min(...shown) }, { value: Math.max(...others) / short }];
}
