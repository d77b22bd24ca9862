/** Reads who holds an office: 'X is the Y of Z', 'the Y of Z is X', 'X, the Y of Z,', "Z's Y, X," and 'Z Y X'. */
import { type Office, officeAt } from './offices.ts';
import { type Token, textOf } from './tokens.ts';

export interface Holder {
  office: string;
  /** The office as the text has it, and what it is of. */
  label: string;
  of: Token[];
  holder: Token[];
  /** Said in passing, so that it is a fact whoever reports the rest. */
  isAside: boolean;
}

const MAX_NAMES = 6;
const NOW = new Set(['currently', 'now', 'current']);
const PARTICLES = new Set(['van', 'von', 'de', 'der', 'bin', 'al', 'da', 'di', 'la']);
/** After these a name is one of several, or not the whole. */
const JOINTS = new Set(['and', '&', 'or', 'of', "'s"]);

export function holdersOf(tokens: Token[]): Holder[] {
  const found: Holder[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const office = officeAt(tokens, at);
    if (!office) continue;
    const holder = readAt(tokens, at, office);
    if (holder) found.push(holder);
    at = office.next - 1;
  }
  return found;
}

function readAt(tokens: Token[], at: number, office: Office): Holder | null {
  let first = at;
  if (NOW.has(tokens[first - 1]?.lower ?? '')) first--;
  const before = tokens[first - 1];
  const hasThe = before?.lower === 'the';
  const label = textOf(tokens.slice(at, office.next));
  const make = (of: Token[], holder: Token[], isAside: boolean): Holder | null =>
    of.length === 0 || holder.length === 0
      ? null
      : { office: office.name, label: `${label} of ${textOf(of)}`, of, holder, isAside };

  if (before?.lower === "'s") {
    const of = namesBefore(tokens, first - 1);
    const start = first - 1 - of.length;
    return (
      make(of, holderAfter(tokens, office.next), tokens[office.next]?.lower !== 'is') ??
      make(of, holderBefore(tokens, start), tokens[start - 1]?.lower !== 'is')
    );
  }
  // 'Acme CEO Jane Doe opened …'
  if (before?.isName && !office.needsThe) {
    const of = namesBefore(tokens, first);
    return first === of.length ? make(of, namesAfter(tokens, office.next), true) : null;
  }
  if (!hasThe && (office.needsThe || !(before === undefined || before.text === ',' || isNow(before)))) return null;
  if (tokens[office.next]?.lower !== 'of' && tokens[office.next]?.lower !== 'at') return null;
  const from = tokens[office.next + 1]?.lower === 'the' ? office.next + 2 : office.next + 1;
  const of = namesAfter(tokens, from);
  const next = from + of.length;
  const start = hasThe ? first - 1 : first;
  return (
    make(of, holderAfter(tokens, next), tokens[next]?.lower !== 'is') ??
    (isEnd(tokens[next]) ? make(of, holderBefore(tokens, start), tokens[start - 1]?.text === ',') : null)
  );
}

/** What was so may have ended. */
const isNow = (token: Token | undefined) => token?.lower === 'is' || NOW.has(token?.lower ?? '');
const isEnd = (token: Token | undefined) => token === undefined || token.kind === 'mark';

/** 'is Jane Doe.' or ', Jane Doe, …' */
function holderAfter(tokens: Token[], at: number): Token[] {
  let from = at;
  if (tokens[from]?.text === ',') from++;
  else {
    if (tokens[from]?.lower !== 'is') return [];
    from++;
    if (NOW.has(tokens[from]?.lower ?? '')) from++;
  }
  const names = namesAfter(tokens, from);
  return isEnd(tokens[from + names.length]) && !isListed(tokens, from + names.length) ? names : [];
}

/** 'Jane Doe is' or 'Jane Doe,' where the sentence or a part of it begins. */
function holderBefore(tokens: Token[], at: number): Token[] {
  let to = at;
  while (NOW.has(tokens[to - 1]?.lower ?? '')) to--;
  if (tokens[to - 1]?.lower !== 'is' && tokens[to - 1]?.text !== ',') return [];
  const names = namesBefore(tokens, to - 1);
  const before = tokens[to - 2 - names.length];
  return JOINTS.has(before?.lower ?? '') || before?.text === ',' ? [] : names;
}

/** ', A, B and C' names several. */
function isListed(tokens: Token[], at: number): boolean {
  return tokens[at]?.text === ',' && (tokens[at + 1]?.isName === true || JOINTS.has(tokens[at + 1]?.lower ?? ''));
}

function namesAfter(tokens: Token[], from: number): Token[] {
  let to = from;
  while (to < tokens.length && to - from < MAX_NAMES && isPart(tokens, to) && !officeAt(tokens, to)) to++;
  return JOINTS.has(tokens[to]?.lower ?? '') ? [] : tokens.slice(from, to);
}

function namesBefore(tokens: Token[], to: number): Token[] {
  let from = to;
  while (from > 0 && to - from < MAX_NAMES && isPart(tokens, from - 1)) from--;
  return tokens.slice(from, to);
}

/** Of a name: also 'van' and the dot of an initial within one. */
function isPart(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  if (token.isName) return true;
  if (tokens[at + 1]?.isName !== true || tokens[at - 1]?.isName !== true) return false;
  return PARTICLES.has(token.lower) || (token.text === '.' && tokens[at - 1]?.text.length === 1);
}
