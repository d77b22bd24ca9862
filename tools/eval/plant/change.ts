/** Changes the one value of a sentence to another that cannot hold as well. */
import type { Chance } from '../../../storm/chance.ts';

export interface Change {
  kind: string;
  /** In the sentence. */
  start: number;
  from: string;
  to: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const COUNTS = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const SPANS = 'minutes?|hours?|days?|weeks?|months?|years?|business days?|working days?';
const NUMBER = String.raw`(?<![\w#.,/:$€£+-])\d{1,3}(?:,\d{3})+|(?<![\w#.,/:$€£+-])\d+(?:\.\d+)?`;

const PLURAL = String.raw`(?!is\b|was\b|as\b|has\b|this\b)[a-z]+s\b`;
const STATES = 'approved|rejected|accepted|declined|enabled|disabled|passed|failed|mandatory|optional';

interface Pattern {
  kind: string;
  find: RegExp;
  change(found: string, chance: Chance): string;
}

/** The first that fits decides the kind: '$500' is money before it is a number. */
const PATTERNS: Pattern[] = [
  { kind: 'money', find: /[$€£]\s?\d[\d,]*(?:\.\d+)?(?![\d,]*\s?[-–])/g, change: otherFigure },
  { kind: 'percent', find: new RegExp(String.raw`(?:${NUMBER})(?=\s?(?:%|percent\b))`, 'g'), change: otherFigure },
  { kind: 'date', find: new RegExp(String.raw`\b(?:${MONTHS.join('|')})\b(?=\s+\d)`, 'g'), change: otherMonth },
  { kind: 'date', find: /\b20[0-2]\d-[01]\d-[0-3]\d\b/g, change: otherDay },
  { kind: 'time', find: /(?<![\d:])(?:1[0-2]|[1-9])(?=(?::[0-5]\d)?\s?[ap]\.?m\b)/gi, change: otherHour },
  { kind: 'duration', find: new RegExp(String.raw`(?:${NUMBER})(?=[ -](?:${SPANS})\b)`, 'g'), change: otherFigure },
  // A number after a name, or after 'the', is part of a name.
  {
    kind: 'number',
    find: new RegExp(String.raw`(?<=(?:^|\s)(?!the\b)[a-z]+\s)(?:${NUMBER})(?=\s(?:[a-z]+ )?${PLURAL})`, 'g'),
    change: otherFigure,
  },
  {
    kind: 'number',
    find: new RegExp(String.raw`\b(?:${COUNTS.join('|')})\b(?=\s(?:[a-z]+ )?${PLURAL})`, 'g'),
    change: otherCount,
  },
  {
    kind: 'status',
    find: new RegExp(String.raw`(?<=\b(?:is|are|was|were|been|has|have|we|[A-Z]\w+) )(?:${STATES})\b(?! to\b)`, 'g'),
    change: opposite,
  },
  // The verb of the main clause, near its beginning.
  {
    kind: 'denial',
    find: /(?<=^(?:@?\w+: )?(?:(?!these|this|those|that|Ensure|I )\w+ ){1,5})(?:is|are|was|were|must|has been|have been)(?= (?!also\b)[a-z])/g,
    change: denied,
  },
];

/** Nothing that is vague, denied, a bound on one side, a wish, a condition or an example. */
const UNFIT = new RegExp(
  String.raw`\b(?:about|around|approximately|roughly|nearly|almost|some|at least|more than|over|less than|fewer than|` +
    String.raw`between|or more|or so|not?|never|cannot|would|could|might|may|maybe|perhaps|should|e\.g|examples?|propos\w+|` +
    String.raw`suggest\w*|target\w*|plan\w*|expect\w*|goal|want\w*|hop(?:e|ing)\w*|try\w*|seems?|sounds?|think\w*|likely|` +
    'probably|if|unless|either|today|more|longer|shorter|the last|the next|form|step|page|once|until|when|' +
    String.raw`whether|or (?:${COUNTS.join('|')}|\d))\b|~|n['’]t\b|[?…]`,
  'i',
);

/** 'In March 2014' at the beginning is the time of what follows, and that may have been so at another time, too. */
const TIME_FIRST = /^(?:in|on|by|at|as of|since|after|before|as|while|because|during|from|through)\b/i;

/** None where the sentence has no value, or several of the kind: it would not be clear which of them is meant. */
export function changeIn(sentence: string, chance: Chance): Change | undefined {
  if (UNFIT.test(sentence) || TIME_FIRST.test(sentence)) return undefined;
  for (const { kind, find, change } of PATTERNS) {
    const [found, more] = [...sentence.matchAll(find)];
    if (!found) continue;
    // What stands in brackets says again in other words what stands before them.
    const isInBrackets = /\([^)]*$/.test(sentence.slice(0, found.index));
    if (more || found[0] === '1' || isInBrackets) return undefined;
    return { kind, start: found.index, from: found[0], to: change(found[0], chance) };
  }
  return undefined;
}

/** By a third at least, which no rounding bridges, written in the same way. A large one becomes less: no share is above 100 %. */
export function otherFigure(found: string, chance: Chance): string {
  const [digits = '0'] = /\d[\d,]*(?:\.\d+)?/.exec(found) ?? [];
  const decimals = digits.split('.')[1]?.length ?? 0;
  const value = Number(digits.replaceAll(',', ''));
  const factor = value > 40 || (chance.is(0.5) && value >= 3) ? chance.between(0.3, 0.65) : chance.between(1.4, 2.4);
  const step = 10 ** -decimals;
  let other = Number((value * factor).toFixed(decimals));
  if (Math.abs(other - value) < step) other = value + step;
  const written = digits.includes(',')
    ? other.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    : other.toFixed(decimals);
  return found.replace(digits, written);
}

function denied(found: string): string {
  return `${found} not`;
}

function otherMonth(found: string, chance: Chance): string {
  return MONTHS[(MONTHS.indexOf(found) + 2 + chance.below(8)) % 12] as string;
}

export function otherDay(found: string, chance: Chance): string {
  const day = new Date(`${found}T00:00:00Z`).getTime() + (35 + chance.below(200)) * 86_400_000;
  return Number.isNaN(day) ? found : new Date(day).toISOString().slice(0, 10);
}

function otherHour(found: string, chance: Chance): string {
  return String(((Number(found) + 1 + chance.below(4)) % 12) + 1);
}

function otherCount(found: string, chance: Chance): string {
  return COUNTS[(COUNTS.indexOf(found) + 1 + chance.below(COUNTS.length - 1)) % COUNTS.length] as string;
}

const OPPOSITES = [
  ['approved', 'rejected'],
  ['accepted', 'declined'],
  ['enabled', 'disabled'],
  ['passed', 'failed'],
  ['mandatory', 'optional'],
];

function opposite(found: string): string {
  const pair = OPPOSITES.find((words) => words.includes(found)) ?? [];
  return pair.find((word) => word !== found) ?? found;
}
