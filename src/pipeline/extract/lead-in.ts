/** Finds the words that lead up to what a sentence says: 'Offer letter: …', 'The log shows that …'. */
import { SAYING } from '../lexicon/reports.ts';
import { verbAt } from './subject.ts';
import type { Token } from './tokens.ts';

const MAX_LABEL = 4;
const MAX_LEAD = 12;
/** 'Reminded the team that'. */
const VERB_NEAR = 4;

/** The sentence without them: what they name is not what it is about. Without a verb after them, they are all there is. */
export function withoutLeadIn(tokens: Token[]): Token[] {
  const end = Math.max(labelEnd(tokens), sayingEnd(tokens), sourceEnd(tokens));
  if (end < 0) return tokens;
  const rest = tokens.slice(end + 1);
  return verbAt(rest) < rest.length ? rest : tokens;
}

/** Of a few words before a colon that name nothing. */
function labelEnd(tokens: Token[]): number {
  const at = tokens.findIndex(({ text }) => text === ':');
  if (at < 1 || at > MAX_LABEL) return -1;
  const hasName = tokens
    .slice(0, at)
    .some(({ isName, quantity, kind }, index) => (isName && index > 0) || quantity || kind !== 'word');
  return hasName ? -1 : at;
}

function sayingEnd(tokens: Token[]): number {
  const at = tokens.slice(0, MAX_LEAD).findIndex(({ lower }) => lower === 'that');
  return at > 0 && tokens.slice(Math.max(0, at - VERB_NEAR), at).some(({ lower }) => SAYING.has(lower)) ? at : -1;
}

/** 'According to the delivery note, …' */
function sourceEnd(tokens: Token[]): number {
  if (tokens[0]?.lower !== 'according') return -1;
  return tokens.slice(0, MAX_LEAD).findIndex(({ text }) => text === ',');
}
