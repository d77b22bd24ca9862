/**
 * Whether a document costs more in a scope that holds many: the whole way, comparing and storing included, in two databases
 * in turn. Both are loaded in bulk; what is measured comes after, on the way that all documents take.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../parts/fill.ts';
import { amount, median, medianRatio, row, say } from '../parts/report.ts';
import { emptyRedis, newDatabase, query, type Stores, type Tenant } from '../parts/stores.ts';
import { ServiceNode } from '../process/node.ts';
import { load } from './load.ts';
import { randomFrom, report } from './prose.ts';
import { FEW, MANY, ROUNDS, STRETCH } from './sizes.ts';

const LOOK_EVERY_MS = 20;
/** Each firm is spoken of by so many documents, in either scope; and all share the words of their sentences. */
const OF_A_FIRM = 12;
const CHARACTERS = 400;
const DEADLINE_MS = 5 * 60_000;

export async function measureGrowth(stores: Stores) {
  const sides = [await startSide(stores, FEW, 0), await startSide(stores, MANY, 1)] as const;
  // The first stretch compiles.
  for (const side of sides) await side.run();
  for (let round = 1; round <= ROUNDS; round++)
    for (const side of sides) {
      const ms = await side.run();
      side.times.push(ms);
      say(`round ${round}: a document took ${ms.toFixed(2)} ms in a scope of ${amount(side.size)} and some more`);
    }
  const [few, many] = sides;
  for (const { size, end } of sides) say(`in the scope of ${amount(size)}: ${await end()}`);
  const what = `time for a document of ${CHARACTERS} characters in a scope of ${amount(MANY)} / of ${amount(FEW)}`;
  return {
    rows: [row(what, medianRatio(many.times, few.times), '≤', 1.5)],
    msPerDocument: { [FEW]: median(few.times), [MANY]: median(many.times) },
  };
}

async function startSide({ postgresUrl, redisUrl }: Stores, size: number, nth: number) {
  const random = randomFrom(3);
  const firms = Math.ceil(size / OF_A_FIRM);
  // A stretch ends with the batch in hand, so that it takes some more than its own.
  const documents = size + 2 * (ROUNDS + 1) * STRETCH;
  const contents = Array.from({ length: documents }, (_, n) => ({
    name: `Report ${n}`,
    type: 'txt',
    text: report(random, random(firms), CHARACTERS),
  }));
  const { url, tenants } = await newDatabase(postgresUrl, `growth to ${size}`, 1);
  await fill(url, { contents, scopes: [{ tenant_id: (tenants[0] as Tenant).id, scope_id: 'reports', documents }] });
  await load(url, size);
  const settings = redisUrl && (await emptyRedis(redisUrl, nth));
  const node = await ServiceNode.start({ databaseUrl: url, redisUrl: settings, pipeline: 'stages' });
  return {
    size,
    times: [] as number[],
    run: async () => {
      await node.control('resume');
      const ms = await timeOfStretch(url);
      await node.control('pause');
      return ms;
    },
    end: async () => {
      await node.end();
      const [{ processed, open, groups }] = await query(
        url,
        'select processed::float8, groups::float8, contradictions_open::float8 as open from scopes',
      );
      const found = (open / (processed - size)).toFixed(1);
      return `${amount(groups)} groups; ${found} contradictions for each of the ${amount(processed - size)} that were measured`;
    },
  };
}

/** From the first batch on, for a document, in milliseconds. */
async function timeOfStretch(url: string): Promise<number> {
  const look = async () => {
    const [scope] = await query(url, 'select processed::float8 as n from scopes');
    return { at: performance.now(), n: scope.n as number };
  };
  const before = await look();
  let first = before;
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const now = await look();
    if (first === before && now.n > before.n) first = now;
    if (first !== before && now.n - first.n >= STRETCH) return (now.at - first.at) / (now.n - first.n);
    if (now.at - before.at > DEADLINE_MS) throw new Error('it took too long');
  }
}
