/** Reads who made a thing, as in 'directed by Jane Doe' or 'an album by the rock band The Kestrels'. */
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

export interface Maker {
  /** The word before 'by'. */
  made: Token;
  names: Token[];
}

/** What one makes alone or in a company that is named whole. */
const MADE = wordSet(`
directed written created composed developed founded published recorded designed painted invented discovered owned sung
played portrayed album song single novel book film movie painting poem opera symphony record track`);
const STOPS = wordSet('in for from with on at to as of who which that is was has');
const REACH = 8;

export function makersOf(tokens: Token[]): Maker[] {
  const makers: Maker[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const made = tokens[at - 1] as Token;
    if (tokens[at]?.lower !== 'by' || !MADE.has(made.lower)) continue;
    const names = namesFrom(tokens, at + 1);
    if (names.length > 0) makers.push({ made, names });
  }
  return makers;
}

function namesFrom(tokens: Token[], from: number): Token[] {
  let names: Token[] = [];
  for (const next of tokens.slice(from, from + REACH)) {
    if (next.isName) names.push(next);
    // Others are named beside.
    else if (next.text === ',' || next.lower === 'and' || next.text === '&') return [];
    else if (next.kind === 'mark' || STOPS.has(next.lower)) break;
    // What stands before the name describes it: 'the American singer'.
    else names = [];
  }
  return names;
}
