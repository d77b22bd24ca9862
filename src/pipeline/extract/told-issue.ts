/** Reads which issue of a series a document is where its first sentences say so: 'Welcome to the third-quarter 2021 call'. */
import { stem } from '../lexicon/stem.ts';
import { wordSet } from '../lexicon/word-set.ts';
import { heldIn, isTitled, namingIn } from './naming.ts';
import { timeIn } from './titles.ts';
import type { Token } from './tokens.ts';

/** What comes again and again, each time with other news. */
const KINDS = wordSet(
  `call conference teleconference webcast meeting minutes session hearing briefing agenda report bulletin newsletter
edition issue release update review results digest episode`,
);
/** Greetings and labels of speakers may stand before. */
const MAX_GREETED = 16;
/** Further down 'this' points to something that was spoken of before. */
const MAX_POINTED = 3;
/** In words, from the greeting to what it names, and from there to its number. */
const REACH = 20;
const NEAR = 10;

interface Told {
  sentence: { text: string };
  tokens: Token[];
}

/**
 * Each with the kind of document and of number, as 'call quarter:3' and 'call year:2021': one call may be told by its quarter
 * here and by its day there, and only what is counted alike tells two calls apart.
 */
export function toldIssue(sentences: Told[]): string[] {
  let first: string[] = [];
  for (const [index, sentence] of sentences.slice(0, MAX_GREETED).entries()) {
    const naming = namingIn(sentence.tokens, isKind, index < MAX_POINTED);
    const told = termsIn(sentence, naming);
    // What a note says in a line or two, minutes only begin with.
    const isBegun = told.length === 0 && index < MAX_POINTED && sentences.length > MAX_GREETED;
    const terms = isBegun ? begunWith(sentence, sentences[index + 1]) : told;
    // 'The third-quarter call' may be told more closely in the next sentences.
    if (terms.some((term) => term.includes('year:'))) return [...new Set([...first, ...terms])];
    if (first.length === 0) first = terms;
  }
  return first;
}

const isKind = ({ lower }: Token) => KINDS.has(lower);

/** 'A meeting of the board was held on 3 May 2024', 'Minutes of the board, 3 May 2024', or that date in the next line. */
function begunWith(sentence: Told, next: Told | undefined): string[] {
  const held = termsIn(sentence, heldIn(sentence.tokens, isKind));
  if (held.length > 0 || !isTitled(sentence.tokens, isKind)) return held;
  const own = termsIn(sentence, sentence.tokens);
  if (own.length > 0 || !next) return own;
  const dates = datesIn(LINE_OF_DATE.exec(next.sentence.text)?.[0] ?? '');
  // 'The firm of 1998' gives no day.
  if (!dates.some((date) => date.startsWith(DAY))) return [];
  return [...kindsIn(sentence.tokens)].flatMap((kind) => dates.map((number) => `${kind} ${number}`));
}

/** The day and its year, whatever comes next: 'Meeting of 3 May 2024', 'July 1-2, 1997', '2024-05-03'. */
const LINE_OF_DATE =
  /^(?:\p{L}+ of )?(?:\p{L}{3,9},? )?(?:(?:19|20)\d\d-\d\d-\d\d|[\p{L}\d –,./-]{3,24}?(?:19|20)\d\d)(?!\d)/u;

const kindsIn = (tokens: Token[]) =>
  new Set(tokens.filter(isKind).map((token) => (token.lower === 'minutes' ? MEETING : token.stem)));

/** Minutes are those of a meeting. */
const MEETING = stem('meeting');

function termsIn({ sentence: { text } }: Told, naming: Token[]): string[] {
  const near = naming.slice(0, REACH);
  const kinds = kindsIn(near);
  if (kinds.size === 0) return [];
  const start = naming[Math.max(0, near.findIndex(isKind) - NEAR)]?.start ?? 0;
  const end = (naming[near.findLastIndex(isKind) + NEAR] ?? naming.at(-1))?.end ?? text.length;
  const numbers = numbersIn(text.slice(start, end));
  return [...kinds].flatMap((kind) => numbers.map((number) => `${kind} ${number}`));
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const QUARTER =
  /(?<![\p{L}\p{N}])(?:(first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter|q([1-4]))(?![\p{L}\p{N}])/iu;
const QUARTERS = new Map(Object.entries({ first: '1', second: '2', third: '3', fourth: '4' }));
const NUMBER =
  /(?<![\p{L}\p{N}])(?:(week|version|volume|no\.?|nr\.?|number|issue|edition|episode|session|#) ?#?(\d[\d.]*\d|\d)|(\d+)(?:st|nd|rd|th))(?![\p{L}\p{N}])/iu;
/** These count something else than issues; all others are ways to write a number. */
const COUNTED = new Set(['week', 'version', 'volume']);

/** A fiscal quarter is no date: nobody says when the year began. */
function numbersIn(text: string): string[] {
  const quarter = QUARTER.exec(text);
  if (quarter) {
    const word = quarter[1]?.toLowerCase() ?? '';
    const number = quarter[2] ?? QUARTERS.get(word) ?? word.charAt(0);
    return [`quarter:${number}`, ...(YEAR.exec(text) ?? []).map((year) => `year:${year}`)];
  }
  const [, label = '', labelled, ordinal] = NUMBER.exec(text) ?? [];
  const dates = datesIn(text);
  // '3rd' may be the day of a date.
  const number = labelled ?? (dates.length === 0 ? ordinal : undefined);
  const counted = COUNTED.has(label.toLowerCase()) ? label.toLowerCase() : 'number';
  return [...dates, ...(number ? [`${counted}:${number}`] : [])];
}

/** A report for 2023 may well be that of 3 March 2024: a year alone is no part of a date. */
function datesIn(text: string): string[] {
  const terms = timeIn(text).split(' ').filter(Boolean);
  const isAlone = terms.every((term) => YEAR_TERM.test(term));
  return terms.map((term) => {
    if (YEAR_TERM.test(term)) return `${isAlone ? '' : 'date '}year:${term.slice(1)}`;
    return MONTH_TERM.test(term) ? `date month:${term.slice(1)}` : `${DAY}${term.slice(1)}`;
  });
}

const DAY = 'date day:';

/** As `timeIn` writes them. */
const YEAR_TERM = /^=\d{4}$/;
const MONTH_TERM = /^=[a-z]+$/;
