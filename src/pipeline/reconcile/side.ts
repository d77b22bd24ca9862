/** A document as comparing sees it: it is held against many others, of which most are about something else. */

import type { Claim, ClaimSet, Profile } from '../claim.ts';
import { isEdition } from '../extract/editions.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Term } from '../term.ts';
import { type Sketch, sketchOf } from './sketch.ts';
import { sortOf } from './sort.ts';
import { addReach, View } from './view.ts';

/** Each part is worked out when it is first asked for. */
export class Side {
  readonly set: ClaimSet;
  readonly profile: Profile;
  /** What it is about as a whole, which a claim need not repeat. */
  readonly context: ReadonlySet<string>;
  /** What its first sentence is about and which issue it is; '' where that is all of it. */
  readonly title: string;
  readonly isOfMany: boolean;
  readonly claims: View[];
  /** Whether one of its claims is of a pronoun that nothing explains. */
  readonly isOpen: boolean;
  readonly hasCells: boolean;
  readonly isShort: boolean;
  #sorts: number[] | undefined;
  #fingerprint: number | undefined;
  #names: Set<string> | undefined;
  #sketch: Sketch | null | undefined;
  #records: Map<string, number[]> | undefined;
  #said: Set<string> | undefined;

  constructor(set: ClaimSet) {
    const { profile, claims } = set;
    this.set = set;
    this.profile = profile;
    // A sentence stands for itself; a longer document also says what it is about.
    this.context = profile.sentences > 1 ? new Set([...profile.subject, ...profile.topic]) : NOTHING;
    const { phrase, issue } = profile;
    // The name of a document is no part of its text, and a copy may have another.
    const told = issue.filter((term) => !isEdition(term));
    this.title = profile.sentences > 1 && phrase.length > 0 ? [...phrase, ...told].sort().join(' ') : '';
    // Of records only the claims tell how much they say.
    this.isOfMany = profile.sentences > FEW || (profile.sentences === 0 && claims.length > FEW);
    this.claims = claims.map((claim) => new View(claim, this));
    this.isOpen = claims.some(({ isOpen }) => isOpen);
    this.hasCells = claims.some(({ isCell }) => isCell);
    this.isShort = claims.length <= SHORT;
  }

  /** Of what sort each of its claims is. */
  get sorts(): number[] {
    this.#sorts ??= this.set.claims.map(sortOf);
    return this.#sorts;
  }

  get fingerprint(): number {
    this.#fingerprint ??= fingerprint(this.set);
    return this.#fingerprint;
  }

  /** All names that it mentions, its subject's among them. */
  get names(): Set<string> {
    this.#names ??= new Set([...this.profile.names, ...this.profile.subject]);
    return this.#names;
  }

  /** The subjects of its claims, each once. */
  #subjects(): string[][] {
    const once = new Map<string, string[]>();
    let before: Term[] | undefined;
    for (const view of this.claims) {
      // Claims of one clause have the same terms.
      if (view.claim.terms === before) continue;
      before = view.claim.terms;
      once.set(view.subject.join(' '), view.subject);
    }
    return [...once.values()];
  }

  /** Null for a document that says much, or has a claim that may be about anything. */
  get sketch(): Sketch | null {
    if (this.#sketch !== undefined) return this.#sketch;
    const { isOpen, isShort, context } = this;
    this.#sketch = isOpen || !isShort ? null : sketchOf(this.#subjects(), [...reachOf(this.set), ...context]);
    return this.#sketch;
  }

  /** The places of its cells, by the record that they are part of. */
  get records(): Map<string, number[]> {
    const { claims } = this.set;
    this.#records ??= Map.groupBy(
      claims.keys().filter((at) => claims[at]?.isCell),
      (at) => claims[at]?.record ?? '',
    );
    return this.#records;
  }

  /** Whether it has the same claim in the same words. */
  says({ claim }: View): boolean {
    this.#said ??= new Set(this.set.claims.map(wordingOf));
    return this.#said.has(wordingOf(claim));
  }
}

/** All that its claims' sentences speak of. */
function reachOf({ claims }: ClaimSet): Set<string> {
  const reach = new Set<string>();
  for (const [at, claim] of claims.entries()) addReach(claim, reach, claims[at - 1]);
  return reach;
}

const wordingOf = ({ record, anchors, attribute, shown, polarity, sentence }: Claim) =>
  [record, anchors.join(' '), attribute, shown, polarity, sentence].join('|');

/** Of two documents with so many claims at most, no pair of claims is cut off. */
export const SHORT = 12;
/** So many sentences speak of one thing; in a longer document some are like those of another by chance. */
const FEW = 5;
const NOTHING: ReadonlySet<string> = new Set();

export const sideOf = (set: ClaimSet): Side => new Side(set);
