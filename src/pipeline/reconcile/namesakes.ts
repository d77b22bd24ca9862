/** Tells whether two documents are about different bearers of one name. */
import type { Profile } from '../claim.ts';

/** One sentence alone tells too little of what it is about. */
const SENTENCES_LEAST = 2;
/** With fewer names there is nothing to tell by. */
const NAMES_LEAST = 3;
const SHARED_LEAST = 0.25;

export function areNamesakes(a: Profile, b: Profile): boolean {
  if (Math.min(a.sentences, b.sentences) < SENTENCES_LEAST) return false;
  return haveOtherSubjects(a, b) || haveOtherYears(a, b) || shareFewNames(a, b);
}

function haveOtherSubjects(a: Profile, b: Profile): boolean {
  const lacks = (one: Profile, other: Profile) =>
    one.subject.some((name) => !other.subject.includes(name) && !other.names.includes(name));
  return lacks(a, b) && lacks(b, a);
}

function haveOtherYears(a: Profile, b: Profile): boolean {
  const years = ({ descriptors }: Profile) => descriptors.filter((word) => /^\d{4}$/.test(word));
  const left = years(a);
  const right = years(b);
  return left.length > 0 && right.length > 0 && !left.some((year) => right.includes(year));
}

function shareFewNames(a: Profile, b: Profile): boolean {
  const least = Math.min(a.names.length, b.names.length);
  if (least < NAMES_LEAST) return false;
  const names = new Set([...b.names, ...b.subject]);
  const shared = a.names.filter((name) => names.has(name)).length;
  return shared / least < SHARED_LEAST;
}
