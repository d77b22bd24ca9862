/** Recognises a line that gives a value its name, as in 'Founded: 1990'. */
import { isBlank, skipBlanks } from './blanks.ts';
import { NEVER_LAST } from './lexicon/abbreviations.ts';
import type { Span } from './span-map.ts';

export interface Field {
  label: Span;
  /** Where the value begins. */
  value: number;
}

const MAX_LABEL = 60;
const MAX_WORDS = 5;
/** Words of a sentence, such as one that leads up to a colon: 'He said: …', 'There are three kinds: …'. */
export const SENTENCE_WORDS =
  /\b(?:is|are|was|were|be|has|have|had|said|says|will|would|can|must|that|which|follow(?:s|ing))\b/;
const LABEL = /^(?=.*\p{L})[\p{L}\p{N}(#$€£%][^,;!?"“”<>|[\]{}]*$/u;

/** Marks that Markdown may put around the label, as in '**Founded:** 1990', are not part of it. */
const isMark = (code: number) => code === 0x2a || code === 0x5f || code === 0x60;

export function findField(text: string, from: number, to: number): Field | null {
  let start = from;
  while (start < to && isMark(text.charCodeAt(start))) start++;
  const limit = Math.min(to, start + MAX_LABEL);
  for (let colon = start + 1; colon < limit; colon++) {
    const code = text.charCodeAt(colon);
    if (code !== 0x3a && code !== 0xff1a) continue;
    let after = colon + 1;
    while (after < to && isMark(text.charCodeAt(after))) after++;
    // Without a blank it is a time, a ratio or an address; only the wide colon of Chinese and Japanese stands without.
    if (code === 0x3a && after < to && !isBlank(text.charCodeAt(after))) return null;
    const value = skipBlanks(text, after, to);
    if (value >= to) return null;
    let end = colon;
    while (end > start && (isMark(text.charCodeAt(end - 1)) || isBlank(text.charCodeAt(end - 1)))) end--;
    return isLabel(text.slice(start, end), text.charAt(value)) ? { label: [start, end], value } : null;
  }
  return null;
}

/** The label of a line that is nothing else, as above a list or a nested block: 'cameras:'. */
export function findBareLabel(text: string, from: number, to: number): Span | null {
  if (to - from > MAX_LABEL || text.charCodeAt(to - 1) !== 0x3a) return null;
  return isLabel(text.slice(from, to - 1), '') ? [from, to - 1] : null;
}

function isLabel(label: string, firstOfValue: string): boolean {
  if (!LABEL.test(label) || SENTENCE_WORDS.test(label)) return false;
  if (/\d$/.test(label) && /\d/.test(firstOfValue)) return false;
  return label.split(/\s+/).length <= MAX_WORDS && !hasSentenceEnd(label);
}

/** 'Total incl. VAT' goes on after its full stop. */
const hasSentenceEnd = (label: string) =>
  label.matchAll(/(\S*)[.] \p{Lu}/gu).some(([, word = '']) => !NEVER_LAST.has(word.toLowerCase()));
