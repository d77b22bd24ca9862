/** A document as comparing sees it: it is held against many others, of which most are about something else. */

import type { Claim, ClaimSet, Profile } from '../claim.ts';
import { isEdition } from '../extract/editions.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Term } from '../term.ts';
import { sortOf } from './sort.ts';
import { addReach, View } from './view.ts';
import { addBit, BITS_SIZE } from './word-bits.ts';

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
  #sorts: number[] | undefined;
  #fingerprint: number | undefined;
  #names: Set<string> | undefined;
  #subjects: string[][] | undefined;
  #reach: Set<string> | undefined;
  #subjectBits: number[] | undefined;
  #reachBits: number[] | undefined;
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
  get subjects(): string[][] {
    if (this.#subjects) return this.#subjects;
    const once = new Map<string, string[]>();
    let before: Term[] | undefined;
    for (const view of this.claims) {
      // Claims of one clause have the same terms.
      if (view.claim.terms === before) continue;
      before = view.claim.terms;
      once.set(view.subject.join(' '), view.subject);
    }
    this.#subjects = [...once.values()];
    return this.#subjects;
  }

  /** Of the subjects one after the other. */
  get subjectBits(): number[] {
    if (this.#subjectBits) return this.#subjectBits;
    const bits = new Array<number>(this.subjects.length * BITS_SIZE).fill(0);
    for (const [nth, subject] of this.subjects.entries())
      for (const name of subject) addBit(bits, nth * BITS_SIZE, name);
    this.#subjectBits = bits;
    return bits;
  }

  /** Of all that its claims' sentences speak of, and of what it is about. */
  get reachBits(): number[] {
    if (this.#reachBits) return this.#reachBits;
    const bits = new Array<number>(BITS_SIZE).fill(0);
    const reach = { add: (word: string) => addBit(bits, 0, word) };
    this.set.claims.forEach((claim, at, claims) => {
      addReach(claim, reach, claims[at - 1]);
    });
    for (const word of this.context) reach.add(word);
    this.#reachBits = bits;
    return bits;
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

  /** All that its claims' sentences speak of. */
  get reach(): Set<string> {
    if (this.#reach) return this.#reach;
    const reach = new Set<string>();
    this.set.claims.forEach((claim, at, claims) => {
      addReach(claim, reach, claims[at - 1]);
    });
    this.#reach = reach;
    return reach;
  }
}

const wordingOf = ({ record, anchors, attribute, shown, polarity, sentence }: Claim) =>
  [record, anchors.join(' '), attribute, shown, polarity, sentence].join('|');

/** So many sentences speak of one thing; in a longer document some are like those of another by chance. */
const FEW = 5;
const NOTHING: ReadonlySet<string> = new Set();

export const sideOf = (set: ClaimSet): Side => new Side(set);
