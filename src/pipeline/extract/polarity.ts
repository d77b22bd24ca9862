/** Tells whether a clause denies what it speaks of. */
import { stem } from '../lexicon/stem.ts';
import { classWhere, isOf } from '../lexicon/word-class.ts';
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

export interface Polarity {
  isDenied: boolean;
  /** The first word of denial, -1 if there is none. */
  cue: number;
  /** Where that word stands in the sentence. */
  start: number;
}

/** The last ones as many write them. */
const CUES = wordSet(
  "not n't never no none neither nor without cannot nobody nothing zero cant dont wont isnt arent doesnt didnt wasnt",
);
/** Deny what follows them, mostly with 'to'. */
const DENYING = new Set(['fail', 'refuse', 'lack', 'unable', 'decline', 'incapable', 'avoid'].map(stem));
/** These need no 'to'. */
const BARE = new Set(['lack', 'unable', 'incapable'].map(stem));
/** After 'not' and 'no' these deny nothing. */
const HARMLESS = wordSet('only just merely necessarily until doubt later sooner earlier longer');
const MEASURES = wordSet('more less fewer greater over under');

/** What is in this, or out of it. */
const WORKING = wordSet('order service operation stock use action print warranty date');
/** Whether it denies anything, the words beside it tell. */
const CUE = classWhere(
  ({ lower, stem: base }) => CUES.has(lower) || DENYING.has(base) || lower === 'yet' || lower === 'out',
);

export function polarityOf(tokens: Token[]): Polarity {
  let count = 0;
  let cue = -1;
  for (let index = 0; index < tokens.length; index++) {
    if (!isOf(tokens[index], CUE) || !isCue(tokens, index)) continue;
    count++;
    if (cue < 0) cue = index;
  }
  return { isDenied: count % 2 === 1, cue, start: cue < 0 ? 0 : (tokens[cue] as Token).start };
}

function isCue(tokens: Token[], index: number): boolean {
  const token = tokens[index] as Token;
  const next = tokens[index + 1];
  if (DENYING.has(token.stem)) {
    if (BARE.has(token.stem)) return true;
    return next?.lower === 'to' && tokens[index + 2]?.kind === 'word';
  }
  if (token.lower === 'yet') return next?.lower === 'to';
  // 'Out of order'.
  if (token.lower === 'out') return next?.lower === 'of' && WORKING.has(tokens[index + 2]?.lower ?? '');
  if (!next || isMentioned(tokens, index)) return false;
  // The answer 'No, …' is said again by the sentence; 'No. 5' is a number.
  if (token.lower === 'no' && (next.text === ',' || next.text === '.' || next.kind === 'number')) return false;
  if (HARMLESS.has(next.lower)) return false;
  // 'Little to no history'.
  if (token.lower === 'no' && (tokens[index - 1]?.lower === 'to' || tokens[index - 1]?.lower === 'or')) return false;
  const [third, second, before] = [3, 2, 1].map((back) => tokens[index - back]?.lower);
  // 'Including but not limited to'.
  if (before === 'but' && next.lower === 'limited') return false;
  // 'May or may not', 'whether or not'.
  if (token.lower === 'not' && ((second === 'or' && before === third) || (second === 'whether' && before === 'or')))
    return false;
  const isNot = token.lower === 'not' || token.lower === "n't";
  const isBound = MEASURES.has(next.lower) && tokens[index + 2]?.lower === 'than';
  if ((token.lower === 'no' || token.lower === 'not') && isBound) return false;
  // 'Not … until' says when it did.
  return !(isNot && tokens.slice(index, index + 6).some(({ lower }) => lower === 'until'));
}

/** In so many words. */
const MENTION = 3;
const QUOTE = /^["“”„«»]$/;
/** What is said of words, unlike what is said in them: 'The plan was "not approved" and "sent back".' */
const OF_WORDS = new Set(['word', 'term', 'phrase', 'expression', 'keyword', 'string', 'answer', 'value'].map(stem));

/** 'The words "must" and "must not" …' are spoken of: a list of them in quotes neither says nor denies anything. */
function isMentioned(tokens: Token[], index: number): boolean {
  const isQuote = ({ text }: Token) => QUOTE.test(text);
  const from = Math.max(0, index - MENTION);
  const before = tokens.slice(from, index).findLastIndex(isQuote);
  if (before < 0 || !tokens.slice(index, index + MENTION + 1).some(isQuote)) return false;
  const open = from + before;
  // One that stands close behind a word ends what was quoted there.
  const opens = tokens[open]?.end === tokens[open + 1]?.start;
  if (!opens || !OF_WORDS.has(tokens[tokens.findIndex(isQuote) - 1]?.stem ?? '')) return false;
  return tokens.filter(isQuote).length > 2;
}
