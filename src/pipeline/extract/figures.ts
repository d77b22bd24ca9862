/** Which figures of a sentence are claims, and what each is a figure of. */
import { LABEL_SHOWN } from '../claim.ts';
import { NUMBERED } from '../lexicon/beside-numbers.ts';
import { EVENTS } from '../lexicon/events.ts';
import { MONTHS } from '../lexicon/months.ts';
import { stem } from '../lexicon/stem.ts';
import { COPULAS, FINITE, isPresent } from '../lexicon/verbs.ts';
import { classWhere, hasAny, isOf, wordClass } from '../lexicon/word-class.ts';
import { cut } from '../storable.ts';
import { type FoundQuantity, findQuantities } from '../values/find.ts';
import { hintsAtQuantity } from '../values/starts.ts';
import type { Clause } from './clauses.ts';
import { valueTerms } from './terms.ts';
import type { Figure, Token } from './tokens.ts';

/** A sentence with more is a list of figures. */
const MAX_QUANTITIES = 16;
/** Beside these a date says when they hold. */
const FIGURES = new Set(['clock', 'count', 'percent', 'money', 'ratio', 'mass', 'area', 'volume', 'data', 'power']);
const IF = wordClass('if unless during except provided whenever');
/** 'For orders under 500 units, …' says for what the rest holds. */
const CONDITION_STARTS = new Set(['when', 'for', 'under', 'within']);
const PHRASES = new Set(['during', 'for', 'under', 'within', 'except']);
/** A date after these says since when or up to when a text holds. */
const DATED = new Set(['fiscal', 'fy', 'effective', 'ended', 'ending', 'dated', 'beginning', 'starting']);
/** A figure so near to one of these at the beginning says under what the rest holds. */
const OPENING = 3;
const OPENINGS = new Set(['at', 'above', 'below', 'over', 'under', 'with', 'within', 'from', 'by']);

const QUANTITY_HINT = classWhere(({ lower }) => hintsAtQuantity(lower));

/** The figures of a sentence, each also noted in its tokens. */
export function attachFigures(text: string, tokens: Token[]): Figure[] {
  if (!hasAny(tokens, QUANTITY_HINT) && !/[\d\p{Sc}]/u.test(text)) return [];
  const found = withoutConversions(text, findQuantities(text)).slice(0, MAX_QUANTITIES);
  const figures = found.map((figure): Figure => ({ ...figure, terms: valueTerms(figure.value) }));
  let at = 0;
  for (const token of tokens) {
    while (at < figures.length && (figures[at] as Figure).end <= token.start) at++;
    const figure = figures[at];
    if (figure && token.start >= figure.start) token.quantity = figure;
  }
  nameNumbers(tokens);
  return figures;
}

/** 'Pump 11': a number that measures nothing is part of the name beside it. */
function nameNumbers(tokens: Token[]): void {
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.kind !== 'number') continue;
    const [before, next] = [tokens[at - 1] as Token, tokens[at + 1]];
    if (isMonth(before) || isMonth(next)) continue;
    // 'The distance of the 1920 Volta' gives no date.
    const isBare = !token.quantity || /^(?:date|count)$/.test(token.quantity.value.dimension);
    const isEdition = before.lower === 'the' && isBare && /^(?:19|20)\d\d$/.test(token.text) && next?.isName === true;
    if (!isEdition && !before.isContent) continue;
    if (!isEdition && token.quantity && !isNumbering(tokens, at, token.quantity)) continue;
    token.quantity = null;
    token.isName = token.isContent = true;
  }
}

/** 'In crane 9', 'price list 2023': a bare number right after a noun that is no verb. */
function isNumbering(tokens: Token[], at: number, { value, counted, start, end }: FoundQuantity): boolean {
  const [before, token] = [tokens[at - 1] as Token, tokens[at] as Token];
  if (start !== token.start || end !== token.end || !/^\d{1,6}$/.test(token.text)) return false;
  if (NUMBERED.has(before.lower) && value.dimension === 'count') return true;
  // 'The Dublin office 1 opens at …' counts no opens.
  const isOfThing = before.isContent && (tokens[at - 2]?.isName || tokens[at - 2]?.lower === 'the');
  if (isOfThing && value.dimension === 'count' && (counted === '' || isPresent(counted)) && !isSaid(before))
    return true;
  if (counted !== '') return false;
  if (value.dimension !== 'count' && value.dimension !== 'date') return false;
  if (isSaid(before)) return false;
  return (
    value.dimension === 'date' ||
    /^(?:19|20)\d\d$/.test(token.text) ||
    before.isName ||
    BEFORE_NOUNS.has(tokens[at - 2]?.lower ?? '')
  );
}

/** A verb, after which a number tells how many. */
const isSaid = (token: Token) => isOf(token, FINITE) || /(?:ed|ing)$/.test(token.lower) || EVENTS.has(token.stem);

const BEFORE_NOUNS = new Set(['in', 'of', 'on', 'at', 'for', 'by', 'to', 'from', 'with', 'under']);

/** '43 miles (69 km)' gives one value twice. */
function withoutConversions(text: string, figures: FoundQuantity[]): FoundQuantity[] {
  return figures.filter((figure, index) => {
    const before = figures[index - 1];
    if (!before || before.value.dimension !== figure.value.dimension) return true;
    return !/^ ?[([] ?$/.test(text.slice(before.end, figure.start));
  });
}

/** Those that the clause claims: a date beside another figure says when that holds, a figure in a condition for what. */
export function claimedFigures({ tokens, verb }: Clause, all: Figure[]): Figure[] {
  if (all.length === 0) return [];
  const hasFigure = all.some(({ value }) => FIGURES.has(value.dimension));
  const claimed: Figure[] = [];
  const opening = tokens.find(({ kind }) => kind === 'word')?.lower ?? '';
  let isCondition = CONDITION_STARTS.has(opening);
  let before = '';
  let lead = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const { lower, text, quantity } = token;
    // 'During the test the compressor ran at 8 bar': what has no verb of its own ends where there is one.
    if (at === verb && PHRASES.has(opening)) isCondition = false;
    if (quantity) {
      const isNew = claimed.at(-1) !== quantity;
      // 'A 1930 comedy in three acts' gives the year as much as the acts.
      const isOwn = before === 'a' || before === 'an';
      const isFrame =
        quantity.value.dimension === 'date' && ((hasFigure && !isOwn) || DATED.has(before === 'year' ? lead : before));
      // '49 of the 50 states' counts 49.
      const isWhole = isCount(quantity) && before === 'the' && isCount(claimed.at(-1)) && lead === 'of';
      // 'In the first year' is no rank of what follows.
      const isOrdinal = quantity.value.dimension === 'ordinal';
      const isPart = isOrdinal && quantity.start < (tokens[verb]?.start ?? 0);
      // 'Less than 9th' has a bound that no ordinal bears.
      const isBound = isOrdinal && before === 'than';
      // 'Drivers under 25 pay £900' and 'staff with ten years of service have 30 days' say for whom it is so.
      const isLimit =
        (before === 'with' || (isOpenEnded(quantity) && /[^s]s$/.test(before))) &&
        quantity.start < (tokens[verb]?.start ?? 0) &&
        all.length > 1;
      // 'At 20 °C the battery lasts 12 hours'.
      const isOpening =
        quantity.start < (tokens[OPENING]?.start ?? 0) &&
        quantity.start > (tokens[0]?.start ?? 0) &&
        OPENINGS.has(tokens[0]?.lower ?? '') &&
        all.length > 1 &&
        !isTime(quantity);
      if (isNew && !isOpening && !isCondition && !isFrame && !isPart && !isBound && !isWhole && !isLimit)
        claimed.push(quantity);
    } else if (isOf(token, IF)) isCondition = true;
    else if (text === ',') isCondition = false;
    if (!quantity) {
      lead = before;
      before = lower;
    }
  }
  return claimed;
}

const isOpenEnded = ({ value: { low, high } }: FoundQuantity) => low === null || high === null;
const isCount = (figure: FoundQuantity | undefined) => figure?.value.dimension === 'count';

/** What a figure is of: the stem of it, and its name for people. */
export function measuredBy(clause: Clause, figure: FoundQuantity): { attribute: string; label: string } {
  const { counted } = figure;
  const event = counted === '' && isTime(figure) ? eventToken(clause, figure) : undefined;
  const noun = counted === '' && !event ? measuredToken(clause, figure) : undefined;
  return {
    attribute: counted
      ? countedStem(clause, stem(counted.toLowerCase()))
      : (event?.stem ?? attributeOf(clause, figure, noun)),
    label: cut(nameOf(clause, figure, event, noun), LABEL_SHOWN),
  };
}

/** 'Income' in 'the income is $20', else what was done. */
function attributeOf(clause: Clause, figure: FoundQuantity, noun: Token | undefined): string {
  if (!isTime(figure) && noun) return noun.stem;
  // 'Is a 1931 drama' says what it is.
  if (isTime(figure) && isCopula(clause)) return doneToken(clause)?.stem ?? 'be';
  return attributeToken(clause)?.stem ?? '';
}

const PERSON = stem('people');
const STAFF = stem('employees');

/** 'Employs 300 people' counts employees. */
function countedStem({ tokens }: Clause, counted: string): string {
  return counted === PERSON && tokens.some((token) => token.stem === STAFF) ? STAFF : counted;
}

const isTime = ({ value: { dimension } }: FoundQuantity) => dimension === 'date' || dimension === 'clock';

/** 'Replaced' in 'was replaced on 8 May'. */
function doneToken({ tokens, verb }: Clause): Token | undefined {
  const next = tokens.slice(verb + 1, verb + 4).find(({ isContent }) => isContent);
  return next && !next.isName && !next.quantity && /(?:ed|ing|en)$/.test(next.lower) ? next : undefined;
}

/** What happened on a date: the nearest such word before it, else the first after. */
function eventToken({ tokens }: Clause, { start }: FoundQuantity): Token | undefined {
  // A bearing was not born.
  const isEvent = ({ stem: base, isName, lower }: Token) => EVENTS.has(base) && !isName && lower !== 'bearing';
  return (
    tokens.findLast((token) => token.start < start && isEvent(token)) ??
    tokens.find((token) => token.start > start && isEvent(token))
  );
}

/** A noun, so that 'the … is' can be said of it; else a verb in quotes. */
function nameOf(
  clause: Clause,
  { counted, value, role }: FoundQuantity,
  event: Token | undefined,
  noun: Token | undefined,
): string {
  if (value.dimension === 'ordinal') return 'rank';
  if (counted) return `number of ${counted}`;
  if (event) return EVENT_DATES.get(event.lower) ?? `date of '${event.text}'`;
  if (noun) return `${role === 'change-by' ? 'change in ' : ''}${nounPhrase(clause.tokens, noun)}`;
  const verb = verbToken(clause);
  if (!verb || verb.quantity || verb.isName || isCopula(clause)) return value.dimension === 'date' ? 'date' : 'value';
  return value.dimension === 'date' ? `date of '${verb.text}'` : `figure for '${verb.text}'`;
}

const EVENT_DATES = new Map(
  `born birth|died death|founded foundation|established foundation|formed formation|created creation|opened opening
closed closure|launched launch|released release|published publication|premiered premiere|married marriage|signed signing
ended end|finished end|started start|began start|elected election|appointed appointment|merged merger|acquired acquisition
introduced introduction|discovered discovery|invented invention|built construction|constructed construction|completed completion
expired expiry|issued issue|dissolved dissolution|retired retirement|graduated graduation|resigned resignation`
    .split(/[|\n]/)
    .map((pair) => pair.split(' ') as [string, string])
    .map(([verb, noun]) => [verb, /^(?:birth|death)$/.test(noun) ? `date of ${noun}` : `${noun} date`]),
);

/** The noun that a figure is of: 'profit' in 'a profit of $5', else the one before the verb. */
function measuredToken({ tokens, verb }: Clause, { start }: FoundQuantity): Token | undefined {
  const at = tokens.findIndex((token) => token.start >= start);
  if (at > 1 && tokens[at - 1]?.lower === 'of' && isNoun(tokens[at - 2] as Token)) return tokens[at - 2];
  const near = HEAD_ENDS.has(tokens[verb]?.lower ?? '') ? VERB_NEAR : 1;
  if (!tokens.slice(verb, verb + near).some(({ lower }) => MEASURING.has(lower))) return undefined;
  // Of 'the rate of growth in Rome' the rate: what follows a preposition only says more of it.
  let end = Math.min(1, verb);
  while (end < verb && !HEAD_ENDS.has(tokens[end]?.lower ?? '')) end++;
  const noun = lastNoun(tokens, end) ?? lastNoun(tokens, verb);
  if (noun) return noun;
  // 'The Rent is' has a capital for no reason.
  return end === 2 && tokens[0]?.lower === 'the' ? tokens[1] : undefined;
}

function lastNoun(tokens: Token[], end: number): Token | undefined {
  for (let at = end - 1; at >= 0; at--) if (isNoun(tokens[at] as Token)) return tokens[at];
  return undefined;
}

const isNoun = (token: Token) => token.isContent && !token.isName && !token.quantity && !isMonth(token);

/** After 'unemployment in Fenwick' the verb is still to come. */
const VERB_NEAR = 5;
/** With other verbs the noun before is who does it. */
const MEASURING = new Set(
  'is are was were stood stands reached reaches hit rose fell grew dropped declined increased decreased remained'.split(
    ' ',
  ),
);
const HEAD_ENDS = new Set(['of', 'in', 'for', 'at', 'on', 'to', 'from', 'by', 'with', 'who', 'that', 'which']);
const isMonth = (token: Token | undefined) => token?.isCapital === true && MONTHS.has(token.lower);

/** With the words right before it: 'notice period'. */
function nounPhrase(tokens: Token[], noun: Token): string {
  const at = tokens.indexOf(noun);
  let from = at;
  while (from > 0 && at - from < MAX_PHRASE && isPlain(tokens[from - 1] as Token)) from--;
  return tokens
    .slice(from, at + 1)
    .map(spoken)
    .join(' ');
}

const MAX_PHRASE = 2;
const isPlain = ({ isContent, isName, quantity, lower }: Token) =>
  isContent && !isName && !quantity && !/(?:ed|ly|made|has)$/.test(lower);

/** In the middle of a sentence; short forms such as GDP keep their capitals. */
function spoken({ text, lower }: Token): string {
  return /\p{Lu}.*\p{Lu}/u.test(text) ? text : lower;
}

function attributeToken(clause: Clause): Token | undefined {
  const { tokens, verb } = clause;
  if (isCopula(clause))
    for (let at = verb - 1; at >= 0; at--) {
      const token = tokens[at] as Token;
      if (token.isContent && !token.isName) return token;
    }
  return verbToken(clause);
}

const isCopula = ({ tokens, verb }: Clause) => COPULAS.has(tokens[verb]?.lower ?? '');

/** The first word from the verb on that says something. */
export function verbToken({ tokens, verb }: Clause): Token | undefined {
  for (let at = verb; at < tokens.length; at++) if (tokens[at]?.isContent) return tokens[at];
  return undefined;
}
