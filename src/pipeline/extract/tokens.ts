/** Cuts a sentence into words and marks, and tells which words are names. */
import { FUNCTION_WORD, FUNCTION_WORDS, PREPOSITIONS, STARTERS } from '../lexicon/function-words.ts';
import { MONTHS } from '../lexicon/months.ts';
import { stem } from '../lexicon/stem.ts';
import { isPresent } from '../lexicon/verbs.ts';
import { WordCache } from '../lexicon/word-cache.ts';
import { CLASSES, classWhere, isOf } from '../lexicon/word-class.ts';
import type { Term } from '../term.ts';
import type { FoundQuantity } from '../values/find.ts';

/** A figure of a sentence, with its terms, which each of the sentence's claims has. */
export interface Figure extends FoundQuantity {
  terms: Term[];
}

export interface Token {
  text: string;
  lower: string;
  stem: string;
  start: number;
  end: number;
  kind: 'word' | 'number' | 'mark';
  isCapital: boolean;
  /** A proper name, or part of one. */
  isName: boolean;
  /** Says something by itself. */
  isContent: boolean;
  /** What `isOf` asks for. */
  classes: number;
  /** The figure or date that it is part of. */
  quantity: Figure | null;
}

/** What a word is by itself, wherever it stands. */
interface Word extends Omit<Token, 'start' | 'end' | 'quantity'> {
  /** Where a second word begins, as in "isn't"; -1 if it is one. */
  cut: number;
}

/** A code such as 'B-1170' first; the others begin with different kinds of characters, so that nothing is tried twice. */
const PIECE =
  /\p{Lu}{1,6}\p{N}*(?:[-/]\p{N}[\p{L}\p{N}]*)+(?![\p{L}\p{N}])|(?!mid|pre|post|non)\p{L}{2,}(?:-\p{L}+)?-0\p{N}+(?![\p{L}\p{N}])|\p{L}[\p{L}\p{M}\p{N}]*(?:['’.&-]\p{L}[\p{L}\p{M}\p{N}]*)*|\p{N}+(?:[.,:]\p{N}+)*|[^\s\p{L}\p{N}]/gu;
const SHORT_FORM = /^'(?:s|d|ll|re|ve|m)$/;
/** A sentence that begins with such a word does not begin with a name. */
const COMMON_ENDING =
  /.{3}(?:ments?|tions?|sions?|ings?|ness|ity|ities|ers|ists|isms?|ances?|ences?|ships?|hood|ures?|ages?)$/;
/** What follows a verb, and no name. */
const OBJECTS = new Set(['the', 'a', 'an', 'all', 'your', 'this', 'these', 'any', 'each', 'both', 'it', 'them']);
const ARTICLES = new Set(['the', 'a', 'an', 'your']);
const FINITE_VERBS = new Set(['is', 'are', 'was', 'were', 'has', 'have', 'had', 'will', 'can']);
/** Not where it is written with a capital. */
const FINITE_VERB = classWhere(({ text }) => FINITE_VERBS.has(text));
const PLURAL_VERBS = new Set(['are', 'were', 'have']);
/** In a headline all words have capitals, which then say nothing; one in so many may slip. */
const HEADLINE_SLIPS = 10;
const HEADLINE_WORDS = 5;
let words = new WordCache(wordOf);
/** So many classes there were when these were made. */
let classed = CLASSES.count;

export function tokenise(sentence: string): Token[] {
  if (classed !== CLASSES.count) {
    words = new WordCache(wordOf);
    classed = CLASSES.count;
  }
  const tokens: Token[] = [];
  for (let at = 0; at < sentence.length; ) {
    const code = sentence.charCodeAt(at);
    if (code === BLANK) {
      at++;
      continue;
    }
    const end = plainEnd(sentence, at, code);
    if (end > at) {
      tokens.push(place(known(sentence.slice(at, end)), at));
      at = end;
      continue;
    }
    PIECE.lastIndex = at;
    const match = PIECE.exec(sentence);
    if (!match) break;
    push(tokens, match[0], match.index);
    at = PIECE.lastIndex;
  }
  markNames(tokens);
  return tokens;
}

/**
 * The end of a word of plain letters or of a number with a blank or a comma and a blank after it, or of a comma, as most are: they
 * need no pattern. -1 for others.
 */
function plainEnd(sentence: string, start: number, first: number): number {
  if (first === COMMA) return start + 1;
  let end = start;
  if (isDigit(first)) while (isDigit(sentence.charCodeAt(end))) end++;
  else while (isPlainLetter(sentence.charCodeAt(end))) end++;
  const next = sentence.charCodeAt(end);
  const isEnded =
    next === BLANK || (next === COMMA && (isPlainLetter(first) || sentence.charCodeAt(end + 1) === BLANK));
  return end > start && isEnded ? end : -1;
}

const BLANK = 0x20;
const COMMA = 0x2c;
const isPlainLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

export const textOf = (tokens: Token[]) => tokens.map(({ text }) => text).join(' ');

/** "isn't" and "Acme's" are two words each. */
function push(tokens: Token[], piece: string, start: number): void {
  const word = known(piece);
  if (word.cut > 0) {
    tokens.push(place(known(piece.slice(0, word.cut)), start), place(known(piece.slice(word.cut)), start + word.cut));
  } else tokens.push(place(word, start));
}

function known(text: string): Word {
  // Most figures do not come again.
  return isDigit(text.charCodeAt(0)) ? sign(text, 'number') : words.get(text);
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function place(word: Word, start: number): Token {
  const { text, lower, stem: base, kind, isCapital, isName, isContent, classes } = word;
  const end = start + text.length;
  return { text, lower, stem: base, start, end, kind, isCapital, isName, isContent, classes, quantity: null };
}

function endingAt(piece: string): number {
  const mark = Math.max(piece.lastIndexOf("'"), piece.lastIndexOf('’'));
  if (mark <= 0) return -1;
  const ending = piece.slice(mark).toLowerCase().replace('’', "'");
  if (ending === "'t" && /n/i.test(piece.charAt(mark - 1)) && mark > 1) return mark - 1;
  return SHORT_FORM.test(ending) ? mark : -1;
}

function wordOf(text: string): Word {
  const kind = /^\p{L}|^['’]\p{L}/u.test(text) ? 'word' : /^\p{N}/u.test(text) ? 'number' : 'mark';
  if (kind !== 'word') return sign(text, kind);
  const lower = text.toLowerCase().replaceAll('’', "'");
  const base = stem(plain(lower));
  const isCode = /\d/.test(text);
  return {
    text,
    lower,
    stem: base,
    kind,
    isCapital: /^\p{Lu}/u.test(text),
    isName: isCode,
    isContent: isCode || (!FUNCTION_WORDS.has(lower) && !lower.startsWith("'")),
    classes: CLASSES.of({ text, lower, stem: base }),
    cut: endingAt(text),
  };
}

/** A figure or a mark, which is of no class of words. */
function sign(text: string, kind: 'number' | 'mark'): Word {
  const [isCapital, isName, isContent] = [false, false, false];
  return { text, lower: text, stem: text, kind, isCapital, isName, isContent, classes: 0, cut: -1 };
}

/** 'Noël' and 'Noel' are one name. */
function plain(word: string): string {
  const letters = word.replaceAll("'", '');
  return /^[a-z-]*$/.test(letters) ? letters : letters.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function markNames(tokens: Token[]): void {
  const isHeadline = looksLikeHeadline(tokens);
  let isFirst = true;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.kind !== 'word') continue;
    const wasFirst = isFirst;
    isFirst = false;
    if (!token.isCapital) continue;
    if (isOfCode(token, tokens[index - 1])) token.isName = token.isContent = true;
    if (isHeadline || token.text === 'I' || MONTHS.has(token.lower)) continue;
    if (wasFirst && startsSentence(token, tokens[index + 1], tokens[index + 2])) continue;
    const isShouted = token.text.length === 1 || token.text === token.text.toUpperCase();
    if (isOf(token, FUNCTION_WORD) && !isShouted) continue;
    token.isName = true;
    token.isContent = true;
  }
}

/** 'C' in 'Pixhawk 6C'. */
const isOfCode = ({ text, start }: Token, before: Token | undefined) =>
  text.length === 1 && before?.kind === 'number' && before.end === start;

function looksLikeHeadline(tokens: Token[]): boolean {
  let all = 0;
  let capitals = 0;
  for (const token of tokens) {
    if (isOf(token, FINITE_VERB)) return false;
    if (token.kind !== 'word' || isOf(token, FUNCTION_WORD)) continue;
    all++;
    if (token.isCapital) capitals++;
  }
  return all >= HEADLINE_WORDS && capitals >= all - Math.floor(all / HEADLINE_SLIPS);
}

/** The capital is only that of the sentence. */
function startsSentence({ lower }: Token, next: Token | undefined, object: Token | undefined): boolean {
  if (STARTERS.has(lower)) return true;
  // 'Stir the soup' does so with a verb that no list has; 'Peter the Great' is one name.
  if (ARTICLES.has(next?.lower ?? '') && object?.kind === 'word' && !object.isCapital) return true;
  // 'Connect the cable' tells what to do.
  if (isPresent(`${lower}s`) && OBJECTS.has(next?.lower ?? '')) return true;
  if (!next?.isCapital && COMMON_ENDING.test(lower)) return true;
  // 'Founded in 1990' has no subject of its own.
  if (lower.endsWith('ed') && PREPOSITIONS.has(next?.lower ?? '')) return true;
  return lower.endsWith('s') && PLURAL_VERBS.has(next?.lower ?? '');
}
