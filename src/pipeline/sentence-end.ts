/** Decides where a sentence ends, by its marks and by the words around them. */
import { isBlank, skipBlanks } from './blanks.ts';
import { BEFORE_NUMBERS, NEVER_LAST, SELDOM_LAST } from './lexicon/abbreviations.ts';
import { SENTENCE_OPENERS } from './lexicon/function-words.ts';

/** Longer words are no abbreviations. */
const MAX_WORD = 24;
const CLOSERS = new Set('"\'”’»›)]}」』）】》*_');
const OPENERS = new Set('"\'“‘«‹([{「『（【《¿¡');
/** A reference to a note, as Wikipedia has them. */
const NOTE = /\[\w{1,10}(?: \w{1,10})?\]/y;
const LETTERS_WITH_DOTS = /^\p{L}(?:\.\p{L})*$/u;

/** The end, exclusive, of the sentence that begins at `start`; -1 if it has none before `to`. */
export function findSentenceEnd(text: string, start: number, to: number): number {
  for (let at = start; at < to; at++) {
    switch (text.charCodeAt(at)) {
      case 0x0a:
        return at;
      case 0x3002: // 。
      case 0xff01: // ！
      case 0xff1f: // ？
      case 0xff61: // ｡
        return afterClosers(text, afterMarks(text, at, to), to);
      case 0x2e:
      case 0x21:
      case 0x3f:
      case 0x2026: {
        const marks = afterMarks(text, at, to);
        const end = afterClosers(text, marks, to);
        if (end >= to || text.charCodeAt(end) === 0x0a) return Math.min(end, to);
        if (isBlank(text.charCodeAt(end)) && isEnd(text, start, at, marks, end, to)) return end;
        at = end - 1;
      }
    }
  }
  return -1;
}

function afterMarks(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && '.!?…。！？｡'.includes(text.charAt(end))) end++;
  return end;
}

function afterClosers(text: string, at: number, to: number): number {
  let end = at;
  while (end < to) {
    NOTE.lastIndex = end;
    if (NOTE.test(text) && NOTE.lastIndex <= to) end = NOTE.lastIndex;
    else if (CLOSERS.has(text.charAt(end))) end++;
    else break;
  }
  return end;
}

/** For marks from `at` up to `marks`, with closing quotes up to `end`, that a blank follows. */
function isEnd(text: string, start: number, at: number, marks: number, end: number, to: number): boolean {
  const next = nextWord(text, end, to);
  const startsLower = isLower(next);
  // Who begins sentences with small letters does so throughout.
  if (startsLower && !isLower(text.charAt(start))) return false;
  const isEllipsis = text.charCodeAt(at) === 0x2026 || (marks - at > 1 && text.charCodeAt(at + 1) === 0x2e);
  if (isEllipsis) return !startsLower && next !== 'I';
  if (text.charCodeAt(at) !== 0x2e) return true;
  if (marks > at + 1) return true;
  const isInitial = next.length === 1 && text.charAt(skipBlanks(text, end, to) + 1) === '.';
  return !isAbbreviation(wordBefore(text, start, at), next, isInitial, at - start);
}

function isAbbreviation(word: string, next: string, isInitial: boolean, offset: number): boolean {
  if (word === '') return false;
  const known = word.toLowerCase();
  if (NEVER_LAST.has(known)) return true;
  if (BEFORE_NUMBERS.has(known)) return /^[\d#IVXLC]/.test(next);
  // The number of an item, as in '1. Introduction'.
  if (offset === word.length && /^\d{1,3}$/.test(word)) return true;
  // 'D. A. Russell' has two initials; 'Plan B. A year later …' begins anew.
  if (word.length === 1 && isInitial) return true;
  return (SELDOM_LAST.has(known) || LETTERS_WITH_DOTS.test(word)) && !SENTENCE_OPENERS.has(next);
}

/** Back to a blank or an opening bracket or quote. Some texts have a blank before the full stop, too. */
function wordBefore(text: string, start: number, mark: number): string {
  const at = mark > start && text.charCodeAt(mark - 1) === 0x20 ? mark - 1 : mark;
  let from = at;
  while (from > start && at - from <= MAX_WORD) {
    const character = text.charAt(from - 1);
    if (isBlank(character.charCodeAt(0)) || OPENERS.has(character) || character === '-' || character === '/') break;
    from--;
  }
  return text.slice(from, at);
}

function nextWord(text: string, end: number, to: number): string {
  let from = skipBlanks(text, end, to);
  while (from < to && OPENERS.has(text.charAt(from))) from++;
  let last = from;
  while (last < to && last - from < MAX_WORD && /[\p{L}\p{N}#'’]/u.test(text.charAt(last))) last++;
  return text.slice(from, last);
}

function isLower(word: string): boolean {
  return /^\p{Ll}/u.test(word);
}
