/** Parts a sentence into clauses, each of which says one thing. */
import { hasAny, isOf, wordClass } from '../lexicon/word-class.ts';
import { AUXILIARY, verbAt } from './subject.ts';
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
  const main: Clause[] = [{ tokens: [], verb: 0, isAside: false }];
  const asides: Clause[] = [];
  let depth = 0;
  tokens.forEach((token, index) => {
    if (token.text === '(' || token.text === '[') {
      if (depth++ === 0) asides.push({ tokens: [], verb: 0, isAside: true });
      return;
    }
    if (token.text === ')' || token.text === ']') {
      depth = Math.max(0, depth - 1);
      return;
    }
    if (depth > 0) {
      asides.at(-1)?.tokens.push(token);
      return;
    }
    if (isBreak(tokens, index)) main.push({ tokens: [], verb: 0, isAside: false });
    main.at(-1)?.tokens.push(token);
  });
  const clauses = [...main, ...asides].filter((clause) => clause.tokens.some(({ kind }) => kind !== 'mark'));
  for (const clause of clauses) clause.verb = startsRelative(clause) ? 1 : verbAt(clause.tokens);
  return clauses;
}

/** ', which …' speaks of the sentence's subject. */
export const startsRelative = ({ tokens }: Clause) => tokens[0]?.lower === 'which' || tokens[0]?.lower === 'who';

function isBreak(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (!token || !before) return false;
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
