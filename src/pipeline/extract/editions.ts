/** Tells by the name of a document which edition of something it is: 'docs/2.10/setup.md', 'calls/acme_q3_2021.txt'. */
import { MONTHS } from '../lexicon/months.ts';
import { hash53 } from './hash.ts';

const YEARS = String.raw`(?:19|20)\d\d`;
const WORD = '(?:v|(?:rev|version)[ ._-]?)';
/** Of a package, whose own number may stand behind that of what is in it: '1.2-1'. */
const NUMBER = String.raw`\d+(?:\.\d+)+(?:-\d{1,3}(?![-\d]|\.\d))?`;
/**
 * A date or a season, a version, a year, a quarter, or a word, which may be a month. '1.2 Fees' begins with the number of a section,
 * and six digits or four are as often a running number as a month or a year.
 */
const PARTS = [
  String.raw`${WORD}?${YEARS}(?:[-_.]\d\d(?:[-_.]\d\d)?(?!\.\d)|(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))`,
  String.raw`(?<!^|\/)${NUMBER}|\d+(?:\.\d+)+(?![ _-])`,
  String.raw`${WORD}(?:${NUMBER}|\d+)|${YEARS}|fy ?\d\d(?:\d\d)?|q[1-4]|\p{L}+`,
];
const PART = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${PARTS.join('|')})(?![\p{L}\p{N}])`, 'giu');
/** All parts but months have one of these, which is found sooner. */
const NUMBERED = new RegExp(String.raw`${YEARS}|\d\.\d|${WORD}\d|fy ?\d|q[1-4]`, 'iu');
const DATE = /^((?:19|20)\d\d)[-_.]?(\d\d)(?:[-_.]?(\d\d))?$/;
const NUMBERED_YEAR = /^((?:19|20)\d\d)[-_](\d\d)/;
const BEFORE_NUMBER = new RegExp(String.raw`^${WORD}(?=\d)`);
const YEAR = /^\d{4}$/;
/** In a folder of its own. */
const FOLDER = /(?:^|\/)(?:19[89]|20[0-3])\d\//;

/** Before what it is an edition of, which is the name without these parts: only editions of one thing are told from each other. */
const EDITION = '#';

/** One term, or none where the name has no such part. */
export function editionOf(name: string, text: string): string[] {
  const lower = name.toLowerCase();
  // Months alone tell none.
  if (!NUMBERED.test(lower)) return [];
  const parts: string[] = [];
  let isTold = false;
  const rest = lower.replace(PART, (found) => {
    if (/^\p{L}+$/u.test(found) && !MONTHS.has(found)) return found;
    const part = withoutNumber(found);
    parts.push(plain(part));
    isTold ||= /\d/.test(part) && !YEAR.test(part);
    return EDITION + found.slice(part.length);
  });
  // A number is a year beside a month or a quarter, as a folder, or where the text has it, too. A month alone may be a name.
  const isOfYear = () => parts.length > 1 || FOLDER.test(name) || text.includes(parts[0] as string);
  if (!isTold && !(parts.some((part) => YEAR.test(part)) && isOfYear())) return [];
  return [`${EDITION}${hash53(rest.replace(/[^\p{L}\p{N}#/]+/gu, ' '))}:${parts.join(' ')}`];
}

/** What is no month behind a year, and no season with it, is a running number: 'invoice-2024-17'. */
function withoutNumber(part: string): string {
  const [, year = '', number = ''] = NUMBERED_YEAR.exec(part) ?? [];
  const isMonth = Number(number) >= 1 && Number(number) <= 12;
  const isSeason = part.length === '2020-21'.length && Number(number) === (Number(year) + 1) % 100;
  return year === '' || isMonth || isSeason ? part : year;
}

/** '20240501' is '2024-05-01', 'v1.0' and 'version 1' are '1', and 'fy 2023' is 'fy2023', as 'fy23' is. */
function plain(part: string): string {
  const number = part.replace(BEFORE_NUMBER, '');
  const [, ...date] = DATE.exec(number) ?? [];
  if (date.length > 0) return date.filter(Boolean).join('-');
  return number.replace(/^fy ?(\d\d)?(?=\d\d$)/, (_, century = '20') => `fy${century}`).replace(/(?:\.0+)+$/, '');
}

export const isEdition = (term: string) => term.startsWith(EDITION);

/** By their names, which differ in nothing else. A year and a month of it may be one, and so may 2.1 and 2.1.3. */
export function areOtherEditions(one: string[], other: string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const [ours, theirs] = [one, other].map((terms) => terms.find(isEdition)?.split(':'));
  if (!ours || !theirs || ours[0] !== theirs[0]) return false;
  const parts = theirs[1]?.split(' ') ?? [];
  return (ours[1]?.split(' ') ?? []).some(
    (part, at) => !isWithin(part, parts[at] ?? '') && !isWithin(parts[at] ?? '', part),
  );
}

const isWithin = (part: string, whole: string) =>
  part === whole || /^[-.]/.test(part.startsWith(whole) ? part.slice(whole.length) : '');
