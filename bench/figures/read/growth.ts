/** Whether reading takes longer in a large scope: two scopes that were filled on the way that all documents take, asked in turn. */
import { Agent, get } from 'node:http';
import { amount, median, say } from '../../parts/report.ts';
import { scopeIdOf, sentencesOf, take, tenantOf } from '../../parts/sentences.ts';
import type { Stores } from '../../parts/stores.ts';
import { postInBatches } from '../batches.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { READ, READS } from '../sizes.ts';

/** At once, so that nothing grows but the scope. */
const PORTION = 5000;
const SEED = 5;
const WARM_UP = 20;

/** What is asked of both scopes; FACT is the one that most documents of each speak of. */
const PATHS = {
  facts: '/facts',
  'facts by id': '/facts?order=fact_id',
  'facts by a word': '/facts?q=employees',
  'facts in dispute': '/facts?state=disputed',
  'what one document says': '/facts?min_documents=1&order=fact_id',
  evidence: '/facts/FACT',
  documents: '/documents',
};

export async function measureGrowth(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores, { settings: { TENANT_READS_PER_S: '100000' } });
  await site.front.control('resume');
  const sides = [
    { size: READ.few, scope: 0 },
    { size: READ.many, scope: 1 },
  ];
  let filled = 0;
  for (const { size, scope } of sides) {
    const sentences = sentencesOf({ seed: SEED, scopes: 1, perScope: size });
    const progress = new Progress(`documents processed, for a scope of ${amount(size)}`, READ.few + READ.many);
    for (let left = size; left > 0; left -= PORTION) {
      const portion = take(sentences, Math.min(PORTION, left)).map((sentence) => ({ ...sentence, scope }));
      await postInBatches(site, portion);
      filled += portion.length;
      await site.untilProcessed(filled, progress);
    }
  }
  await site.look('analyze');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ratios = [];
  for (const [what, path] of Object.entries(PATHS)) {
    const times: number[][] = [[], []];
    for (let n = -WARM_UP; n < READS; n++)
      for (const [side, { scope }] of sides.entries()) {
        const ms = await timeOf(site, agent, scope, path);
        if (n >= 0) times[side]?.push(ms);
      }
    const [few, many] = times.map((list) => median(list)) as [number, number];
    say(
      `${what}: ${few.toFixed(2)} ms in a scope of ${amount(READ.few)}, ${many.toFixed(2)} ms in one of ${amount(READ.many)}`,
    );
    ratios.push(many / few);
  }
  agent.destroy();
  await site.end();
  return [{ value: Math.max(...ratios) }];
}

const known = new Map<number, string>();

/** Of one request over a connection that is there, until the last byte. */
async function timeOf(site: Site, agent: Agent, scope: number, path: string): Promise<number> {
  const tenant = tenantOf(site.tenants, scope);
  const at = `/api/scopes/${scopeIdOf(scope)}`;
  if (path.includes('FACT') && !known.has(scope))
    known.set(scope, (await site.front.call('GET', `${at}/facts`, tenant)).facts[0].fact_id);
  const url = site.front.url + at + path.replace('FACT', known.get(scope) ?? '');
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: site.front.headers(at, tenant) }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - began));
    });
    request.once('error', reject);
  });
}
