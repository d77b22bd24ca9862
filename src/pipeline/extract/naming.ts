/** Finds the words in which a sentence names the document that it is part of, and not another: 'Welcome to …', 'This is …'. */
import { FUNCTION_WORD } from '../lexicon/function-words.ts';
import { AUXILIARY, FINITE_BY_ENDING } from '../lexicon/verbs.ts';
import { isOf } from '../lexicon/word-class.ts';
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

/** So many words at most lie between 'welcome' and its 'to'. */
const NEAR = 10;
/** And between 'this' and the kind of document. */
const DESCRIBED = 3;

/** Where the kind of what is held stands: 'a joint meeting'. */
const MAX_HELD = 4;

type IsKind = (token: Token) => boolean;

/** `isKind` knows what a document can be. `mayPoint` says that nothing stands before which 'this' could point to. */
export function namingIn(tokens: Token[], isKind: IsKind, mayPoint: boolean): Token[] {
  const greeting = tokens.findIndex((_, at) => isWelcome(tokens, at) || isJoining(tokens, at));
  if (greeting >= 0) return clauseFrom(tokens, greeting + 1, isKind);
  return mayPoint ? pointedAt(tokens, isKind) : [];
}

const BEFORE_WELCOME = wordSet('and hello hi greetings morning afternoon evening day gentlemen');
const SPEAKING = wordSet('i we my our');
const GREETED = wordSet('everyone everybody');

/** 'Good morning, and welcome to …' and 'It is a pleasure to welcome you to …', but not 'All members are welcome to …'. */
function isWelcome(tokens: Token[], at: number): boolean {
  if (tokens[at]?.lower !== 'welcome') return false;
  if (!tokens.slice(at, at + NEAR).some(({ lower }) => lower === 'to')) return false;
  const [before, next] = [tokens[at - 1], tokens[at + 1]?.lower ?? ''];
  const spoken = tokens.slice(0, at);
  if (next === 'you' || (GREETED.has(next) && spoken.some(({ lower }) => SPEAKING.has(lower)))) return true;
  const isCalled = !before || before.kind === 'mark' || BEFORE_WELCOME.has(before.lower);
  return isCalled && !spoken.some((token) => isOf(token, AUXILIARY));
}

const THANKS = wordSet('thank thanks appreciate');
const BEFORE_JOINING = wordSet('for you all everyone everybody');

/** 'Thank you for joining …', but not 'Employees joining after …'. */
function isJoining(tokens: Token[], at: number): boolean {
  if (tokens[at]?.lower !== 'joining' || !BEFORE_JOINING.has(tokens[at - 1]?.lower ?? '')) return false;
  return tokens.slice(0, at).some(({ lower }) => THANKS.has(lower));
}

/** What follows says something else of what is named, or its numbers are those of something else. */
const ENDS = wordSet('that which who whose where when since until before after than because');
/** What is done to a document or a period, unlike 'founded'. */
const ISSUED = wordSet('dated ended published issued released updated scheduled');

/** A name may have any word: 'United', 'Will'. */
function clauseFrom(tokens: Token[], from: number, isKind: IsKind): Token[] {
  const clause = tokens.slice(from);
  const kind = clause.findIndex(isKind);
  const isEnd = ({ lower, text, isCapital, classes }: Token, at: number) => {
    if (text === ';' || ENDS.has(lower)) return true;
    if (isCapital) return false;
    return isOf({ classes }, AUXILIARY) || (at > kind && isOf({ classes }, FINITE_BY_ENDING) && !ISSUED.has(lower));
  };
  const end = clause.findIndex((token, at) => at > 0 && isEnd(token, at));
  return end < 0 ? clause : clause.slice(0, end);
}

const LINKS = wordSet(
  'of for from as dated covers covering describes summarises summarizes presents reviews week no nr number version',
);

/** 'This is the bulletin for …', 'This report covers …'; what 'this issue was solved in' or 'this release needs' is no issue. */
function pointedAt(tokens: Token[], isKind: IsKind): Token[] {
  const at = tokens[0]?.lower === 'in' ? 1 : 0;
  const [first, second] = [tokens[at]?.lower ?? '', tokens[at + 1]?.lower ?? ''];
  if (at === 0 && /^(?:this|these|here)$/.test(first) && /^(?:is|are)$/.test(second)) {
    const named = clauseFrom(tokens, 2, isKind);
    return isComplement(named.slice(0, named.findIndex(isKind))) ? named : [];
  }
  if (first !== 'this') return [];
  const kind = tokens.slice(at + 1, at + 1 + DESCRIBED).findIndex(isKind) + at + 1;
  if (kind <= at || tokens.slice(at + 1, kind).some((token) => !isDescribing(token))) return [];
  let link = kind + 1;
  while (tokens[link]?.text === ',' || /^(?:is|was)$/.test(tokens[link]?.lower ?? '')) link++;
  const isLinked = LINKS.has(tokens[link]?.lower ?? '');
  return isLinked ? [tokens[kind] as Token, ...clauseFrom(tokens, link, isKind)] : [];
}

const HELD = wordSet('held convened');

/** 'A meeting of the board was held on 3 May': the kind of document, and when. */
export function heldIn(tokens: Token[], isKind: IsKind): Token[] {
  const kind = tokens.slice(0, MAX_HELD).findIndex(isKind);
  if (!/^an?$/.test(tokens[0]?.lower ?? '') || kind < 0) return [];
  const held = tokens.findIndex(
    ({ lower }, at) => HELD.has(lower) && /^(?:was|were)$/.test(tokens[at - 1]?.lower ?? ''),
  );
  const on = tokens.findIndex(({ lower }, at) => lower === 'on' && at > held);
  return held > kind && on > held ? [tokens[kind] as Token, ...tokens.slice(on)] : [];
}

/** 'Board minutes of 3 May' is a line by itself, 'Approval of the minutes of 3 May' one about something else. */
export function isTitled(tokens: Token[], isKind: IsKind): boolean {
  const kind = tokens.slice(0, MAX_HELD).findIndex(isKind);
  const isSaid = tokens.some((token) => isOf(token, AUXILIARY) || (!token.isCapital && isOf(token, FINITE_BY_ENDING)));
  return kind >= 0 && !isSaid && tokens.slice(0, kind).every(isDescribing);
}

const BEFORE_NOUN = wordSet("the a an our your its their first 's");

/** Nothing but what describes a noun stands before it. */
const isComplement = (before: Token[]) => before.every((token) => BEFORE_NOUN.has(token.lower) || isDescribing(token));
const isDescribing = (token: Token) => token.kind !== 'mark' && !isOf(token, FUNCTION_WORD);
