/** Cuts a sentence into numbers, words and marks, in one pass and with no way back. */
import { STOP_BESIDE_FIGURES } from '../lexicon/abbreviations.ts';
import { numberAt } from './digits.ts';

export interface Token {
  /** A code mixes letters and digits, or has more points than a number: 'A380', '3.0.1'. */
  kind: 'number' | 'word' | 'code' | 'mark';
  text: string;
  /** In small letters and without full stops: 'pm' for 'P.M.'. */
  lower: string;
  start: number;
  end: number;
  /** Nothing stands between it and the token before. */
  glued: boolean;
  /** Of a number; NaN otherwise. */
  value: number;
  precision: number;
  /** Whether it is written with separators or a decimal point: then it is no year and no name. */
  dressed: boolean;
}

const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
const MARK = 4;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return BLANK;
  if (code >= 48 && code <= 57) return DIGIT;
  return /[A-Za-z]/.test(String.fromCharCode(code)) ? LETTER : MARK;
});

/** A word with a capital. */
export const startsUpper = (token: Token | undefined) => token?.kind === 'word' && /^\p{Lu}/u.test(token.text);

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let end = -1;
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === BLANK) {
      at++;
      continue;
    }
    const token = tokenAt(text, at, kind, end === at);
    tokens.push(token);
    at = end = token.end;
  }
  return tokens;
}

function tokenAt(text: string, start: number, kind: number, glued: boolean): Token {
  if (kind === LETTER) return wordAt(text, start, glued);
  const number = numberAt(text, start, glued);
  if (number) {
    const { end, value, precision, dressed } = number;
    const written = text.slice(start, end);
    const isCode = Number.isNaN(value);
    return {
      kind: isCode ? 'code' : 'number',
      text: written,
      lower: written,
      start,
      end,
      glued,
      value,
      precision,
      dressed,
    };
  }
  if (text.startsWith('--', start)) return dashesAt(text, start, glued);
  const isAddress = text.startsWith('://', start) || (text.charCodeAt(start) === 0x40 && glued);
  return make(text, start, isAddress ? endOfRun(text, start) : start + 1, isAddress ? 'code' : 'mark', glued);
}

/** Two hyphens and more are a dash from before there were dashes. */
function dashesAt(text: string, start: number, glued: boolean): Token {
  let end = start;
  while (text.charCodeAt(end) === 0x2d) end++;
  const token = make(text, start, end, 'mark', glued);
  token.text = token.lower = '—';
  return token;
}

function wordAt(text: string, start: number, glued: boolean): Token {
  let end = start + 1;
  let mixed = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const kind = kindOf(code);
    if (kind === LETTER || code === 0xb2 || code === 0xb3) continue;
    const next = kindOf(text.charCodeAt(end + 1));
    if (kind === DIGIT) mixed = true;
    else if (code === 0x2e && mixed && next === DIGIT) continue;
    else if ((code === 0x27 || code === 0x2019) && next === LETTER) continue;
    else break;
  }
  if (mixed) return make(text, start, end, 'code', glued);
  if (text.charCodeAt(end) !== 0x2e) return make(text, start, end, 'word', glued);
  if (end === start + 1 && kindOf(text.charCodeAt(end + 1)) === LETTER) return initialsAt(text, start, glued);
  const token = make(text, start, end, 'word', glued);
  // At the very end it is the sentence's own, and a capital C is a scale.
  if (!STOP_BESIDE_FIGURES.has(token.lower) || end + 1 >= text.length || token.text === 'C') return token;
  token.end = end + 1;
  token.text = text.slice(start, end + 1);
  return token;
}

/** 'U.S.', 'p.m.', 'B.C.' */
function initialsAt(text: string, start: number, glued: boolean): Token {
  let end = start;
  while (kindOf(text.charCodeAt(end)) === LETTER && text.charCodeAt(end + 1) === 0x2e) end += 2;
  const token = make(text, start, end, 'word', glued);
  token.lower = token.lower.replaceAll('.', '');
  return token;
}

function make(text: string, start: number, end: number, kind: 'word' | 'code' | 'mark', glued: boolean): Token {
  const written = text.slice(start, end);
  const lower = kind === 'mark' ? written : written.toLowerCase();
  return { kind, text: written, lower, start, end, glued, value: Number.NaN, precision: 0, dressed: false };
}

function endOfRun(text: string, start: number): number {
  let end = start;
  while (end < text.length && kindOf(text.charCodeAt(end)) !== BLANK) end++;
  return end;
}

function kindOf(code: number): number {
  if (code < 128) return ASCII[code] as number;
  if (Number.isNaN(code)) return MARK;
  if (code < 0xc0) return code === 0xa0 ? BLANK : code === 0xb5 || code === 0xaa || code === 0xba ? LETTER : MARK;
  if (code === 0xd7 || code === 0xf7) return MARK;
  if (code < 0x2000) return LETTER;
  if (code <= 0x200b || code === 0x202f || code === 0x205f || code === 0x3000 || code === 0x2028) return BLANK;
  return code < 0x2c00 || (code >= 0x3001 && code < 0x3040) || code >= 0xd800 ? MARK : LETTER;
}
