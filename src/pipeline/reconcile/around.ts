/** Reasons for which two claims may both hold that only the documents around them tell. */
import type { Claim } from '../claim.ts';
import { isEdition } from '../extract/editions.ts';
import { isLone } from './lone.ts';
import { areShort, shareKey } from './pairs.ts';
import { SAID } from './records.ts';
import { SAME_SENTENCE } from './same-sentence.ts';
import type { Side } from './side.ts';
import type { View } from './view.ts';

/** Why two claims that exclude each other may be of different things, by the documents around them; '' where nothing says so. */
export function apartAround(a: Side, one: View, b: Side, other: View, rule: string): string {
  // In a longer document a sentence without a name may be about anything.
  const areLong = Math.min(a.profile.sentences, b.profile.sentences) > 1;
  // And 'the fee' may be another fee in each unless that is all they speak of.
  const areSentences = Math.max(a.profile.sentences, b.profile.sentences) === 1;
  const isOne = rule === SAME_SENTENCE;
  const isNamed = one.subject.length + other.subject.length > 0;
  if (!isOne && areLong && !isNamed && lacksPhrase(a, b) && lacksPhrase(b, a))
    return 'Neither names anything, and the documents begin with different things.';
  if (!isOne && areLong && !areNamedAlike(a, one, b, other)) return 'They share no name.';
  if (!isOne && !areSentences && one.claim.kind === 'quantity' && isLone(one))
    return 'One word alone does not tell what it is of.';
  if (areShort(a, b) && !shareKey(one, other)) return 'They share no key.';
  // What a document says, too, it does not deny, whatever else it says.
  return a.says(other) || b.says(one) ? SAID : '';
}

/** Its first sentence is about something that the beginning of the other does not mention. */
const lacksPhrase = ({ profile }: Side, { profile: other, names }: Side) =>
  profile.phrase.some((stem) => !other.phrase.includes(stem) && !other.topic.includes(stem) && !names.has(stem));

const areSame = (one: string[], other: string[]) =>
  one.length > 1 && one.length === other.length && one.every((stem) => other.includes(stem));

/** What a meeting decided on one day. */
const areOfOneDay = ({ qualifiers: { time: one } }: Claim, { qualifiers: { time: other } }: Claim) =>
  one === other && one.split(' ').length >= DAY_TERMS;

/** Year, month and day. */
const DAY_TERMS = 3;

/** They share a name, or one has the name that the other's document is about. */
function areNamedAlike(a: Side, { claim: one }: View, b: Side, { claim: other }: View): boolean {
  const isIn = (names: string[]) => (name: string) => names.includes(name);
  return (
    areSame(a.profile.phrase, b.profile.phrase) ||
    areOfOneDay(one, other) ||
    one.anchors.some(isIn(other.anchors)) ||
    (other.anchors.length === 0 && one.anchors.some(isIn(b.profile.subject))) ||
    (one.anchors.length === 0 && other.anchors.some(isIn(a.profile.subject)))
  );
}

/** Minutes of two days, two versions, two quarters: what one of them says is not denied by the other. */
export function areOtherIssues(one: string[], other: string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const ownOf = (terms: string[], others: string[]) =>
    terms.filter((term) => !others.includes(term) && !isEdition(term));
  const [ours, theirs] = [ownOf(one, other), ownOf(other, one)];
  return ours.some((term) => theirs.some((like) => seriesOf(like) === seriesOf(term)));
}

/** What an issue is one of where that is not the title, as 'shift report of'; '' for others. */
const seriesOf = (term: string) => term.slice(0, Math.max(0, term.lastIndexOf(':')));
