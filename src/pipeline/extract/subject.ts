/** Finds what a sentence is about: the names, or the noun, before its verb. */
import { GENERIC_SUBJECTS, PREPOSITIONS, PRONOUNS } from '../lexicon/function-words.ts';
import { AUXILIARIES, isPast, isPresent } from '../lexicon/verbs.ts';
import type { Token } from './tokens.ts';

const AFTER_SUBJECT = new Set([...PREPOSITIONS, 'into']);
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

export function isAuxiliary(token: Token | undefined): boolean {
  // In the month of May.
  return token?.kind === 'word' && AUXILIARIES.has(token.lower) && token.text !== 'May';
}

/** The place of the first verb; the length if there is none. */
export function verbAt(tokens: Token[]): number {
  let sawWord = false;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.kind !== 'word') continue;
    if (isAuxiliary(token)) return index;
    // Plural verbs look like nouns, but what follows a preposition is not the subject.
    if (sawWord && AFTER_SUBJECT.has(token.lower)) return lateVerb(tokens, index);
    if (sawWord && !token.isName && looksLikeVerb(tokens, index)) return index;
    if (token.isContent || PRONOUNS.has(token.lower)) sawWord = true;
  }
  return tokens.length;
}

/** A verb close behind the preposition shows that all before it belongs together: 'the road from A to B was …'. */
function lateVerb(tokens: Token[], at: number): number {
  for (let index = at + 1; index < Math.min(tokens.length, at + MAX_SUBJECT); index++) {
    const token = tokens[index] as Token;
    if (isAuxiliary(token) || isFiniteVerb(tokens, index)) return index;
    if (token.text === ',' || token.text === ';') break;
  }
  return at;
}

function looksLikeVerb(tokens: Token[], at: number): boolean {
  const { lower, isContent } = tokens[at] as Token;
  if (!isContent) return false;
  if (/(?:[^e]ed|ises|izes)$/.test(lower) || isFiniteVerb(tokens, at)) return true;
  return tokens[at - 1]?.isName === true && /[^s]s$/.test(lower) && !isAuxiliary(tokens[at + 1]);
}

/** A known verb that follows a noun; before another verb, and before 'of', it is a noun itself. */
function isFiniteVerb(tokens: Token[], at: number): boolean {
  const [before, { lower, isName }, next] = [tokens[at - 1], tokens[at] as Token, tokens[at + 1]];
  if (isName || !(before?.isContent || before?.kind === 'number' || before?.lower === 'that')) return false;
  if (!isPresent(lower) && !isPast(lower)) return false;
  return !isAuxiliary(next) && next?.lower !== 'of' && next !== undefined;
}

export function subjectOf(tokens: Token[], verb = verbAt(tokens)): Subject {
  const before = tokens.slice(0, Math.min(verb, MAX_SUBJECT));
  const words = before.flatMap(({ kind, lower }) => (kind === 'word' ? [lower] : []));
  const [lead, the, noun] = [before.at(-3), before.at(-2), before.at(-1)];
  const isGeneric = the?.lower === 'the' && GENERIC_SUBJECTS.has(noun?.lower ?? '');
  const startsAnew = !lead || (lead.kind === 'mark' ? lead.text === ',' : !JOINING.has(lead.lower));
  // 'A member of the board, she …' is about her, and 'on Metacritic, the film …' about the film.
  const isPronoun = NOMINATIVES.has(words.at(-1) ?? '') || (isGeneric && startsAnew);
  const names = isPronoun ? [] : before.filter(({ isName }) => isName).map(({ stem }) => stem);
  const nouns = before.filter(({ isContent }) => isContent);
  const pointsBack =
    names.length === 0 &&
    (nouns.length === 0 ||
      isPronoun ||
      isGeneric ||
      // 'Founded in 1990' and '1,900 employees' in a list leave their subject out.
      isFragment(tokens, verb) ||
      PRONOUNS.has(words[0] ?? ''));
  return {
    stems: names.length > 0 ? names : nouns.map(({ stem }) => stem),
    hasName: names.length > 0,
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
    !tokens.some(isAuxiliary)
  );
}
