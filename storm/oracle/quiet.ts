/** After a storm: lets the service come to rest, reads the books and settles them. */
import { readFileSync } from 'node:fs';
import type { Changing } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import type { Follower } from '../follower.ts';
import type { Journal } from '../journal.ts';
import { timeUntil, until } from '../waiting.ts';
import { readBooks } from './books.ts';
import { settle } from './settle.ts';
import type { Verdict } from './verdict.ts';

/** Nothing waits and nothing is in work. */
export async function isQuiet(deployment: Deployment): Promise<boolean> {
  const [row] = await deployment.ask(
    'select coalesce(sum(queued + retrying), 0)::int as waiting, (select count(*)::int from lanes) as lanes from scopes',
  );
  return row.waiting === 0 && row.lanes === 0;
}

/** How long it took until all was done; null when it was not in time. */
export const timeUntilQuiet = (deployment: Deployment, withinMs: number) =>
  timeUntil(() => isQuiet(deployment), withinMs, 100);

export async function processedOf(deployment: Deployment): Promise<number> {
  const [row] = await deployment.ask('select coalesce(sum(processed), 0)::int as n from scopes');
  return row.n;
}

/** However much waits on a busy machine: stuck is what makes no progress. */
const MAX_REST_MS = 10 * 60_000;

async function comeToRest(deployment: Deployment, stuckMs: number): Promise<void> {
  const endAt = performance.now() + MAX_REST_MS;
  let [done, since] = [-1, performance.now()];
  while (performance.now() < endAt && performance.now() - since < stuckMs) {
    if ((await timeUntilQuiet(deployment, 1000)) !== null) return;
    const now = await processedOf(deployment).catch(() => done);
    if (now > done) [done, since] = [now, performance.now()];
  }
}

export async function settleBooks(
  deployment: Deployment,
  journal: Journal,
  follower: Follower | null,
  stuckMs: number,
  changing: Changing[] = [],
): Promise<Verdict> {
  await comeToRest(deployment, stuckMs);
  if (follower) {
    const newest = async () => (await deployment.ask('select max(event_id)::float8 as id from events'))[0].id;
    await until(async () => follower.last >= (await newest()), 10_000);
  }
  const verdict = settle(journal.entries, await readBooks(deployment, follower?.ids ?? null), changing);
  if (follower) verdict.expect('events', 'gaps of the stream', follower.gaps, 0);
  findLeaks(verdict, deployment);
  return verdict;
}

/** No key and no document's text in any log. */
function findLeaks(verdict: Verdict, { nodes, tenants, admin, internals }: Deployment): void {
  const secrets = [admin, internals, ...tenants.map(({ key }) => key), ' employees.'];
  for (const { log, role } of nodes) {
    const text = readFileSync(log, 'utf8');
    for (const secret of secrets)
      if (text.includes(secret)) verdict.object('leaked', `${secret.slice(0, 12)}… in the log of a node (${role})`);
  }
}
