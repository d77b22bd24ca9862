/** Tells whether claims are about different things, by the names before their verbs. Most that meet are. */
import { GENERIC_SUBJECTS } from '../lexicon/function-words.ts';
import { stem } from '../lexicon/stem.ts';
import type { Term } from '../term.ts';
import type { View } from './view.ts';

/** Each has a name that the other lacks. */
export function haveOtherSubjects(a: View, b: View): boolean {
  // A pronoun that nothing explains may stand for the other side's subject.
  if (a.claim.isOpen || b.claim.isOpen) return false;
  if ((isNamedOtherwise(a, b) && isNamedOtherwise(b, a)) || (isTurned(a, b) && isTurned(b, a))) return true;
  return isOneOf(a, b) || isOneOf(b, a) || isJoined(a, b) || isJoined(b, a);
}

/** 'Meg and Bob' have what Bob need not have. */
function isJoined({ subject, joined }: View, { subject: other }: View): boolean {
  if (subject.length < 2 || other.length === 0) return false;
  return joined.every((name) => subject.includes(name)) && joined.some((name) => !other.includes(name));
}

const isNamedOtherwise = (a: View, b: View) => isOther(a.about, b) || isRespelt(a, b);

/** 'Jane Holm' is not Jan Holm, though their stems are the same. */
function isRespelt(a: View, b: View): boolean {
  if (a.claim.subject === b.claim.subject) return false;
  const { spelt: words } = b;
  return a.spelt.some((word) => !words.includes(word) && b.subject.includes(stem(word)));
}

/** 'Northgate Infant School' is not Northgate School, nor the K2 Pro the K2; but 'Anna Maria Larsen' is Anna Larsen. */
function isOneOf({ subject: short }: View, { subject: long, claim: { subject, sentence } }: View): boolean {
  if (short.length === 0 || long.length <= short.length) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from++;
  const tail = short.length - from;
  if (from === 0 || short.slice(from).join(' ') !== long.slice(long.length - tail).join(' ')) return false;
  const last = short.at(-1) as string;
  if (tail === 0 ? !/\d/.test(last) : !KINDS.has(last)) return false;
  // All of it is one name.
  return subject !== '' && sentence.replace(/['’]s\b/g, '').includes(subject);
}

const KINDS = new Set([...GENERIC_SUBJECTS].map(stem));

/** 'Harrow owes Finch' and 'Finch owes Harrow': who does it here has it done there. */
const isTurned = ({ subject }: View, { subject: other, claim: { kind, terms } }: View) =>
  kind === 'quantity' && subject.some((name) => isNamedElsewhere(terms, name) && !other.includes(name));

/** Other than before its verb. */
const isNamedElsewhere = (terms: Term[], name: string) =>
  terms.some(({ kind, word }) => kind === 'name' && word === name);

function isOther(subject: string[], { reach, context }: View): boolean {
  for (const name of subject) if (!reach.has(name) && !context.has(name)) return true;
  return false;
}
