/** What comparing needs of a claim, worked out once: a claim is held against many others. */
import type { Claim } from '../claim.ts';
import { bare } from '../extract/terms.ts';

export interface View {
  /** Its own words and names, each once, with their marks; figures and the value's place left out. */
  own: string[];
  /** All that the sentence speaks of, without marks. */
  reach: Set<string>;
  /** Names before the verb, with their mark. */
  subject: string[];
  anchors: Set<string>;
}

const views = new WeakMap<Claim, View>();

export function viewOf(claim: Claim): View {
  const known = views.get(claim);
  if (known) return known;
  const terms = [...new Set(claim.terms)];
  const view = {
    own: terms.filter((term) => !/^[#=]/.test(term)),
    reach: new Set([...claim.terms.map(bare), ...claim.rest.map(bare), ...claim.anchors]),
    subject: terms.filter(isSubjectName),
    anchors: new Set(claim.anchors),
  };
  views.set(claim, view);
  return view;
}

export const isSubjectName = (term: string) => term.startsWith('@');
export const isName = (term: string) => term.startsWith('@') || term.startsWith('^');
