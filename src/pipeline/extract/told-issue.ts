/** Reads which issue of a series a document is where its first sentences say so: 'Welcome to the third-quarter 2021 call'. */
import { wordSet } from '../lexicon/word-set.ts';
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

/** Each with the kind of document that it is a number or date of, as 'call:q3' and 'call:2021'. */
export function toldIssue(sentences: Told[]): string[] {
  let first: string[] = [];
  for (const [index, sentence] of sentences.slice(0, MAX_GREETED).entries()) {
    const from = openingAt(sentence.tokens, index < MAX_POINTED);
    const terms = from < 0 ? [] : termsFrom(sentence, from);
    // 'The third-quarter call' may be told more closely in the next sentences.
    if (terms.some((term) => YEAR.test(term))) return [...new Set([...first, ...terms])];
    if (first.length === 0) first = terms;
  }
  return first;
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;

/** Where the sentence begins to name the document that it is part of, -1 if it does not. */
function openingAt(tokens: Token[], mayPoint: boolean): number {
  const greeting = tokens.findIndex(({ lower }) => lower === 'welcome' || lower === 'joining');
  if (greeting >= 0) {
    const isFor = tokens[greeting]?.lower === 'joining';
    const isTo = tokens.slice(greeting, greeting + NEAR).some(({ lower }) => lower === 'to');
    return isFor || isTo ? greeting : -1;
  }
  if (!mayPoint) return -1;
  const at = tokens[0]?.lower === 'in' ? 1 : 0;
  const [first, second] = [tokens[at]?.lower ?? '', tokens[at + 1]?.lower ?? ''];
  if (at === 0 && /^(?:this|these|here)$/.test(first) && /^(?:is|are)$/.test(second)) return 0;
  return first === 'this' && tokens.slice(at + 1, at + 4).some(isKind) ? at : -1;
}

const isKind = ({ lower }: Token) => KINDS.has(lower);

function termsFrom({ sentence: { text }, tokens }: Told, from: number): string[] {
  const near = tokens.slice(from, from + REACH);
  const kinds = new Set(near.filter(isKind).map(({ stem }) => stem));
  if (kinds.size === 0) return [];
  const start = tokens[Math.max(from, from + near.findIndex(isKind) - NEAR)]?.start ?? 0;
  const end = tokens[from + near.findLastIndex(isKind) + NEAR]?.end ?? text.length;
  const numbers = numbersIn(text.slice(start, end));
  return [...kinds].flatMap((kind) => numbers.map((number) => `${kind}:${number}`));
}

const QUARTER =
  /(?<![\p{L}\p{N}])(?:(first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter|q([1-4]))(?![\p{L}\p{N}])/iu;
const QUARTERS = new Map(Object.entries({ first: '1', second: '2', third: '3', fourth: '4' }));
const NUMBER =
  /(?<![\p{L}\p{N}])(?:(week|no\.?|nr\.?|number|issue|edition|episode|session|version|volume) ?#?(\d[\d.]*\d|\d)|(\d+)(?:st|nd|rd|th))(?![\p{L}\p{N}])/iu;

/** A fiscal quarter is no date: nobody says when the year began. */
function numbersIn(text: string): string[] {
  const quarter = QUARTER.exec(text);
  if (quarter) {
    const word = quarter[1]?.toLowerCase() ?? '';
    const number = quarter[2] ?? QUARTERS.get(word) ?? word.charAt(0);
    return [`q${number}`, ...(YEAR.exec(text) ?? [])];
  }
  const [, series = '', number, ordinal] = NUMBER.exec(text) ?? [];
  const time = timeIn(text);
  return [
    ...(time === '' ? [] : time.split(' ')),
    ...(number || (ordinal && time === '') ? [`${series.toLowerCase()}${number ?? ordinal}`] : []),
  ];
}
