/** Tells whether two documents are about different bearers of one name. */
import type { Side } from './side.ts';

/** One sentence alone tells too little of what it is about. */
const SENTENCES_LEAST = 2;
/** With fewer names there is nothing to tell by. */
const NAMES_LEAST = 3;
const SHARED_LEAST = 0.25;

export function areNamesakes(a: Side, b: Side): boolean {
  if (Math.min(a.profile.sentences, b.profile.sentences) < SENTENCES_LEAST) return false;
  return haveOtherSubjects(a, b) || haveOtherYears(a, b) || shareFewNames(a, b);
}

function haveOtherSubjects(a: Side, b: Side): boolean {
  const lacks = ({ profile }: Side, { names, profile: other }: Side) =>
    profile.subject.some((name) => !names.has(name) && !other.topic.includes(name));
  return lacks(a, b) && lacks(b, a);
}

function haveOtherYears(a: Side, b: Side): boolean {
  const [{ years: left }, { years: right }] = [a.profile, b.profile];
  return left.length > 0 && right.length > 0 && !left.some((year) => right.includes(year));
}

function shareFewNames(a: Side, b: Side): boolean {
  const least = Math.min(a.profile.names.length, b.profile.names.length);
  if (least < NAMES_LEAST) return false;
  const shared = a.profile.names.filter((name) => b.names.has(name)).length;
  return shared / least < SHARED_LEAST;
}
