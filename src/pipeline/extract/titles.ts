/** What stands above a block: the headings from the title down, as what tells the text below from other texts. */
import { LABEL_SHOWN } from '../claim.ts';
import { MONTHS } from '../lexicon/months.ts';
import type { Block } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { cut } from '../storable.ts';
import { asFigure, writeTerm } from '../term.ts';
import { type FoundQuantity, findQuantities } from '../values/find.ts';
import { editionOf } from './editions.ts';
import { type Lines, linesOf, plain, textOf } from './record-keys.ts';
import { valueTerms } from './terms.ts';
import { type Token, tokenise } from './tokens.ts';
import { contentStems } from './words.ts';

export interface Title {
  /** In one form; '' where no heading tells of what the text is. */
  identity: string;
  /** Stems of all headings above. */
  stems: string[];
  /** Stems of the one that names something, and its text. */
  subject: string[];
  name: string;
  /** The nearest heading. */
  last: string;
  /** The date or period that the headings give, for what says no other: 'Report for Q3 2024', 'Price list 2023'. */
  time: string;
}

/** In the identity, where no heading has it. */
export const BETWEEN_HEADINGS = ' / ';

const NONE: Title = { identity: '', stems: [], subject: [], name: '', last: '', time: '' };
const MAX_STEMS = 24;
/** Of a heading that is longer, the rest does not tell it from others. */
const MAX_HEADING = 200;

/** What it tells is found once, and not again for each heading below it. */
interface Heading {
  level: number;
  text: string;
  identity: string;
  stems: string[];
  times: Times;
}

/** For each block the headings that it stands under. `tokensAt` gives the words of a heading. */
export function titlesOf(
  { blocks, text }: Reading,
  tokensAt: (block: number) => Token[] | undefined,
): (block: number) => Title {
  const titles: Title[] = [];
  const levels = blocks.filter(({ kind }) => kind === 'heading').map(({ level = 1 }) => level);
  const top = levels.reduce((least, level) => Math.min(least, level), Number.POSITIVE_INFINITY);
  // Where several stand at the top, none is the title of all, unless the first alone has a date.
  const isFirst = opensAll(blocks, text, top);
  const hasTitle = levels[0] === top && (isFirst || levels.lastIndexOf(top) === 0);
  let open: Heading[] = [];
  let title = NONE;
  blocks.forEach(({ kind, level = 1, start, end }, index) => {
    const tokens = kind === 'heading' ? tokensAt(index) : undefined;
    if (tokens) {
      const own = isFirst && open.length === 0 ? 0 : level;
      open = open.filter((above) => above.level < own);
      open.push(headingOf(own, cut(text.slice(start, end), MAX_HEADING), tokens));
      title = titleOf(open, levels.length === 1 && index === 0, hasTitle);
    }
    titles.push(title);
  });
  // The title of front matter may stand behind other fields.
  const whole = blocks.findIndex(({ kind, level }) => kind === 'heading' && level === 0);
  return (block) => titles[Math.max(block, whole)] ?? title;
}

const headingOf = (level: number, text: string, tokens: Token[]): Heading => ({
  level,
  text,
  identity: plain(text),
  stems: contentStems(tokens),
  times: timesIn(text),
});

/** Whether the document begins with a heading that has a date, and no other at its level has a figure: 'Minutes of 3 May', 'Attendees'. */
function opensAll(blocks: Block[], text: string, top: number): boolean {
  const [first] = blocks;
  if (first?.kind !== 'heading' || first.level !== top) return false;
  const tops = blocks.filter(({ kind, level }) => kind === 'heading' && level === top);
  const numbered = tops.filter(({ start, end }) => /\d/.test(text.slice(start, end)));
  const isDated = () => timeIn(text.slice(first.start, first.end)) !== '';
  return tops.length > 1 && numbered.length === 1 && numbered[0] === first && isDated();
}

/** One common word, such as 'Links', is above many texts; only as the title of all of it does it name something. */
function titleOf(open: Heading[], isOnly: boolean, hasTitle: boolean): Title {
  const stems = [...new Set(open.flatMap((heading) => heading.stems))].slice(0, MAX_STEMS);
  const time = timeOfAll(open.map(({ times }) => times));
  const isTold = hasTitle || open.some(({ text }) => /\d/.test(text));
  if ((stems.length < 2 && !isOnly) || !isTold) return { ...NONE, stems, time };
  const [first] = open;
  const named = open.find((heading) => heading.stems.length > 1) ?? first;
  return {
    identity: [...new Set(open.map((heading) => heading.identity))].join(BETWEEN_HEADINGS),
    stems,
    subject: named?.stems ?? [],
    name: cut(named?.text ?? '', LABEL_SHOWN),
    last: cut(open.at(-1)?.text ?? '', LABEL_SHOWN),
    time,
  };
}

/** So far from its beginning a document says which issue it is. */
const MAX_HEAD = 8;

export interface Issue {
  /** Dates and numbers of the title, of lines such as 'Date: …' and 'Version: …' near it, and of the document's name. */
  terms: string[];
  /** The date among them. */
  time: string;
}

/** `opening` is the first sentence of a text without headings, if it has no verb: 'Shift report of 3 June.' */
export function issueOf({ name, blocks, text }: Reading, opening: string): Issue {
  const title = blocks.find(({ kind }) => kind === 'heading');
  const lines = blocks.slice(0, MAX_HEAD).filter(isLine);
  const texts = [
    ...(title ? [text.slice(title.start, title.end)] : []),
    ...linesOf(lines.flatMap(({ cells }) => cells)).map(({ start, end }) => text.slice(start, end)),
  ];
  const series = title || opening === '' ? [] : seriesTerms(opening);
  const terms = [...editionOf(name, text), ...texts.flatMap(numbersIn), ...series];
  return { terms: [...new Set(terms)].slice(0, MAX_STEMS), time: texts.map(timeIn).find((time) => time !== '') ?? '' };
}

/** The fields of JSON are those of a record, and of no document. */
const isLine = ({ kind, within, isLine }: Block) => kind === 'field' && (within === undefined || isLine === true);

/** With what it is called, since a note of one day may well speak of the same as a report of another. */
function seriesTerms(opening: string): string[] {
  // 'The Rigi cabin sleeps 12 guests.' has a verb that no list has.
  if (timeIn(opening) === '' && findQuantities(opening).some(isMeasured)) return [];
  const words = opening.toLowerCase().match(/\p{L}+/gu) ?? [];
  const series = words.filter((word) => !MONTHS.has(word)).join(' ');
  return numbersIn(opening).map((number) => `${series}:${number}`);
}

/** 'Shift log 12' only has a number. */
const isMeasured = ({ value: { dimension }, counted }: FoundQuantity) => dimension !== 'count' || counted !== '';

function numbersIn(text: string): string[] {
  const time = timeIn(text);
  if (time !== '') return time.split(' ');
  return tokenise(text).flatMap(({ stem }) => (/\d/.test(stem) ? [stem] : []));
}

interface Times {
  dates: string[];
  /** 'Price list 2023' has a year for a number. */
  years: string[];
}

function timesIn(text: string): Times {
  const found = findQuantities(text).filter(({ value }) => value.dimension === 'date');
  return {
    dates: [...new Set(found.flatMap(({ value }) => valueTerms(value).map(writeTerm)))],
    years: (text.match(YEAR) ?? []).map((year) => writeTerm(asFigure(year))),
  };
}

/** A year is told where nothing gives a date. */
function timeOfAll(times: Times[]): string {
  const dates = times.flatMap((each) => each.dates);
  const terms = dates.length > 0 ? dates : times.flatMap(({ years }) => years);
  return [...new Set(terms)].sort().join(' ');
}

export const timeIn = (text: string) => timeOfAll([timesIn(text)]);

/** The date that the lines of a record give. */
export const timeOf = (reading: Reading, lines: Lines) => timeIn(lines.map((line) => textOf(reading, line)).join('; '));

const YEAR = /(?<![\p{L}\p{N}.,/-])(?:19|20)\d\d(?![\p{L}\p{N}/-]|[.,]\d)/gu;
