/** Facts: what the documents of a scope say of one thing, read from what was counted when they were settled. */
import type { Fact, FactEvidence, FactQuery, FactState } from '../contract/facts.ts';
import { invalid, notFound } from '../errors.ts';
import { giveWay } from '../give-way.ts';
import { RULES } from '../pipeline/claim.ts';
import type { Queryable } from '../storage/database.ts';
import { type FactPlace, listFactPlaces, type WantedFacts } from '../storage/fact-pages.ts';
import { type Evidence, listEvidence, listSaidGroups, type SaidGroup, type SaidPiece } from '../storage/facts.ts';
import type { ScopeHandle } from '../storage/scopes.ts';
import { factIdOf, groupOfFact } from './derived-ids.ts';
import { decodeCursor, encodeCursor, type Page, toPage } from './paging.ts';
import { requireScope } from './scopes.ts';
import { type FoundClaim, ShownClaims } from './shown-claims.ts';
import { wordsOf } from './words.ts';

/** Each is decoded from the reading of a document; whoever wants more asks for the evidence. */
const VALUES_SHOWN = 10;
/** Nobody looks for more; each is a lookup for every group that is looked at. */
const MAX_WORDS = 8;
/** Of readings and pieces of them: to decode so much takes some forty milliseconds, a little at a time. */
const PAGE_BYTES = 1_000_000;

const MOST = 2 ** 31 - 1;

export async function listFacts(db: Queryable, tenantId: string, scopeId: string, query: FactQuery) {
  const wanted = toWanted(query);
  const scope = await requireScope(db, tenantId, scopeId);
  const { facts, last } = await pageOf(db, scope, wanted, query.limit);
  return { facts, next_cursor: last && encodeCursor(LISTS[query.order], cursorOf(query.order, last)) };
}

/** Of two documents or more, in order of the ids, from after a group on, for who reads all of them; null is after the last one. */
export async function listFactsAfter(db: Queryable, scope: ScopeHandle, group: number, limit: number) {
  const after = { documents: MOST, group_key: group };
  const wanted = { order: 'fact_id' as const, words: [], state: null, least: 2, most: MOST, after };
  const { facts, last } = await pageOf(db, scope, wanted, limit);
  return { facts, upTo: last?.group_key ?? null };
}

async function pageOf(db: Queryable, scope: ScopeHandle, wanted: Omit<WantedFacts, 'limit'>, limit: number) {
  const { places, upTo } = await findPlaces(db, scope, wanted, limit);
  const keys = places.map(({ group_key }) => group_key);
  const { facts, left } = await showFacts(db, scope, keys);
  // What did not fit begins the next page.
  return { facts, last: left === null ? upTo : (places[keys.indexOf(left) - 1] ?? null) };
}

export async function getFact(db: Queryable, tenantId: string, scopeId: string, factId: string, page: Page) {
  const after =
    page.cursor === undefined ? [-1, -1] : halvesOf(decodeCursor('evidence', page.cursor, /^\d{17,32}$/, ''));
  const scope = await requireScope(db, tenantId, scopeId);
  const group = groupOfFact(factId);
  const { facts } = group === null ? { facts: [] } : await showFacts(db, scope, [group]);
  const [fact] = facts;
  if (group === null || !fact) throw notFound(`Fact ${factId} in scope ${scopeId}`);
  const [value, seq] = after as [number, number];
  const rows = await listEvidence(
    db,
    scope,
    group,
    { value, seq },
    { limit: page.limit, rules: RULES, bytes: PAGE_BYTES },
  );
  const { items, next_cursor } = toPage('evidence', rows, page.limit, ({ value_key, seq: its }) =>
    joined(value_key, its),
  );
  const evidence: FactEvidence[] = [];
  for (const item of items) {
    await giveWay();
    evidence.push(...showEvidence(group, item));
  }
  return { ...fact, evidence, next_cursor };
}

function toWanted({ q, state, min_documents, order, cursor }: FactQuery): Omit<WantedFacts, 'limit'> {
  const words = q === undefined ? [] : wordsOf(q);
  if (q !== undefined && words.length === 0) throw invalid('query/q', 'must have a word, of letters or digits');
  if (words.length > MAX_WORDS) throw invalid('query/q', `must have at most ${MAX_WORDS} words`);
  if (words.length > 0 && min_documents < 2)
    throw invalid('query/min_documents', 'must be 2 or more with q: what one document says is not found by words');
  return { order, words, state: state ?? null, least: min_documents, most: MOST, after: placeOf(order, cursor) };
}

/** More documents than there are, and no hash is negative. */
const BEFORE_ALL: FactPlace = { documents: MOST, group_key: -1 };

/** A cursor of one order is no place in the other. */
const LISTS = { documents: 'facts by documents', fact_id: 'facts by id' };

function placeOf(order: FactQuery['order'], cursor: string | undefined): FactPlace {
  if (cursor === undefined) return BEFORE_ALL;
  if (order === 'fact_id')
    return { documents: MOST, group_key: Number(decodeCursor(LISTS[order], cursor, /^\d{1,16}$/, '')) };
  const [documents, group_key] = halvesOf(decodeCursor(LISTS[order], cursor, /^\d{17,26}$/, ''));
  return { documents, group_key };
}

/** As many digits as the largest hash has; no seq has more. */
const HALF = 16;
const joined = (first: number, second: number) => `${first}${String(second).padStart(HALF, '0')}`;
const halvesOf = (place: string): [number, number] => [Number(place.slice(0, -HALF)), Number(place.slice(-HALF))];

const cursorOf = (order: FactQuery['order'], { documents, group_key }: FactPlace) =>
  order === 'documents' ? joined(documents, group_key) : `${group_key}`;

interface FoundPlaces {
  places: FactPlace[];
  /** From after which the next page goes on; null on the last one. */
  upTo: FactPlace | null;
}

/** By documents, what only one speaks of comes last, in order of the ids: there is no other order among those. */
async function findPlaces(
  db: Queryable,
  scope: ScopeHandle,
  wanted: Omit<WantedFacts, 'limit'>,
  limit: number,
): Promise<FoundPlaces> {
  const { order, least, after } = wanted;
  if (order === 'fact_id' || least > 1) return findSome(db, scope, wanted, limit);
  const shared = after.documents > 1 ? await findSome(db, scope, { ...wanted, least: 2 }, limit) : null;
  if (shared?.upTo) return shared;
  const places = shared?.places ?? [];
  const single = { ...wanted, order: 'fact_id' as const, most: 1, after: shared ? BEFORE_ALL : after };
  // A page that is full tells by this one whether there is another.
  const more = await findSome(db, scope, single, Math.max(1, limit - places.length));
  if (places.length < limit) return { places: [...places, ...more.places], upTo: alone(more.upTo) };
  return { places, upTo: more.places.length > 0 || more.upTo ? (places.at(-1) ?? null) : null };
}

/** What was looked at last may be of several documents, which come before. */
const alone = (place: FactPlace | null) => place && { ...place, documents: 1 };

async function findSome(
  db: Queryable,
  scope: ScopeHandle,
  wanted: Omit<WantedFacts, 'limit'>,
  limit: number,
): Promise<FoundPlaces> {
  const { places, upTo } = await listFactPlaces(db, scope, { ...wanted, limit: limit + 1 });
  if (places.length <= limit) return { places, upTo };
  const page = places.slice(0, limit);
  return { places: page, upTo: page.at(-1) as FactPlace };
}

/** `left`: the first that did not fit. What is only there by older rules is shown when it was read again. */
async function showFacts(
  db: Queryable,
  scope: ScopeHandle,
  keys: number[],
): Promise<{ facts: Fact[]; left: number | null }> {
  if (keys.length === 0) return { facts: [], left: null };
  const options = { values: VALUES_SHOWN + 1, rules: RULES, bytes: PAGE_BYTES };
  const { groups, readings } = await listSaidGroups(db, scope, keys, options);
  const claims = new ShownClaims(readings);
  const facts: Fact[] = [];
  for (const group of groups) {
    if (group.values.some(({ seq }) => claims.isLeftOut(seq))) return { facts, left: group.group_key };
    const fact = await showFact(group, claims);
    if (fact) facts.push(fact);
  }
  return { facts, left: null };
}

async function showFact(group: SaidGroup, claims: ShownClaims): Promise<Fact | null> {
  const shown: (FoundClaim & { documents: number })[] = [];
  for (const { value_key, documents, seq } of group.values.slice(0, VALUES_SHOWN)) {
    await giveWay();
    const found = claims.find(seq, group.group_key, value_key);
    if (found) shown.push({ documents, ...found });
  }
  const [first] = shown;
  if (!first) return null;
  const { subject, attribute, qualifiers, value: leading } = first.claim;
  const changedAt = group.said_at ?? first.finished_at;
  return {
    fact_id: factIdOf(group.group_key),
    ...{ subject, attribute, qualifiers },
    state: stateOf(group),
    documents: group.documents,
    values: shown.map(({ documents, document_id, claim: { value, polarity, sentence, span } }) => ({
      ...{ value, polarity, documents },
      example: { document_id, sentence, span },
    })),
    more_values: group.values.length > VALUES_SHOWN,
    leading,
    contradictions: group.contradictions,
    changed_at: changedAt && new Date(changedAt).toISOString(),
  };
}

function stateOf({ disputes, values }: SaidGroup): FactState {
  if (disputes > 0) return 'disputed';
  return values.length > 1 ? 'varied' : 'agreed';
}

function showEvidence(group: number, { seq, document_id, value_key, claims, place }: Evidence): FactEvidence[] {
  const pieces: SaidPiece[] | null = place === null || claims === null ? null : [[group, value_key, place, claims]];
  const reading = { document_id, claims, pieces, finished_at: null, left_out: false };
  const found = new ShownClaims(new Map([[seq, reading]])).find(seq, group, value_key);
  if (!found) return [];
  const { value, polarity, modality, sentence, span } = found.claim;
  return [{ document_id, value, polarity, modality, sentence, span }];
}
