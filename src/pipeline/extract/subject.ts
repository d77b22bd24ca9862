/** Finds what a sentence is about: the names, or the noun, before its verb. */
import { GENERIC_SUBJECTS, PREPOSITIONS, PRONOUN } from '../lexicon/function-words.ts';
import { AUXILIARY, FINITE, FINITE_BY_ENDING } from '../lexicon/verbs.ts';
import { classOf, hasAny, isOf } from '../lexicon/word-class.ts';
import type { Token } from './tokens.ts';

const AFTER_SUBJECT = new Set([...PREPOSITIONS, 'into']);
const PREPOSITION = classOf(AFTER_SUBJECT);
/** What follows these is part of what stands before. */
const JOINING = new Set([...AFTER_SUBJECT, 'of', 'and', 'or', 'than']);
const NOMINATIVES = new Set(['he', 'she', 'it', 'they']);
const MAX_SUBJECT = 12;

export interface Subject {
  /** Stems of the names, else of the nouns. */
  stems: string[];
  hasName: boolean;
  /** A pronoun or 'the company', which points to what was spoken of before. */
  pointsBack: boolean;
  /** Where nothing was told before, it points nowhere. */
  mayStandAlone: boolean;
}

/** The place of the first verb; the length if there is none. */
export function verbAt(tokens: Token[]): number {
  let sawWord = false;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.kind !== 'word') continue;
    if (isOf(token, AUXILIARY)) return index;
    // Plural verbs look like nouns, but what follows a preposition is not the subject.
    if (sawWord && isOf(token, PREPOSITION)) return lateVerb(tokens, index);
    if (sawWord && !token.isName && looksLikeVerb(tokens, index)) return index;
    if (token.isContent || isOf(token, PRONOUN)) sawWord = true;
  }
  return tokens.length;
}

/** A verb close behind the preposition shows that all before it belongs together: 'the road from A to B was …'. */
function lateVerb(tokens: Token[], at: number): number {
  for (let index = at + 1; index < Math.min(tokens.length, at + MAX_SUBJECT); index++) {
    const token = tokens[index] as Token;
    if (isOf(token, AUXILIARY) || isFiniteVerb(tokens, index)) return index;
    if (token.text === ',' || token.text === ';') break;
  }
  return at;
}

function looksLikeVerb(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  if (!token.isContent) return false;
  if (isOf(token, FINITE_BY_ENDING) || isFiniteVerb(tokens, at)) return true;
  return tokens[at - 1]?.isName === true && /[^s]s$/.test(token.lower) && !isOf(tokens[at + 1], AUXILIARY);
}

/** A known verb that follows a noun; before another verb, and before 'of', it is a noun itself. */
function isFiniteVerb(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  if (token.isName || !isOf(token, FINITE)) return false;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (!(before?.isContent || before?.kind === 'number' || before?.lower === 'that')) return false;
  return next !== undefined && next.lower !== 'of' && !isOf(next, AUXILIARY);
}

export function subjectOf(tokens: Token[], verb = verbAt(tokens)): Subject {
  const end = Math.min(verb, MAX_SUBJECT);
  const names: string[] = [];
  const nouns: string[] = [];
  let first: Token | undefined;
  let last: Token | undefined;
  for (let at = 0; at < end; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'word') {
      first ??= token;
      last = token;
    }
    if (token.isName) names.push(token.stem);
    if (token.isContent) nouns.push(token.stem);
  }
  const lead = end > 2 ? tokens[end - 3] : undefined;
  const isGeneric = end > 1 && tokens[end - 2]?.lower === 'the' && GENERIC_SUBJECTS.has(tokens[end - 1]?.lower ?? '');
  const startsAnew = !lead || (lead.kind === 'mark' ? lead.text === ',' : !JOINING.has(lead.lower));
  // 'A member of the board, she …' is about her, and 'on Metacritic, the film …' about the film.
  const isPronoun = NOMINATIVES.has(last?.lower ?? '') || (isGeneric && startsAnew);
  const hasName = names.length > 0 && !isPronoun;
  const pointsBack =
    !hasName &&
    (nouns.length === 0 ||
      isPronoun ||
      isGeneric ||
      // 'Founded in 1990' and '1,900 employees' in a list leave their subject out.
      isFragment(tokens, verb) ||
      isOf(first, PRONOUN));
  return {
    stems: hasName ? names : nouns,
    hasName,
    pointsBack,
    // 'The length of the race' is that of the race before, if there was one.
    mayStandAlone: isGeneric && !startsAnew,
  };
}

function isFragment(tokens: Token[], verb: number): boolean {
  const first = tokens.find(({ kind }) => kind !== 'mark');
  if (first?.kind === 'number') return verb >= tokens.length && tokens.length <= MAX_SUBJECT;
  return (
    first !== undefined &&
    /ed$|^(?:Built|Born|Made|Held|Run)$/.test(first.text) &&
    first.isCapital &&
    !hasAny(tokens, AUXILIARY)
  );
}
