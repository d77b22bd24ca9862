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
  return tokens.flatMap((token, index) => {
    const made = tokens[index - 1];
    if (token.lower !== 'by' || !made || !MADE.has(made.lower)) return [];
    let names: Token[] = [];
    for (const next of tokens.slice(index + 1, index + 1 + REACH)) {
      if (next.isName) names.push(next);
      // Others are named beside.
      else if (next.text === ',' || next.lower === 'and' || next.text === '&') return [];
      else if (next.kind === 'mark' || STOPS.has(next.lower)) break;
      // What stands before the name describes it: 'the American singer'.
      else names = [];
    }
    return names.length > 0 ? [{ made, names }] : [];
  });
}
