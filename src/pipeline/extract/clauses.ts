/** Parts a sentence into clauses, each of which says one thing. */
import { AUXILIARY } from '../lexicon/verbs.ts';
import { hasAny, isOf, wordClass } from '../lexicon/word-class.ts';
import { verbAt } from './subject.ts';
import type { Token } from './tokens.ts';

export interface Clause {
  tokens: Token[];
  /** The place of its first verb; the length if there is none. */
  verb: number;
  /** In brackets, so that it speaks of what stands before. */
  isAside: boolean;
}

const BREAK = wordClass('but while whereas although though however because despite');
const PREPOSITIONS = new Set(['including', 'following', 'according', 'regarding', 'excluding', 'during', 'concerning']);
const JOINTS = new Set(['and', 'so', 'or', 'yet', 'nor']);
const RELATIVES = new Set(['which', 'who', 'whose', 'whom', 'where', 'when']);

export function clausesOf(tokens: Token[]): Clause[] {
  const main: Clause[] = [];
  const asides: Clause[] = [];
  let open = begin(main, false);
  let aside = open;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at] as Token;
    const opens = text === '(' || text === '[';
    if (opens || text === ')' || text === ']') {
      add(depth > 0 ? aside : open, tokens, from, at);
      from = at + 1;
      if (!opens) depth = Math.max(0, depth - 1);
      else if (depth++ === 0) aside = begin(asides, true);
    } else if (depth === 0 && at > 0 && isBreak(tokens, at)) {
      add(open, tokens, from, at);
      from = at;
      open = begin(main, false);
    }
  }
  add(depth > 0 ? aside : open, tokens, from, tokens.length);
  const clauses: Clause[] = [];
  for (const clause of main) if (hasWords(clause)) clauses.push(clause);
  for (const clause of asides) if (hasWords(clause)) clauses.push(clause);
  for (const clause of clauses) clause.verb = startsRelative(clause) ? 1 : verbAt(clause.tokens);
  return clauses;
}

function begin(clauses: Clause[], isAside: boolean): Clause {
  const clause = { tokens: [], verb: 0, isAside };
  clauses.push(clause);
  return clause;
}

/** Most clauses are one stretch of the sentence. */
function add(clause: Clause, tokens: Token[], from: number, to: number): void {
  if (clause.tokens.length === 0) clause.tokens = tokens.slice(from, to);
  else for (let at = from; at < to; at++) clause.tokens.push(tokens[at] as Token);
}

const hasWords = ({ tokens }: Clause) => tokens.some(({ kind }) => kind !== 'mark');

/** ', which …' speaks of the sentence's subject. */
export const startsRelative = ({ tokens }: Clause) => tokens[0]?.lower === 'which' || tokens[0]?.lower === 'who';

function isBreak(tokens: Token[], index: number): boolean {
  const [before, token] = [tokens[index - 1] as Token, tokens[index] as Token];
  if (before.text === ';' || before.text === '—') return true;
  if (token.kind !== 'word') return false;
  if (isOf(token, BREAK)) return true;
  // 'with no glue' and 'without glue' deny only what follows.
  if (token.lower === 'without' || (token.lower === 'with' && tokens[index + 1]?.lower === 'no')) return true;
  if (before.text === ',' && JOINTS.has(token.lower)) return hasAny(tokens.slice(index + 1, index + 7), AUXILIARY);
  return before.text === ',' && (RELATIVES.has(token.lower) || isParticiple(token));
}

/** ', founded in 1999 by …' speaks of the sentence's subject. */
function isParticiple({ lower, isName }: Token): boolean {
  return (
    !isName &&
    !PREPOSITIONS.has(lower) &&
    (/.{3}(?:ed|ing)$/.test(lower) || lower === 'born' || lower === 'built' || lower === 'written')
  );
}
