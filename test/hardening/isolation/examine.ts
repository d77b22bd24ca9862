/** Sends one route every combination of keys and ids, and tells what should not have been answered so. */
import { asksOperators } from '../../../src/http/tiers.ts';
import type { Answer, TestService } from '../../support/service.ts';
import { differ, normalised, type Route, send } from './ask.ts';
import { absentIds, type Ids, keysOfAllLevels, type Level, MARK, newParty, type Party } from './parties.ts';
import type { Expectation } from './routes.ts';

const BEARERS: Level[] = [
  'none',
  'garbage',
  'unknown',
  'tenant',
  'other tenant',
  'revoked admin',
  'expired admin',
  'revoked internals',
  'expired internals',
  'admin',
  'internals',
];
const TENANT_KEYS: Level[] = [
  'none',
  'garbage',
  'unknown',
  'tenant',
  'other tenant',
  'revoked tenant',
  'expired tenant',
  'admin',
  'internals',
];

/** The status, when who asks is turned away before anything is looked up. */
function turnedAway({ tier, wants }: Route, bearer: Level, tenantKey: Level): number | null {
  if (asksOperators(tier) && bearer !== 'internals') {
    if (bearer !== 'admin') return 401;
    if (tier === 'internals') return 403;
  }
  if (wants === 'nothing') return null;
  if (tenantKey === 'none') return wants.startsWith('key') && wants !== 'key or nothing' ? 400 : null;
  if (tenantKey === 'tenant') return null;
  // It is the key of a tenant, though not of the one that X-Tenant-ID names.
  if (tenantKey === 'other tenant') return wants === 'id' ? 401 : null;
  return 401;
}

export interface Scene {
  service: TestService;
  /** Left alone by everybody; has `MARK` in all its texts. */
  victim: Party;
  /** Who asks, and another tenant whose key is tried; nothing that is asked in their names changes anything. */
  guest: Party;
  other: Party;
  keys: Record<Level, string | undefined>;
}

export async function setScene(service: TestService): Promise<Scene> {
  const victim = await newParty(service, MARK);
  const [guest, other] = [await newParty(service, 'mine'), await newParty(service, 'other')];
  return { service, victim, guest, other, keys: await keysOfAllLevels(service, guest, other) };
}

type Whose = 'own' | 'foreign' | 'absent';

/** Every level of key in either place; both together only where both are looked at, and once. */
function* combinations(route: Route): Generator<[bearer: Level, tenantKey: Level]> {
  for (const bearer of BEARERS) {
    const isLast = bearer === 'internals';
    // The public tier does not look at bearers.
    if (route.tier === 'public' && !isLast && bearer !== 'none') continue;
    const isLooked = route.wants !== 'nothing' && (isLast || bearer === 'admin');
    const some: Level[] = isLooked ? ['none', 'tenant', 'other tenant'] : ['tenant'];
    for (const tenantKey of isLooked && isLast ? TENANT_KEYS : some) yield [bearer, tenantKey];
  }
}

/** What is wrong with a route; nothing, if all is right. */
export async function examine(scene: Scene, route: Route, expectation: Expectation): Promise<string[]> {
  const wrong: string[] = [];
  for (const [bearer, tenantKey] of combinations(route)) {
    const where = `${route.name}, bearer ${bearer}, tenant key ${tenantKey}`;
    const refused = turnedAway(route, bearer, tenantKey);
    const answers = new Map<Whose, Answer>();
    for (const whose of ['own', 'foreign', 'absent'] as const) {
      if (whose !== 'own' && expectation.reach === 'nothing') continue;
      // An operator may do all of that to any tenant; the one that is to be left alone is not asked for it.
      if (refused === null && whose === 'foreign' && expectation.reach === 'operators') continue;
      const answer = await attempt(scene, route, expectation, { bearer, tenantKey, whose, refused });
      answers.set(whose, answer);
      const expected = refused ?? allowed(route, expectation, tenantKey, whose);
      if (answer.status !== expected) wrong.push(`${where}, ${whose} ids: ${answer.status} instead of ${expected}`);
      if (expectation.reach !== 'operators' && JSON.stringify(answer.body).includes(MARK))
        wrong.push(`${where}, ${whose} ids: the answer has what is another tenant's`);
    }
    const difference = differ(answers.get('foreign'), answers.get('absent'));
    if (difference) wrong.push(`${where}: ${difference}`);
  }
  if (expectation.inner) wrong.push(...(await examineWithin(scene, route, expectation, expectation.inner)));
  return wrong;
}

interface Attempt {
  bearer: Level;
  tenantKey: Level;
  whose: Whose;
  refused: number | null;
}

/** Whoever will change something comes anew each time: two answers shall not differ for what the first has done. */
async function attempt(
  { service, victim, guest, other, keys }: Scene,
  route: Route,
  expectation: Expectation,
  { bearer, tenantKey, whose, refused }: Attempt,
): Promise<Answer> {
  const changes = refused === null && route.method !== 'GET' && expectation.reach !== 'nothing';
  const isNew = changes && (expectation.reach === 'creates' || (whose === 'own' && tenantKey !== 'other tenant'));
  const actor = isNew ? await newParty(service, 'mine') : guest;
  const stranger = isNew && tenantKey === 'other tenant' ? await newParty(service, 'other') : other;
  const ids = { own: actor.ids, foreign: victim.ids, absent: absentIds() }[whose];
  const key = { ...keys, tenant: actor.key, 'other tenant': stranger.key }[tenantKey];
  return normalised(await send(service, route, expectation, ids, actor.ids.tenantId, keys[bearer], key), ids);
}

/** One's own scope or tenant, and in it something of another tenant, or nothing. */
async function examineWithin({ service, victim }: Scene, route: Route, expectation: Expectation, inner: keyof Ids) {
  const own = await newParty(service, 'mine');
  const ask = async (id: string) => {
    const ids = { ...own.ids, [inner]: id };
    return normalised(await send(service, route, expectation, ids, own.ids.tenantId, service.internals, own.key), ids);
  };
  const [foreign, absent] = [await ask(victim.ids[inner]), await ask(absentIds()[inner])];
  const difference = differ(foreign, absent) ?? (foreign.status === 404 ? null : `${foreign.status} instead of 404`);
  return difference ? [`${route.name}, ${inner} of another tenant in a place of one's own: ${difference}`] : [];
}

/** What is right when nobody was turned away. */
export function allowed(
  { wants, name }: Route,
  { reach, status }: Expectation,
  tenantKey: Level,
  whose: Whose,
): number {
  if (reach === 'nothing') return status;
  // Without a tenant there is no scope to address.
  if (wants === 'key or nothing' && tenantKey === 'none') return 400;
  if (reach === 'operators') return whose === 'absent' && name.includes('/:') ? 404 : status;
  const isOwn = whose === 'own' && tenantKey !== 'other tenant';
  if (reach === 'tenant') return isOwn ? status : 404;
  // The one that exists already.
  if (isOwn && name === 'POST /admin/scopes') return 409;
  // Its idempotency key stands for another request; of a batch, that is true of all its documents.
  if (isOwn && /ingest|documents/.test(name)) return name.endsWith('batch') ? 400 : 422;
  return status;
}
