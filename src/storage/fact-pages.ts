/**
 * Finds the groups of a page of facts. It looks at so many at most, whatever they are filtered by: there may be fewer than were asked
 * for, and others behind the last one that was looked at.
 */
import type { FactState } from '../contract/facts.ts';
import type { Queryable } from './database.ts';
import type { Place } from './readings.ts';

/** Some milliseconds of Postgres. */
const MAX_LOOKED_AT = 2000;

/** So many times as many as are wanted are looked at first: by documents for a word, by their ids for a state or a number of documents. */
const FIRST_LOOK = { documents: 4, fact_id: 10 };

/** The word that every group has that two documents or more have spoken of: by it they are found in order of their ids. */
export const EVERY_FACT = '';

/** Where a group stands in either order. */
export interface FactPlace {
  documents: number;
  group_key: number;
}

export interface WantedFacts {
  /** By documents, only those that two or more speak of. */
  order: 'documents' | 'fact_id';
  /** It is found by all of them; two documents or more speak of what is found by any. */
  words: string[];
  state: FactState | null;
  /** How many documents speak of it. */
  least: number;
  most: number;
  after: FactPlace;
  limit: number;
}

export interface FoundFacts {
  places: FactPlace[];
  /** The last one that was looked at; null when there is nothing behind it. */
  upTo: FactPlace | null;
}

/** As the index has it that lists facts by their state. */
const STATE = `(case when disputes > 0 and not decided then 'disputed' when varied then 'varied' else 'agreed' end)`;
const STATES: FactState[] = ['agreed', 'disputed', 'varied'];
const OF_SCOPE = 'scope_key = $1 and generation = $2';
const GROUP = 'group_key, documents, disputes, varied, decided';
const ORDERS = { documents: '(-documents), group_key', fact_id: 'group_key' };
const BACKWARDS = { documents: 'documents, group_key desc', fact_id: 'group_key desc' };

export function listFactPlaces(db: Queryable, place: Place, wanted: WantedFacts): Promise<FoundFacts> {
  const { order, words, state, limit } = wanted;
  if (words.length > 0) return listWithWords(db, place, wanted);
  if (order === 'fact_id') return listById(db, place, wanted);
  return lookAt(db, place, wanted, MAX_LOOKED_AT, byDocuments(state ? [state] : STATES, limit));
}

async function listWithWords(db: Queryable, place: Place, wanted: WantedFacts): Promise<FoundFacts> {
  const { order, words, state, limit } = wanted;
  const rarest = await findRarestWord(db, place, words);
  const found = withWord(`($8::text[])[${rarest.nth}]`, order, MAX_LOOKED_AT);
  if (order === 'fact_id') return lookAt(db, place, wanted, MAX_LOOKED_AT, found);
  const byStates = (look: number) => byDocuments(state ? [state] : STATES, look);
  const few = FIRST_LOOK.documents * limit;
  if (rarest.groups > few) {
    // Words that many have are soon found among those of most documents.
    const first = await lookAt(db, place, wanted, few, byStates(few));
    if (first.places.length === limit || first.upTo === null) return first;
  }
  const isRare = rarest.groups <= MAX_LOOKED_AT;
  return lookAt(db, place, wanted, MAX_LOOKED_AT, isRare ? found : byStates(MAX_LOOKED_AT));
}

/** What many are is soon found; for what is rare, the second look goes on behind the first. */
async function listById(db: Queryable, place: Place, wanted: WantedFacts): Promise<FoundFacts> {
  const { least, limit } = wanted;
  const look = (further: WantedFacts, most: number) =>
    lookAt(db, place, further, most, least > 1 ? withWord(`'${EVERY_FACT}'`, 'fact_id', most) : byId(most));
  if (isPlain(wanted)) return look(wanted, limit);
  const few = Math.min(FIRST_LOOK.fact_id * limit, MAX_LOOKED_AT / 2);
  const first = await look(wanted, few);
  if (first.places.length === limit || first.upTo === null) return first;
  const rest = { ...wanted, after: first.upTo, limit: limit - first.places.length };
  const { places, upTo } = await look(rest, MAX_LOOKED_AT - few);
  return { places: [...first.places, ...places], upTo };
}

/** `source` is a query for groups behind the last one, in their order, of which there may be more than are looked at. */
async function lookAt(
  db: Queryable,
  place: Place,
  { order, words, state, least, most, after, limit }: WantedFacts,
  look: number,
  source: string,
): Promise<FoundFacts> {
  const { rows } = await db.query<{ places: FactPlace[]; looked: number; last: FactPlace | null }>(
    `with looked_at as materialized (select * from (${source}) source order by ${ORDERS[order]} limit ${look}),
          found as (
       select documents, group_key from looked_at l
        where documents between $5 and $6 and ($7::text is null or ${STATE} = $7) and not exists (
          select from unnest($8::text[]) as its (word) where not exists (
            select from fact_words f where ${OF_SCOPE} and f.word = its.word and f.group_key = l.group_key))
        order by ${ORDERS[order]} limit $9)
     select (select coalesce(json_agg(found order by ${ORDERS[order]}), '[]') from found) as places,
            (select count(*)::int from looked_at) as looked,
            (select row_to_json(l) from (
               select documents, group_key from looked_at where $3::int >= 0 order by ${BACKWARDS[order]} limit 1) l) as last`,
    [place.scope_key, place.generation, after.documents, after.group_key, least, most, state, words, limit],
  );
  const { places, looked, last } = rows[0] as (typeof rows)[number];
  if (places.length === limit) return { places, upTo: places.at(-1) ?? null };
  return { places, upTo: looked === look ? last : null };
}

/** Nearly all that are looked at are wanted, so that no more have to be. */
const isPlain = ({ state, least, most }: WantedFacts) => state === null && least <= 2 && most > 1;

/** By which the fewest groups are found, and by how many, as far as they can be looked at. */
async function findRarestWord(
  db: Queryable,
  { scope_key, generation }: Place,
  words: string[],
): Promise<{ nth: number; groups: number }> {
  const { rows } = await db.query<{ nth: number; groups: number }>(
    `select nth::int, groups::int
       from unnest($3::text[]) with ordinality as its (word, nth)
      cross join lateral (
        select count(*) as groups from (
          select from fact_words f where ${OF_SCOPE} and f.word = its.word limit ${MAX_LOOKED_AT + 1}) f) found
      order by groups, nth limit 1`,
    [scope_key, generation, words],
  );
  return rows[0] as { nth: number; groups: number };
}

/** Those of a word that is not rare are in order of their ids. */
const withWord = (word: string, order: WantedFacts['order'], look: number) =>
  `(select ${GROUP}
      from (select f.group_key as key from fact_words f
             where ${OF_SCOPE} and f.word = ${word} ${order === 'fact_id' ? 'and f.group_key > $4' : ''}
             order by f.group_key limit ${look}) found
     cross join lateral (select ${GROUP} from claim_groups where ${OF_SCOPE} and group_key = found.key limit 1) g
     where ${order === 'fact_id' ? 'true' : '((-documents), group_key) > (-$3::int, $4::bigint)'})`;

const byDocuments = (states: FactState[], limit: number) =>
  states
    .map(
      (state) =>
        `(select ${GROUP} from claim_groups
           where ${OF_SCOPE} and documents > 1 and words is not null and ${STATE} = '${state}' and (-documents) <= -$5::int
             and ((-documents), group_key) > (-$3::int, $4::bigint)
           order by (-documents), group_key limit ${limit})`,
    )
    .join(' union all ');

/** Also what has no row. */
const byId = (look: number) => `(select ${GROUP} from list_groups_by_id($1, $2, $4, ${look}))`;
