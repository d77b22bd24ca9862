/** Takes back names that only a capital made, by what the rest of the document shows. */
import { PREPOSITIONS } from '../lexicon/function-words.ts';
import { AUXILIARY, FINITE, FINITE_BY_ENDING } from '../lexicon/verbs.ts';
import { anyOf, isOf } from '../lexicon/word-class.ts';
import type { Token } from './tokens.ts';

interface Written {
  sentence: { text: string };
  tokens: Token[];
  kind: string;
}

export function unname(sentences: Written[]): void {
  for (const { tokens } of sentences) unnameDirection(tokens);
  unnameMeasures(sentences);
  unnameStarts(sentences);
}

/**
 * '[Laughter]' and '[Operator Instructions] Welcome …' tell what went on; in '[Kestrel] has …' it is who. One word may also tell
 * what the sentence is of, as in '[Payments] Timeout …': it is read as part of it, and names nobody.
 */
function unnameDirection(tokens: Token[]): void {
  const closing = CLOSING.get(tokens[0]?.text ?? '');
  const end = closing ? tokens.findIndex(({ text }) => text === closing) : -1;
  const [mark, next] = [tokens[end], tokens[end + 1]];
  // In '[T]he' it is a part of a word.
  if (!mark || mark.end === next?.start) return;
  if (!next || !isOf(next, VERB)) for (const token of tokens.slice(0, end)) token.isName = false;
  // '[6]' is a reference.
  if (next && end === TAG && tokens[1]?.kind === 'word') {
    tokens.splice(end, 1);
    tokens.splice(0, 1);
  }
}

const VERB = anyOf(AUXILIARY, FINITE);

const CLOSING = new Map([
  ['[', ']'],
  ['(', ')'],
]);
/** The place of the second bracket around one word. */
const TAG = 2;

/**
 * A capital that only a sentence gives makes no name of a word that the text mostly has without one. 'Shell' is one all the same
 * where it has its capital within sentences as often, and 'ARM' has more than that.
 */
function unnameStarts(sentences: Written[]): void {
  const starts = sentences.flatMap(startOf);
  if (starts.length === 0) return;
  // Nought where the word has a capital as often as not, and less where it mostly has none.
  const capitals = new Map(starts.map(({ lower }) => [lower, Number.NaN]));
  for (const { kind: block, tokens } of sentences)
    for (let at = 0; at < tokens.length; at++) {
      const { kind, isCapital, lower } = tokens[at] as Token;
      const before = kind === 'word' ? capitals.get(lower) : undefined;
      if (before === undefined || (isCapital && (at === 0 || block === 'heading'))) continue;
      capitals.set(lower, (before || 0) + (isCapital ? 1 : -1));
    }
  for (const start of starts) if ((capitals.get(start.lower) ?? 0) < 0) start.isName = false;
}

/** The first word, if its capital alone makes it a name. */
function startOf({ kind, tokens }: Written): Token[] {
  const at = tokens.findIndex((token) => token.kind === 'word');
  const first = tokens[at];
  if (kind === 'heading' || !first?.isName || tokens[at + 1]?.isName || /\d/.test(first.text)) return [];
  return isShouted(first) ? [] : [first];
}

const isShouted = ({ text }: Token) => text.length > 1 && text === text.toUpperCase();

const OWN = new Set(['our', 'its', 'their', 'my', 'your', 'his', 'her']);
const EQUALS = new Set(['is', 'was', 'are', 'were', 'of']);
const OWNS = new Set(['has', 'have', 'had']);
const ARTICLES = new Set(['the', 'a', 'an']);
/** Of letters alone: 'INV-2024' is a thing of its own. */
const ABBREVIATION = /^\p{Lu}[\p{Lu}&-]*\p{Lu}$/u;
const CURRENCY = /^\p{Sc}$/u;

/** 'Our EPS was …', 'EBITDA of $4 million': what somebody has, or what is an amount of money or a share, is nobody's name. */
function unnameMeasures(sentences: Written[]): void {
  const measures = new Set<string>();
  for (const { tokens } of sentences)
    for (let at = 0; at < tokens.length; at++) {
      const { isName, text } = tokens[at] as Token;
      if (isName && ABBREVIATION.test(text) && isMeasure(tokens, at)) measures.add(text);
    }
  if (measures.size === 0) return;
  const found: Token[] = [];
  for (const { tokens } of sentences)
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as Token;
      if (!token.isName || !measures.has(token.text)) continue;
      if (isSomebody(tokens, at)) measures.delete(token.text);
      else found.push(token);
    }
  for (const token of found) if (measures.has(token.text)) token.isName = false;
}

function isMeasure(tokens: Token[], at: number): boolean {
  const [before, next, value, sign] = [at - 1, at + 1, at + 2, at + 3].map((place) => tokens[place]);
  if (!next || !EQUALS.has(next.lower)) return false;
  if (OWN.has(before?.lower ?? '')) return true;
  if (isWithin(tokens, at, next.lower === 'of')) return false;
  if (CURRENCY.test(value?.text ?? '')) return true;
  // 'HSBC is 12% owned by …', unlike 'EPS was 12% higher'.
  const rest = tokens[at + 4];
  return value?.kind === 'number' && sign?.text === '%' && !(rest && isOf(rest, FINITE_BY_ENDING));
}

/** 'The price of IBM was …' and 'VAT in the UK is …' are not about it; 'a rise in EBITDA of …' is. */
function isWithin(tokens: Token[], at: number, isAmount: boolean): boolean {
  const hasArticle = ARTICLES.has(tokens[at - 1]?.lower ?? '');
  const before = tokens[hasArticle ? at - 2 : at - 1]?.lower ?? '';
  return (hasArticle || !isAmount) && (before === 'of' || PREPOSITIONS.has(before));
}

/** A measure owns nothing: 'IBM's', 'HSBC has 40 branches'. */
function isSomebody(tokens: Token[], at: number): boolean {
  const [next, object] = [at + 1, at + 2].map((place) => tokens[place]);
  if (next?.lower === "'s") return true;
  return OWNS.has(next?.lower ?? '') && (object?.kind === 'number' || ARTICLES.has(object?.lower ?? ''));
}
