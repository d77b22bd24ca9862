/** What comparing needs of a claim, worked out once: a claim is held against many others. */
import type { Claim } from '../claim.ts';
import { bare } from '../extract/terms.ts';

export interface View {
  /** Its own words and names, each once, with their marks; figures and the value's place left out. */
  own: string[];
  /** The same without marks. */
  bare: string[];
  /** All that the sentence speaks of, without marks. */
  reach: Set<string>;
  /** Names before the verb, with their mark. */
  subject: string[];
  anchors: Set<string>;
  /** The nearest terms before the value, the nearest first, and after it. */
  before: string[];
  after: string[];
}

/** So many on either side of the value. */
const NEAR = 3;
const views = new WeakMap<Claim, View>();

export function viewOf(claim: Claim): View {
  const known = views.get(claim);
  if (known) return known;
  const terms = [...new Set(claim.terms)];
  const own = terms.filter((term) => !/^[#=]/.test(term));
  const view = {
    own,
    bare: own.map(bare),
    reach: new Set([...claim.terms.map(bare), ...claim.rest.map(bare), ...claim.anchors]),
    subject: terms.filter(isSubjectName),
    anchors: new Set(claim.anchors),
    ...besidesValue(claim.terms),
  };
  views.set(claim, view);
  return view;
}

function besidesValue(terms: string[]): Pick<View, 'before' | 'after'> {
  const at = terms.indexOf('#');
  if (at < 0) return { before: [], after: [] };
  return {
    before: terms
      .slice(Math.max(0, at - NEAR), at)
      .map(place)
      .reverse(),
    after: terms.slice(at + 1, at + 1 + NEAR).map(place),
  };
}

/** Another value may differ as well. */
const place = (term: string) => (term.startsWith('=') ? '=' : bare(term));

export const isSubjectName = (term: string) => term.startsWith('@');
export const isName = (term: string) => term.startsWith('@') || term.startsWith('^');
