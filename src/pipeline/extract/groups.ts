/** Which claims are of one group: those with the same subject, attribute and qualifiers, whatever value they give. */
import type { Claim, ClaimSet } from '../claim.ts';
import { besidesSubject, isFigure, isSubject } from '../term.ts';
import { valueKey } from '../values/normal.ts';
import { HIGH_BITS, hash53, hashPair, hashTerm, hashWord, LOW_BITS } from './hash.ts';
import { areEqual, numbersIn } from './words.ts';

export interface GroupEntry {
  group: number;
  value: number;
  /** What it is about, as the text has it: subject and attribute. */
  label: string;
  /** The first that says so. */
  claim: Claim;
}

/** One entry for each claim, each once. */
export function groupsOf({ claims }: ClaimSet): GroupEntry[] {
  const groups = new Map<number, GroupEntry>();
  const about = new About();
  for (const claim of claims) {
    const group = groupOf(claim, about);
    const value = valueHash(claim);
    const key = hashPair(group, value);
    if (groups.has(key)) continue;
    groups.set(key, { group, value, label: `${claim.subject} ${claim.label || claim.attribute}`, claim });
  }
  return [...groups.values()];
}

export function groupOf(claim: Claim, about = new About()): number {
  const { kind, attribute, terms, qualifiers, role, record, isCell, label } = claim;
  if (isCell) {
    return hash53([record, ...besidesSubject(terms), numbersIn(label), qualifiers.time].join('|'));
  }
  const subject = about.subjectOf(claim);
  // What a statement says as a whole is its attribute, and whether it is so its value.
  const what = kind === 'statement' ? hashSet(terms.map(hashTerm)) : hashWord(attribute);
  const { time, place, condition, subset } = qualifiers;
  const dimension = claim.kind === 'quantity' ? claim.value.dimension : '';
  return hash53(`${kind}|${subject}|${what}|${dimension}|${role}|${time}|${place}|${condition}|${subset}`);
}

/** What claims are about, in one form. Those of one sentence mostly follow each other and are about the same. */
class About {
  #words: string[] = [];
  #written = '';

  subjectOf(claim: Claim): string {
    const words = subjectWords(claim);
    if (this.#written === '' || !areEqual(words, this.#words)) {
      this.#words = words;
      this.#written = `${hashSet(words.map(hashWord))}`;
    }
    return this.#written;
  }
}

/** The names before the verb, or all names, or the first word. */
function subjectWords({ terms, anchors }: Claim): string[] {
  const named: string[] = [];
  for (const term of terms) if (isSubject(term)) named.push(term.word);
  if (named.length > 0) return named;
  if (anchors.length > 0) return anchors;
  const [first] = terms;
  return first ? [isFigure(first) ? `=${first.word}` : first.word] : [];
}

/** Equal values have the same: 2.4 km and 2,400 m. */
export function valueHash(claim: Claim): number {
  return hash53(`${claim.polarity ? '' : 'not '}${keyOfValue(claim)}`);
}

/** Of a statement nothing but whether it is so. */
function keyOfValue(claim: Claim): string | number {
  if (claim.kind === 'quantity') return valueKey(claim.value);
  return claim.kind === 'field' ? hashSet(claim.value.words.map(hashWord)) : '';
}

/** The same in any order, and however often each is there: a sum in two halves, neither of which is ever rounded. */
function hashSet(hashes: number[]): number {
  let high = 0;
  let low = 0;
  // A few dozen at most: a set would cost more than looking through them.
  const seen: number[] = [];
  for (const hash of hashes) {
    if (seen.includes(hash)) continue;
    seen.push(hash);
    low = (low + (hash % LOW_BITS)) % LOW_BITS;
    high = (high + Math.floor(hash / LOW_BITS)) % HIGH_BITS;
  }
  return high * LOW_BITS + low;
}
