/** Whether a document costs more in a scope that holds many: the whole way, comparing and storing included. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../parts/fill.ts';
import { amount, row, say } from '../parts/report.ts';
import { newDatabase, query, type Stores } from '../parts/stores.ts';
import { ServiceNode } from '../process/node.ts';
import { randomFrom, report } from './prose.ts';
import { FEW, MANY } from './sizes.ts';

const LOOK_EVERY_MS = 20;
/** What a rate is taken over. */
const STRETCH = FEW;
/** Of so many, each is spoken of by a dozen documents in the end; and all share the words of their sentences. */
const firms = Math.ceil(MANY / 12);
const DEADLINE_MS = 30 * 60_000;

export async function measureGrowth({ postgresUrl, redisUrl }: Stores) {
  const random = randomFrom(3);
  const contents = Array.from({ length: MANY + 2 * STRETCH }, (_, n) => ({
    name: `Report ${n}`,
    type: 'txt',
    text: report(random, random(firms), 400),
  }));
  const { url, tenants } = await newDatabase(postgresUrl, 'growth', 1);
  const [tenant] = tenants;
  if (!tenant) throw new Error('there is no tenant');
  await fill(url, { contents, scopes: [{ tenant_id: tenant.id, scope_id: 'reports', documents: contents.length }] });
  const node = await ServiceNode.start({ databaseUrl: url, redisUrl, pipeline: 'stages' });
  await node.control('resume');
  const reached = await times(url, [FEW, FEW + STRETCH, MANY, MANY + STRETCH]);
  await node.end();
  const [early, late] = [
    (reached[1] as number) - (reached[0] as number),
    (reached[3] as number) - (reached[2] as number),
  ];
  const [found] = await query(url, 'select contradictions_open::float8 as open, groups::float8 as groups from scopes');
  const perDocument = (ms: number) => ms / STRETCH;
  say(
    `a document took ${perDocument(early).toFixed(2)} ms at ${amount(FEW)}, ${perDocument(late).toFixed(2)} ms at ${amount(MANY)}; ` +
      `${amount(found.groups)} groups, ${amount(found.open)} contradictions`,
  );
  return {
    rows: [row(`time for a document in a scope of ${amount(MANY)} / of ${amount(FEW)}`, late / early, '≤', 1.5)],
    msPerDocument: { [FEW]: perDocument(early), [MANY]: perDocument(late) },
  };
}

/** When so many were processed, in milliseconds, between two looks by their share. */
async function times(url: string, marks: number[]): Promise<number[]> {
  const reached: number[] = [];
  const deadline = performance.now() + DEADLINE_MS;
  let before = { at: performance.now(), n: 0 };
  let told = 0;
  while (reached.length < marks.length) {
    if (performance.now() > deadline) throw new Error('it took too long');
    await sleep(LOOK_EVERY_MS);
    const [counted] = await query(url, 'select processed::float8 as n from scopes');
    const now = { at: performance.now(), n: counted.n as number };
    for (let mark = marks[reached.length]; mark !== undefined && now.n >= mark; mark = marks[reached.length])
      reached.push(before.at + ((now.at - before.at) * (mark - before.n)) / (now.n - before.n));
    before = now;
    if (now.n - told >= 10_000) {
      told = Math.floor(now.n / 10_000) * 10_000;
      say(`${amount(told)} processed`);
    }
  }
  return reached;
}
