/** Whether a document costs more in a large scope: two scopes that were filled on the way that all documents take, in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS } from '../../parts/generator.ts';
import { postAll } from '../../parts/poster.ts';
import { amount, medianRatio, say } from '../../parts/report.ts';
import { type Sentence, scopeIdOf, sentencesOf, take, tenantOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { LARGE, LARGE_STRETCH, ROUNDS } from '../sizes.ts';

/** At once, so that nothing grows but the scope. */
const PORTION = 5000;
const SEED = 4;
const LOOK_EVERY_MS = 100;
const STANDSTILL_MS = 120_000;

export async function measureLargeScope(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  await site.front.control('resume');
  const sides = { few: new Side(LARGE.few, 0), many: new Side(LARGE.many, 1) };
  let filledInAll = 0;
  for (const side of Object.values(sides)) {
    const progress = new Progress(`documents processed, for a scope of ${amount(side.size)}`, LARGE.few + LARGE.many);
    for (let filled = 0; filled < side.size; ) {
      const portion = Math.min(PORTION, side.size - filled);
      await postInBatches(site, side.next(portion));
      filled += portion;
      filledInAll += portion;
      await site.untilProcessed(filledInAll, progress);
    }
  }
  const timeOf = async (side: Side) => {
    const requests = side.next(LARGE_STRETCH).map((sentence) => site.requestOf(sentence));
    const began = Date.now();
    await postAll(site.front.port, requests, CONNECTIONS);
    return ((await untilLastProcessed(site, side)) - began) / LARGE_STRETCH;
  };
  const times: Record<keyof typeof sides, number[]> = { few: [], many: [] };
  // The first stretch of each is not counted: filling went in larger batches.
  for (let round = 0; round <= ROUNDS; round++) {
    const [few, many] = [await timeOf(sides.few), await timeOf(sides.many)];
    if (round === 0) continue;
    times.few.push(few);
    times.many.push(many);
    say(
      `round ${round}: a document took ${few.toFixed(2)} ms in a scope of ${amount(LARGE.few)} and ` +
        `${many.toFixed(2)} ms in one of ${amount(LARGE.many)}`,
    );
  }
  await site.end();
  return [{ value: medianRatio(times.many, times.few) }];
}

/** When that was. Looks only at the documents of the stretch: to count all of a large scope would cost more than they do. */
async function untilLastProcessed(site: Site, { scope, posted }: Side): Promise<number> {
  const began = performance.now();
  for (;;) {
    const [row] = await site.look(
      `select count(*)::float8 as n, 1000 * extract(epoch from max(finished_at))::float8 as at
         from scopes s join documents d on d.scope_key = s.scope_key and d.generation = s.generation
        where s.tenant_id = $1 and s.scope_id = $2 and d.seq >= $3 and d.state = 'processed'`,
      [tenantOf(site.tenants, scope).id, scopeIdOf(scope), posted - LARGE_STRETCH],
    );
    if (row.n === LARGE_STRETCH) return row.at;
    if (performance.now() - began > STANDSTILL_MS) throw new Error(`${row.n} of ${LARGE_STRETCH} are processed`);
    await sleep(LOOK_EVERY_MS);
  }
}

class Side {
  readonly size: number;
  readonly scope: number;
  /** The next document has this seq. */
  posted = 0;
  readonly #sentences: Generator<Sentence, never>;

  constructor(size: number, scope: number) {
    this.size = size;
    this.scope = scope;
    this.#sentences = sentencesOf({ seed: SEED, scopes: 1, perScope: size });
  }

  next(count: number): Sentence[] {
    this.posted += count;
    return take(this.#sentences, count).map((sentence) => ({ ...sentence, scope: this.scope }));
  }
}
