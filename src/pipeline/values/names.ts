/** Numbers that measure nothing: pages, sections, models, phone numbers, times of day, reference marks. */
import { HEADLINE_VERBS, LABELS, NEVER_COUNTED, OPENING_WORDS } from '../lexicon/beside-numbers.ts';
import { LETTER_MAGNITUDES, MAGNITUDES, MONEY_MAGNITUDES, ORDINAL_ENDINGS } from '../lexicon/number-words.ts';
import { numeralAt } from './numerals.ts';
import { startsUpper, type Token } from './tokens.ts';
import { unitAt } from './unit-reader.ts';

/** Between the groups of phone numbers, accounts and the like. */
const GROUP_JOINTS = new Set(['-', '.', '(', ')', '/', ' ']);
const GROUPED_DIGITS_LEAST = 9;
const CLOCK = new Set(['am', 'pm', "o'clock", 'o’clock', 'gmt', 'utc', 'est', 'pst', 'cet']);
const STREETS = new Set(
  'street st road rd avenue ave boulevard blvd lane drive way place court highway square'.split(' '),
);
const ENDINGS = new Set([...ORDINAL_ENDINGS, 's']);

/** The token after the name, or -1 if the number at `at` is a quantity for all we see. */
export function endOfName(tokens: Token[], at: number): number {
  const grouped = endOfGroups(tokens, at);
  if (grouped > 0) return grouped;
  const clock = endOfClock(tokens, at);
  if (clock > 0) return clock;
  const angle = endOfAngle(tokens, at);
  if (angle > 0) return angle;
  if (isAddress(tokens, at) || isListNumber(tokens, at) || isGluedToName(tokens, at) || isLabelled(tokens, at))
    return at + 1;
  return endOfReference(tokens, at);
}

/** '+44 20 7946 0018', '078-05-1120'; each group a number without separators. */
function endOfGroups(tokens: Token[], at: number): number {
  let digits = 0;
  let groups = 0;
  let next = at;
  let joint = '';
  for (; next < tokens.length; next++) {
    const token = tokens[next] as Token;
    const isGroup = token.kind === 'number' && !token.dressed;
    if (isGroup) {
      // Numbers in a row with blanks between are groups only after a plus.
      if (next > at && !token.glued && joint !== '(' && joint !== ')' && tokens[at - 1]?.text !== '+') break;
      digits += token.text.length;
      groups++;
    } else if (!token.glued || !GROUP_JOINTS.has(token.text)) break;
    joint = token.text;
  }
  const isName = (groups >= 3 && digits >= GROUPED_DIGITS_LEAST) || (groups >= 4 && digits >= 6);
  return isName ? next : -1;
}

/** '3 pm', '15:30', 'at 9.30 a.m.'; ratios such as '4:3' and verses go the same way. */
function endOfClock(tokens: Token[], at: number): number {
  let next = at + 1;
  while (
    tokens[next]?.text === ':' &&
    tokens[next + 1]?.kind === 'number' &&
    next < at + 8 &&
    tokens[next]?.glued &&
    tokens[next + 1]?.glued
  )
    next += 2;
  const word = tokens[next];
  const hasMinutes = next > at + 1;
  if (word && CLOCK.has(word.lower) && (hasMinutes || word.lower.length !== 3)) return next + 1;
  return hasMinutes ? next : -1;
}

/** "38°58'29.5''" */
function endOfAngle(tokens: Token[], at: number): number {
  const mark = tokens[at + 1];
  if (!mark?.glued || (mark.text !== '°' && mark.text !== 'º') || tokens[at + 2]?.kind !== 'number') return -1;
  let next = at + 2;
  while (tokens[next]?.glued) next++;
  return next;
}

/** '613 Williams Street' */
function isAddress(tokens: Token[], at: number): boolean {
  for (let next = at + 1; next <= at + 4; next++) {
    const token = tokens[next];
    if (!token || !startsUpper(token)) return false;
    if (STREETS.has(token.lower) && next > at + 1) return true;
  }
  return false;
}

function isListNumber(tokens: Token[], at: number): boolean {
  const mark = tokens[1];
  const first = tokens[at] as Token;
  return (
    at === 0 &&
    !first.dressed &&
    first.value < 100 &&
    mark?.glued === true &&
    (mark.text === '.' || mark.text === ')') &&
    tokens.length > 2 &&
    !tokens[2]?.glued
  );
}

/** 'F-16', 'COVID-19', '#4', '3D', 'a/5', '10^5'. */
function isGluedToName(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  // Only codes begin with a nought.
  if (!token.dressed && token.text.length > 1 && token.text.startsWith('0')) return true;
  if (before?.text === '#' || after?.text === '^') return true;
  if (token.glued && before) {
    if ('/_#^=&\\.*'.includes(before.text) || before.kind === 'word' || before.kind === 'code') return true;
    const start = tokens[at - 2];
    // 'passwd(5)'
    if (before.text === '(' && before.glued && start?.kind === 'word' && tokens[at + 1]?.text === ')') return true;
    if (before.text === '-' && before.glued && start && start.kind !== 'mark') return true;
    if (before.text === ':' && before.glued && start?.kind === 'number') return true;
  }
  if (!after?.glued) return false;
  // '401(k)'
  if (after.text === '(' && tokens[at + 2]?.text.length === 1 && tokens[at + 3]?.text === ')') return true;
  if (after.kind === 'mark')
    return (
      '_^@&=\\#'.includes(after.text) ||
      (after.text === '/' && tokens[at + 2]?.kind === 'number' && numeralAt(tokens, at)?.isPart !== true)
    );
  if (after.kind === 'number') return true;
  if (ENDINGS.has(after.lower) || MAGNITUDES.has(after.lower) || LETTER_MAGNITUDES.has(after.text)) return false;
  if (unitAt(tokens, at + 1, false, 2)) return false;
  return !(MONEY_MAGNITUDES.has(after.text) && unitAt(tokens, at + 2, false, 2)?.unit.dimension === 'money');
}

/** 'Section 4.2', 'Boeing 747', 'Apollo 11'. */
function isLabelled(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  const before = tokens[at - 1];
  if (before?.kind !== 'word' && before?.kind !== 'code') return false;
  if (LABELS.has(before.lower)) return true;
  const hasCapital = /^\p{Lu}/u.test(before.text) || /^\p{Ll}\p{Lu}/u.test(before.text);
  if (!hasCapital || token.text.includes(',') || NEVER_COUNTED.has(before.lower)) return false;
  if (HEADLINE_VERBS.has(before.lower) || (at === 1 && OPENING_WORDS.has(before.lower))) return false;
  const after = tokens[at + 1];
  if (after && (MAGNITUDES.has(after.lower) || unitAt(tokens, at + 1, false, 2))) return false;
  // A text in capitals throughout has no names.
  return !(
    before.text.length > 1 &&
    before.text === before.text.toUpperCase() &&
    after?.kind === 'word' &&
    after.text === after.text.toUpperCase()
  );
}

/** '[12]', '[12, 13]', '© 2021', 'Copyright 2019' */
function endOfReference(tokens: Token[], at: number): number {
  const before = tokens[at - 1];
  if (before?.text === '©' || before?.lower === 'copyright') return at + 1;
  if (before?.text === ')' && tokens[at - 2]?.lower === 'c' && tokens[at - 3]?.text === '(') return at + 1;
  if (before?.text !== '[') return -1;
  let next = at + 1;
  while (next < at + 32 && (tokens[next]?.kind === 'number' || ',–-'.includes(tokens[next]?.text ?? ' '))) next++;
  return tokens[next]?.text === ']' ? next + 1 : -1;
}
