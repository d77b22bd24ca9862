/** Tells facts from plans, hypotheses, questions, rules and what others are said to have said. */
import type { Modality } from '../claim.ts';
import { HYPOTHESES, PAPER, PLANS, REPORT, WRITE } from '../lexicon/reports.ts';
import { COPULAS } from '../lexicon/verbs.ts';
import { classWhere, hasAny, isOf } from '../lexicon/word-class.ts';
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

const RULES = wordSet('must may');

/** Who says it, or whether it is asked, counts for the whole sentence; null if it is plainly said. */
export function sentenceModality(tokens: Token[], sentence: string): Modality | null {
  if (/\?["'”’)\]]?$/.test(sentence)) return 'question';
  // 'Had we ordered early, …'
  if (INVERTED.test(sentence)) return 'hypothesis';
  // What a return or a log says, is what is known.
  if (hasAny(tokens, PAPER)) return null;
  if (/^according to\b/i.test(sentence)) return 'reported';
  const isSaid = tokens.some(
    (token, index) => (isOf(token, REPORT) && (!token.isName || index === 0)) || isWritten(tokens, index),
  );
  return isSaid ? 'reported' : null;
}

/** 'A guest wrote in a review that …' */
const isWritten = (tokens: Token[], at: number) =>
  isOf(tokens[at], WRITE) && tokens.slice(at + 1, at + 1 + THAT_NEAR).some(({ lower }) => lower === 'that');
const THAT_NEAR = 6;

const INVERTED = /^(?:Had|Were|Should) (?:\p{L}[\p{L}'’-]* ){1,8}[^,]{1,80}, /u;

const MARKS = new Map<string, Modality>([
  ...[...RULES].map((word): [string, Modality] => [word, 'rule']),
  ...[...PLANS].map((word): [string, Modality] => [word, 'plan']),
  ...[...HYPOTHESES].map((word): [string, Modality] => [word, 'hypothesis']),
]);

/** Some only with the word that follows. */
const MARK = classWhere(({ lower }) => MARKS.has(lower) || COPULAS.has(lower) || lower === 'have' || lower === 'would');

/** What is only thought of or planned is so for one clause. */
export function clauseModality(tokens: Token[]): Modality {
  let found: Modality = 'fact';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (!isOf(token, MARK)) continue;
    const isDuty = token.lower === 'have' && tokens[at + 1]?.lower === 'to';
    // 'Was to have' is what was meant to be.
    const isMeant = COPULAS.has(token.lower) && tokens[at + 1]?.lower === 'to';
    // 'Would have cost' did not.
    const isUnreal = token.lower === 'would' && tokens[at + 1]?.lower === 'have';
    const mark = isUnreal ? 'hypothesis' : isDuty ? 'rule' : isMeant ? 'plan' : MARKS.get(token.lower);
    if (mark === undefined || (mark === 'rule' && token.isCapital) || isOfName(token, tokens[at + 1])) continue;
    if (mark === 'hypothesis') return mark;
    if (mark === 'plan' || found === 'fact') found = mark;
  }
  return found;
}

/** 'Will Smith' and 'High Hopes'. */
function isOfName(token: Token, next: Token | undefined): boolean {
  return token.isName || (token.isCapital && next?.isName === true);
}
