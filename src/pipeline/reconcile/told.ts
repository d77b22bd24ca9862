/** Holds a cell of a record against a sentence: one that names the record and the label, and gives another value. */
import type { CellClaim, Claim, FieldClaim, QuantityClaim, StatementClaim } from '../claim.ts';
import { attachFigures } from '../extract/figures.ts';
import { tokenise } from '../extract/tokens.ts';
import { subjectStems } from '../extract/words.ts';
import { areOpposite } from '../lexicon/antonyms.ts';
import { aspectOf } from '../lexicon/aspects.ts';
import { MONTHS } from '../lexicon/months.ts';
import { stem } from '../lexicon/stem.ts';
import { WordCache } from '../lexicon/word-cache.ts';
import { isFigure, type Term, wordOf, wordsIn } from '../term.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { verdictOf } from './quantities.ts';
import { fieldReason, quantityReason } from './reasons.ts';
import type { View } from './view.ts';

/** Words of a label that a sentence leaves out beside the others: 'is due on' for 'Due date'. */
const SILENT = new Set(
  'date number no count amount value name status state type day time at on in of by'.split(' ').map(stem),
);
/** A sentence with more words of its own says something else. */
const MAX_OTHER_WORDS = 2;
const MAX_VALUE = 3;

/** Why the sentence is not of this record; null if it is. */
export function apartFrom(cell: View<CellClaim>, text: View): Comparison | null {
  if (!isNamed(cell, text)) return incomparable('The sentence does not name the record.');
  const { claim } = cell;
  const [one, other] = [claim.qualifiers.time, text.claim.qualifiers.time];
  const isDate = claim.kind === 'quantity' && claim.value.dimension === 'date';
  return one !== other && (!isDate || one !== '') ? incomparable('They speak of different times.') : null;
}

/** By all of its name or all of its key; and the sentence has no code or number that the record lacks. */
function isNamed({ claim, subject, reach: own }: View, { subject: names, reach, context }: View): boolean {
  const isKnown = (stem: string) => reach.has(stem) || context.has(stem);
  const name = namesOf.get(claim.subject);
  const known = subjectStems(claim.subject);
  const key = subject.filter((stem) => !known.includes(stem));
  if (!name.every(isKnown) && !(key.length > 0 && key.every(isKnown))) return false;
  return names.every((stem) => own.has(stem) || !/\d/.test(stem));
}

/** Each record is held against many sentences. */
const namesOf = new WordCache(namesIn, { maxWords: 10_000, maxLength: 200 });

/** What names the thing in 'Inspection of Boiler 1, January 2025': neither the date nor what the text is called. */
function namesIn(name: string): string[] {
  const tokens = tokenise(name);
  attachFigures(name, tokens);
  const told = tokens.filter(
    ({ isContent, quantity, kind, lower }) => (isContent || kind === 'number') && !quantity && !MONTHS.has(lower),
  );
  const names = told.filter(({ isName }) => isName);
  const of = tokens.find(({ lower }) => lower === 'of' || lower === 'for')?.start ?? -1;
  return (names.length > 0 ? names : told.filter(({ start }) => start > of)).map((token) => token.stem);
}

export function compareTold(cell: View<CellClaim>, { claim: text }: View): Comparison {
  if (text.modality !== 'fact' || !text.polarity) return incomparable('One is a fact and the other is not.');
  const said = stemsOf(text);
  const label = wordsIn(cell.claim.terms);
  const told: Told = { reach: cell.reach, said, label };
  return cell.claim.kind === 'field' ? compareField(cell.claim, text, told) : compareFigure(cell.claim, text, told);
}

interface Told {
  /** All that the cell speaks of, as stems. */
  reach: Set<string>;
  /** The stems of its label. */
  label: string[];
  /** And those of the sentence. */
  said: Set<string>;
}

function compareField(one: FieldClaim, other: Claim, told: Told): Comparison {
  const { said, label } = told;
  const words = subjectStems(one.value.text);
  if (words.every((word) => said.has(word))) return compatible;
  if (otherWords(told) > MAX_OTHER_WORDS) return incomparable('The sentence says something else.');
  if (other.kind !== 'statement') return incomparable('The sentence does not give that value.');
  const opposite = words.length === 1 ? [...said].find((word) => areOpposite(word, words[0] as string)) : undefined;
  const isTold = hasLabel(told) && isValue(other, label) && words.length <= MAX_VALUE;
  if (!opposite && !isTold) return incomparable('The sentence does not give that value.');
  const shown = opposite ? shownOf(other, opposite) : stretchIn(other);
  return incompatible('a record and a sentence', fieldReason(one, { ...other, label: one.label, shown }));
}

function compareFigure(one: QuantityClaim, other: Claim, told: Told): Comparison {
  if (other.kind !== 'quantity') return incomparable('The values are of different kinds.');
  if (!hasLabel(told) || hasMore(other) || otherWords(told) > MAX_OTHER_WORDS)
    return incomparable('The sentence does not give that value.');
  if (one.role !== other.role) return incomparable('One is part of a change.');
  const verdict = verdictOf(one, other);
  if (verdict === 'incomparable') return incomparable('The values are of different kinds.');
  return verdict === 'incompatible'
    ? incompatible('a record and a sentence', quantityReason(one, { ...other, label: one.label }))
    : compatible;
}

function hasLabel({ label, said }: Told): boolean {
  const telling = label.filter((word) => !SILENT.has(word));
  return telling.length > 0 && telling.every((word) => said.has(word) || aspectOf(word).some((like) => said.has(like)));
}

/** 'The customs status of … is cleared': the label stands before the verb, and a few words after it. */
function isValue({ attribute, value }: StatementClaim, label: string[]): boolean {
  const isOfLabel = ({ kind, word }: Term) => kind === 'word' && label.includes(stem(word));
  return attribute === 'be' && value.length > 0 && value.length <= MAX_VALUE && !value.some(isOfLabel);
}

/** Another figure, for which the label may stand. */
const hasMore = ({ terms }: Claim) =>
  terms.some((term) => isFigure(term) && !/^(?:(?:19|20)\d\d|[a-z]{3}\d{0,2}|-?\d+\.\.-?\d+)$/.test(term.word));

/** How many words of the sentence are neither of the record nor of the label nor what is counted. */
function otherWords({ reach, label, said }: Told): number {
  const known = new Set(label.flatMap(aspectOf));
  let others = 0;
  for (const word of said) if (!reach.has(word) && !known.has(word)) others++;
  return others;
}

/** Content words of the whole sentence, also those that its terms leave out. */
function stemsOf(claim: Claim): Set<string> {
  const known = stemsBefore.get(claim);
  if (known) return known;
  const tokens = tokenise(claim.sentence).filter(({ isContent, quantity }) => isContent && !quantity);
  const figures = new Set(claim.terms.filter(isFigure).map(({ word }) => word));
  const made = new Set(tokens.map((token) => token.stem).filter((word) => !figures.has(word.slice(0, 3))));
  stemsBefore.set(claim, made);
  return made;
}

/** Each sentence is held against many cells. */
const stemsBefore = new WeakMap<Claim, Set<string>>();

const shownOf = ({ sentence }: Claim, word: string) =>
  tokenise(sentence).find((token) => token.stem === word)?.text ?? word;

/** What its subject is said to be, as the sentence has it: from the first word of that to the last. */
function stretchIn({ sentence, value }: StatementClaim): string {
  const words = value.map(wordOf);
  const tokens = tokenise(sentence);
  const at = (word: string | undefined, before: number) =>
    tokens.findLast(({ lower, stem: base, end }) => (lower === word || base === word) && end <= before);
  const last = at(words.at(-1), sentence.length);
  const first = last && at(words[0], last.end);
  return first && last ? sentence.slice(first.start, last.end) : words.join(' ');
}
