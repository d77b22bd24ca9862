/** Times that are told by words and not by a date: 'in the first quarter', 'last year', 'in the morning', 'at weekends'. */
import { classOf, hasAny, isOf } from '../lexicon/word-class.ts';
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

/** Each is a time wherever it stands. */
const DAYS = wordSet(`
yesterday tomorrow overnight weekday weekdays weekend weekends monday tuesday wednesday thursday friday saturday sunday mondays
tuesdays wednesdays thursdays fridays saturdays sundays`);
/** These are a time where one of `BEFORE` leads to them; a night may be what is paid for, and a spring is made of steel. */
const PERIODS = wordSet(`
morning afternoon evening night daytime noon spring summer autumn winter year half quarter month week day season semester
term shift`);
const BEFORE = wordSet('in on at during for by this last next past previous current throughout');
/** Words that stand between the two, and say which. */
const WHICH = wordSet(
  'the its their a whole entire full second third fourth fifth first final this last next past previous current',
);
/** They say nothing of which it is. */
const SILENT = wordSet('the its their a');
const MAX_WHICH = 3;
const TIME = classOf(new Set([...DAYS, ...PERIODS]));

/** As terms of their own, which no date has. */
export function namedTimes(tokens: Token[], hasDate: boolean): string[] {
  const times: string[] = [];
  if (!hasAny(tokens, TIME)) return times;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (!isOf(token, TIME)) continue;
    const { lower } = token;
    if (DAYS.has(lower)) times.push(`=~${lower.replace(/s$/, '')}`);
    if (!PERIODS.has(lower)) continue;
    const which = whichOf(tokens, at);
    // 'In the year 2020' is that year.
    if (which !== null && !(hasDate && which === '')) times.push(`=~${which}${lower}`);
  }
  return times;
}

/** What tells it from others of its kind; null where it is no time. */
function whichOf(tokens: Token[], at: number): string | null {
  const words: string[] = [];
  for (let before = at - 1; before >= Math.max(0, at - 1 - MAX_WHICH); before--) {
    const { lower } = tokens[before] as Token;
    const isLead = BEFORE.has(lower);
    if (!isLead && !WHICH.has(lower)) return null;
    if (WHICH.has(lower) && !SILENT.has(lower)) words.unshift(`${lower} `);
    if (isLead) return words.join('');
  }
  return null;
}
