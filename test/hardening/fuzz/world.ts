/** What the fuzzer knows to exist, so that a good part of its requests gets past the first look-up. */
import { factIdOf } from '../../../src/domain/derived-ids.ts';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { pipeline } from '../../../src/runtime/pipeline.ts';
import type { Json, Operation } from './operations.ts';
import type { Random } from './random.ts';

export interface World {
  admin: string;
  internals: string;
  /** The tenant that acts; nothing here deletes or limits it. */
  tenantId: string;
  tenantKey: string;
  /** Made with that key. */
  streamToken: string;
  /** Tenants to be changed, limited and deleted; and the prefixes of their keys. */
  victims: { tenantId: string; keyPrefix: string }[];
  scopes: string[];
  documents: string[];
  contradictions: { scopeId: string; id: string }[];
  /** Of the list that is asked for. */
  cursors?: string[];
  /** The one that those cursors are of. */
  order?: string;
  /** Those of events that it tells of. */
  types?: string[];
  /** What a batch consists of; the contract leaves its items open. */
  batchItem: Json;
}

/** In every text that is sent: whatever log it is found in has leaked. */
export const CANARY = 'zqCanaryzq';

/** What is said in every scope to begin with. */
export const FIRST_TEXT = `The lease of ${CANARY} runs for three years.`;

const TEXTS = [
  FIRST_TEXT,
  `The lease of ${CANARY} runs for three years from 12 March 2026.`,
  `The lease of ${CANARY} runs for five years. It ends in 2031.`,
  `# ${CANARY}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
  `<h1>${CANARY}</h1><p>It costs &#0; &#xD800; &#x110000; 3 &euro;<table><tr><td>x`,
  `{"a": "${CANARY}\\u0000", "b": "\\ud800", "c": [1e999, -0], "__proto__": {"x": 1}}`,
  `name,${CANARY}\n"a""b",1\n"unclosed,2`,
  `${CANARY} 🙂🙂🙂 is 2.4 km long. 𝕏 is not more than 300.`,
  `${CANARY}\u2028\u2029\u0085\u200b\ufeff\u202e is 5.`,
];
/** Whichever scope they are in: the id of a fact is the same in all. */
const FACTS = pipeline.read({ name: CANARY, type: 'txt', text: FIRST_TEXT }).reading.groups.map(factIdOf);
const TYPES = ['txt', 'md', 'html', 'json', 'csv', '', 'pdf', '🙂'.repeat(50), '__proto__', 'constructor'];
/** Where one may go on: after a number, after a pair of numbers, in the reading of a document or in an export, which nobody has, or after a level. */
const PLACES = ['0', '1', '7', '999999999999999'];
const PAIRS = [`2${'0'.repeat(16)}`, `1${'9'.repeat(16)}`];
const READINGS = [`${'0'.repeat(16)} 0`];
const EXPORTS = [`${'0'.repeat(16)} 31 0 0 0 d 0 0`, `${'f'.repeat(16)} 5 1 7 0 c 0 ${'9'.repeat(18)}`];
const LEVELS = ['/', 'ten_0/', 'ten_0/fuzzed'];
/** Lists whose cursors are not a number after their name, by the end of the path. Facts have others in another order. */
const LISTS: Record<string, { list: string; places: string[]; order?: string }> = {
  facts: { list: 'facts by documents', places: PAIRS, order: 'documents' },
  contradictions: { list: 'contradictions', places: PLACES, order: 'oldest' },
  '{fact_id}': { list: 'evidence', places: PAIRS },
  claims: { list: 'claims', places: READINGS },
  export: { list: 'export', places: EXPORTS },
  runtime: { list: 'runtime', places: LEVELS },
  audit: { list: 'audit', places: ['0 0', '1790000000000 7', `${'9'.repeat(14)} ${'9'.repeat(18)}`] },
  '{document_id}': { list: 'versions', places: PLACES },
};

const TENANT_TYPES = ['document.*', 'document.queued,scope.created'];

function cursorsOf(template: string): Pick<World, 'cursors' | 'order'> {
  const name = template.slice(template.lastIndexOf('/') + 1);
  const { list, places, order } = LISTS[name] ?? { list: name, places: PLACES };
  return { cursors: places.map((place) => encodeCursor(list, place)), ...(order && { order }) };
}

/** Of a scope that nothing removes, so that late requests find something, too. */
export const KEPT = 'kept';
function within(world: World): World {
  if (!world.scopes.includes(KEPT)) return world;
  return { ...world, scopes: [KEPT], contradictions: world.contradictions.filter(({ scopeId }) => scopeId === KEPT) };
}
const without = (world: World): World => ({ ...world, scopes: world.scopes.filter((scope) => scope !== KEPT) });

/** As one request sees it: a key and a contradiction belong where the rest of its path says. */
export function lookAtOne(whole: World, { method, template }: Operation, random: Random): World {
  const isRemoving = method === 'DELETE' || template.endsWith('/reset');
  const world = isRemoving ? without(whole) : random.is(0.5) ? within(whole) : whole;
  const victim = random.pick(world.victims);
  // What is in scopes is read and decided only there; and the runtime is told of one tenant, by key and by id.
  const isOwn = /\{tenantId\}\/scopes|\/runtime\//.test(template);
  const victims = [isOwn ? { ...victim, tenantId: world.tenantId } : victim];
  const contradictions = [random.pick(world.contradictions)];
  const isWithin = template.includes('{contradictionId}');
  return {
    ...world,
    victims,
    contradictions,
    ...cursorsOf(template),
    ...(template.startsWith('/api/') && { types: TENANT_TYPES }),
    ...(isWithin && { scopes: contradictions.map(({ scopeId }) => scopeId) }),
  };
}

/** A value that means something for a name, where the schema alone would give one that is nowhere; else undefined. */
export function knownValue(name: string, random: Random, world: World): string | undefined {
  const known: Record<string, () => string> = {
    'x-tenant-id': () => world.tenantId,
    'x-tenant-api-key': () => world.tenantKey,
    scope_id: () => random.pick(world.scopes),
    scopeId: () => random.pick(world.scopes),
    document_id: () => random.pick(world.documents),
    fact_id: () => random.pick(FACTS),
    contradictionId: () => random.pick(world.contradictions).id,
    tenantId: () => random.pick(world.victims).tenantId,
    tenant_id: () => random.pick([world.tenantId, random.pick(world.victims).tenantId]),
    prefix: () => random.pick(world.victims).keyPrefix,
    text: () => random.pick(TEXTS),
    type: () => random.pick(TYPES),
    idempotency_key: () => `key-${random.int(0, 300)}`,
    // Whatever else a header may hold is none, which is no mistake.
    traceparent: () => random.pick(['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'none', 'ff-0-0-0']),
    'idempotency-key': () => random.pick([`key-${random.int(0, 300)}`, `"key \\"${random.int(0, 300)}"`]),
    cursor: () => random.pick(world.cursors ?? [encodeCursor('documents', '0')]),
    ...(world.order !== undefined && { order: () => world.order as string }),
    'if-none-match': () => random.pick(['*', 'W/"1-00"', `"1-${'0'.repeat(64)}", "2"`, '"', ',,']),
    version: () => random.pick(['1', '2', '2147483647']),
    q: () => random.pick(['lease', 'LEASE years', 'Ä1 ​ lease']),
    min_documents: () => random.pick(['2', '3', '1000000000']),
    'last-event-id': () => random.pick(['0', '1', '2']),
    last_event_id: () => random.pick(['0', '1', '2']),
    // What is waited for here may never be done, and nobody has time.
    wait: () => (random.is(0.05) ? '1' : '0'),
    through: () => random.pick(['0', '7', '999999999999999']),
    types: () => random.pick(world.types ?? [...TENANT_TYPES, ' scope.* , worker.*']),
    include: () => random.pick(['documents', 'claims , facts', 'texts,contradictions']),
    token: () => world.streamToken,
    action: () => random.pick(['scope.deleted', 'key.issued']),
    actor: () => random.pick([world.tenantKey.slice(0, 11), 'command line', 'ADMIN_API_KEYS 1']),
    from: () =>
      random.pick(['2026-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59', '1969-12-31T23:59:59.999999999-01:00']),
    to: () => random.pick(['2099-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00Z']),
    expires_at: () => `20${random.int(40, 99)}-0${random.int(1, 9)}-11T10:20:30.${random.int(100, 999)}Z`,
  };
  return Object.hasOwn(known, name) ? known[name]?.() : undefined;
}

/** Few, since what is older may be gone: scopes are emptied and tenants deleted all the time. */
const MOST = 12;

/** Takes in what was made, in the place of what may be gone by now. Which numbers are drawn does not depend on it. */
export function learn(world: World, route: string, { status, body }: { status: number; body: Buffer }): void {
  if (status !== 201) return;
  const made = JSON.parse(body.toString());
  if (route === 'POST /admin/tenants' && made.tenant_id)
    keep(world.victims, { tenantId: made.tenant_id, keyPrefix: made.key_prefix });
  if (route === 'POST /api/contradictions' && made.id)
    keep(world.contradictions, { scopeId: made.scope_id, id: made.id });
}

function keep<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MOST) items.shift();
}

/** For these only what is known will do: the schema says less than the service has to ask. */
export const ONLY_KNOWN = new Set([
  'x-tenant-id',
  'x-tenant-api-key',
  'tenant_id',
  'cursor',
  'order',
  'q',
  'min_documents',
  'if-none-match',
  'traceparent',
  'idempotency-key',
  'last-event-id',
  'last_event_id',
  'wait',
  'types',
  'include',
  'token',
  'action',
  'expires_at',
]);
