/** The claims of one sentence of running text: one for each value it gives, and one for each clause. */
import {
  type Claim,
  type ClaimOf,
  type FieldClaim,
  LABEL_SHOWN,
  type Qualifiers,
  type QuantityClaim,
  SENTENCE_SHOWN,
  type StatementClaim,
} from '../claim.ts';
import { stem } from '../lexicon/stem.ts';
import type { Sentence } from '../segment.ts';
import { cut } from '../storable.ts';
import { asSubject, asWithin, asWord, distinct, isSubject, PLACE, type Term, TermSet } from '../term.ts';
import type { FoundQuantity } from '../values/find.ts';
import { type Clause, clausesOf, startsRelative } from './clauses.ts';
import { type Complement, complementOf, placesOf } from './copula.ts';
import { attachFigures, claimedFigures, measuredBy, verbToken } from './figures.ts';
import { holdersOf } from './holders.ts';
import { identityOf } from './identity.ts';
import { withoutLeadIn } from './lead-in.ts';
import { type LifeDate, lifespanOf } from './lifespan.ts';
import { makersOf } from './makers.ts';
import { clauseModality, sentenceModality } from './modality.ts';
import { type Polarity, polarityOf } from './polarity.ts';
import { clauseQualifiers, forFigure, withoutAsides } from './qualifiers.ts';
import { type Scene, sceneOf } from './scene.ts';
import { type Subject, subjectOf, verbAt } from './subject.ts';
import { MAX_TERMS, termsOf } from './terms.ts';
import { type Token, textOf } from './tokens.ts';
import { addOnce } from './words.ts';

const MAX_CLAUSES = 8;
/** In characters. */
const DENIAL_REACH = 60;
const MAX_ANCHORS = 10;
/** An aside of fewer words only gives another name or figure. */
const ASIDE_LEAST = 3;

const ENDS = new Set(['last', 'only', 'sole'].map(stem));

/** Also moves the scene on. */
export function claimsOfSentence(sentence: Sentence, all: Token[], scene: Scene): Claim[] {
  const modality = sentenceModality(all, sentence.text);
  if (modality === 'question') return [];
  const figures = attachFigures(sentence.text, all);
  // Who is said to have said it, is part of what was said.
  const tokens = modality === 'reported' ? all : withoutLeadIn(all);
  const times = withoutAsides(tokens, figures);
  const firstVerb = verbAt(tokens);
  const given = subjectOf(tokens, firstVerb);
  const subject = given.mayStandAlone && scene.subject.length === 0 ? { ...given, pointsBack: false } : given;
  const inherited = subject.pointsBack ? scene.subject : subject.hasName ? [] : scene.title;
  const lead = subject.pointsBack ? scene.lead : [];
  if (subject.hasName) Object.assign(scene, sceneOf(tokens, firstVerb, subject));
  const head = subject.hasName || subject.pointsBack ? scene.head : '';
  const base = {
    anchors: anchorsOf(tokens, inherited, subject.pointsBack),
    isOpen: subject.pointsBack && inherited.length === 0,
    subject: subject.hasName || subject.pointsBack ? scene.name : '',
    sentence: cut(sentence.text, SENTENCE_SHOWN),
    span: { start: sentence.span[0], end: sentence.span[1] },
    record: scene.record,
    head,
  };
  const held = holderClaims(tokens, () => ({
    ...base,
    polarity: true,
    modality: modality ?? clauseModality(tokens),
    qualifiers: { ...within(clauseQualifiers(tokens, times), scene.time), place: '' },
    terms: [],
    rest: [],
  }));
  const clauses = clausesOf(tokens).slice(0, MAX_CLAUSES);
  const told = clauses.length > 1 ? distinct(termsOf(tokens, firstVerb, null)) : [];
  const found = clauses.flatMap((clause, index) => {
    const polarity = polarityOf(clause.tokens);
    const ownLead = leadOf(clause, index, subject, lead);
    // Names before a pronoun, as in 'A member of the Fenwick Club, she …', are not the subject's.
    const verb = index === 0 && subject.pointsBack ? 0 : clause.verb;
    const terms = led(ownLead, termsOf(clause.tokens, verb, null));
    const whole: Common = {
      ...base,
      polarity: !polarity.isDenied,
      modality: modality ?? clauseModality(clause.tokens),
      qualifiers: within(clauseQualifiers(withLack(clause, clauses[index + 1]), times), scene.time),
      terms,
      rest: without(told, terms),
    };
    return [
      ...claimedFigures(clause, figures).flatMap((figure) => {
        const own: Common = {
          ...whole,
          polarity: !(polarity.isDenied && reaches(polarity, figure)),
          qualifiers: within(
            forFigure(whole.qualifiers, clause.tokens, times, figure),
            figure.value.dimension === 'date' ? '' : scene.time,
          ),
        };
        const life = lifespanOf(clause, figure, sentence.text);
        if (life.length > 0) return life.map((date) => lifeClaim(date, ownLead, own));
        own.terms = led(ownLead, termsOf(clause.tokens, verb, figure));
        return [figureClaim(clause, figure, sentence.text, own)];
      }),
      ...(polarity.isDenied ? [] : makerClaims(clause, ownLead, whole)),
      ...statementClaims(clause, polarity, ownLead.length, whole, held.length > 0),
    ];
  });
  return [...held, ...found];
}

/** Names of the sentence and of what it is about, these last where the sentence only points to it. */
function anchorsOf(tokens: Token[], inherited: string[], isLast: boolean): string[] {
  const anchors: string[] = [];
  if (!isLast) for (const name of inherited) addOnce(anchors, name, MAX_ANCHORS);
  for (const { isName, stem: name } of tokens) if (isName) addOnce(anchors, name, MAX_ANCHORS);
  if (isLast) for (const name of inherited) addOnce(anchors, name, MAX_ANCHORS);
  return anchors;
}

/** 'The tour costs £18' is said of a tour 'without a guide'. */
const withLack = ({ tokens }: Clause, next: Clause | undefined) =>
  next?.tokens[0]?.lower === 'without' ? [...tokens, ...next.tokens] : tokens;

function led(lead: Term[], terms: Term[]): Term[] {
  const all = lead.length > 0 ? [...lead, ...terms] : terms;
  return all.length > MAX_TERMS ? all.slice(0, MAX_TERMS) : all;
}

/** What gives no time of its own holds for that of its title. */
const within = (own: Qualifiers, time: string): Qualifiers => (own.time === '' && time !== '' ? { ...own, time } : own);

/** What differs between the claims of a clause. */
type Own<Kind, Value, Role> = Pick<
  ClaimOf<Kind, Value, Role>,
  'kind' | 'attribute' | 'value' | 'role' | 'label' | 'shown' | 'confidence'
>;

type Common = Omit<Claim, keyof Own<unknown, unknown, unknown> | 'isCell'>;

/** Field by field and in one order: all claims of sentences have one shape then, and what reads them is compiled for it. */
function toClaim<Kind, Value, Role>(common: Common, own: Own<Kind, Value, Role>): ClaimOf<Kind, Value, Role> {
  return {
    kind: own.kind,
    anchors: common.anchors,
    attribute: own.attribute,
    value: own.value,
    polarity: common.polarity,
    modality: common.modality,
    qualifiers: common.qualifiers,
    role: own.role,
    subject: common.subject,
    label: own.label,
    shown: own.shown,
    terms: common.terms,
    rest: common.rest,
    sentence: common.sentence,
    span: common.span,
    isOpen: common.isOpen,
    confidence: own.confidence,
    record: common.record,
    head: common.head,
    isCell: false,
  };
}

function figureClaim(clause: Clause, figure: FoundQuantity, text: string, common: Common): QuantityClaim {
  const { attribute, label } = measuredBy(clause, figure);
  return toClaim(common, {
    kind: 'quantity',
    attribute,
    value: figure.value,
    role: figure.role,
    label,
    shown: cut(text.slice(figure.start, figure.end), LABEL_SHOWN),
    confidence: 0.8,
  });
}

function lifeClaim({ attribute, value, label, shown }: LifeDate, lead: Term[], common: Common): QuantityClaim {
  const own = { ...common, terms: [...lead, asWord(attribute), PLACE] };
  return toClaim(own, { kind: 'quantity', attribute, value, role: '', label, shown, confidence: 0.8 });
}

/** Who made what the clause is about. */
function makerClaims({ tokens }: Clause, lead: Term[], common: Common): FieldClaim[] {
  const own = common.terms.filter(isSubject);
  const subject = own.length > 0 ? own : lead;
  if (subject.length === 0) return [];
  return makersOf(tokens).map(({ made, names }) => {
    const filled = { attribute: made.stem, label: `${made.text} by`, words: names.map(({ stem }) => stem) };
    return fieldClaim(
      { ...common, terms: [...subject, asWord(made.stem), PLACE], rest: [] },
      { ...filled, text: textOf(names) },
    );
  });
}

/** Who holds an office. Few sentences say so, and only these need the rest. */
function holderClaims(tokens: Token[], makeCommon: () => Common): FieldClaim[] {
  const found = holdersOf(tokens);
  if (found.length === 0 || polarityOf(tokens).cue >= 0) return [];
  const common = makeCommon();
  return found.map(({ office, label, of, holder, isAside }) => {
    const own: Common = {
      ...common,
      modality: isAside ? 'fact' : common.modality,
      subject: cut(textOf(of), LABEL_SHOWN),
      terms: [...of.filter(({ isName }) => isName).map(({ stem }) => asSubject(stem)), asWord(office), PLACE],
    };
    const words = holder.filter(({ isName }) => isName).map(({ stem }) => stem);
    return fieldClaim(own, { attribute: office, label, words, text: textOf(holder) });
  });
}

interface Filled {
  attribute: string;
  label: string;
  words: string[];
  text: string;
}

/** Who or what fills a role. */
function fieldClaim(common: Common, { attribute, label, words, text }: Filled): FieldClaim {
  return toClaim(common, {
    kind: 'field',
    attribute,
    value: { words, text },
    role: '',
    label: cut(label, LABEL_SHOWN),
    shown: cut(text, LABEL_SHOWN),
    confidence: 0.7,
  });
}

/** What the clause says as a whole, and who fills a role if it says so. */
function statementClaims(clause: Clause, { cue }: Polarity, lead: number, common: Common, isHeld: boolean): Claim[] {
  const { length } = common.terms;
  if (length < 2 || (clause.isAside && length - lead < ASIDE_LEAST)) return [];
  const complement = cue < 0 ? complementOf(clause.tokens, clause.verb) : null;
  const denied = cue < 0 ? [] : termsOf(clause.tokens.slice(cue + 1), Math.max(0, clause.verb - cue - 1), null);
  const verb = verbToken(clause);
  const statement: StatementClaim = toClaim(common, {
    kind: 'statement',
    attribute: complement ? 'be' : (verb?.stem ?? ''),
    value: complement ? wordsOf(complement) : denied,
    role: '',
    label: cut(verb?.text ?? '', LABEL_SHOWN),
    shown: '',
    confidence: 0.6,
  });
  const identity = complement && !isHeld && identityOf(clause.tokens, clause.verb, complement);
  if (!identity) return [statement];
  const { role, names, text, label } = identity;
  const own: Common = {
    ...common,
    // There is one first and one last, and the date is that one's.
    qualifiers: role.some(({ kind, word }) => kind === 'word' && ENDS.has(word))
      ? { ...common.qualifiers, time: '' }
      : common.qualifiers,
    terms: [...role, PLACE],
    rest: [],
  };
  return [fieldClaim(own, { attribute: role.at(-1)?.word ?? '', label, words: names, text }), statement];
}

/** A clause without a subject of its own speaks of the sentence's. */
function leadOf(clause: Clause, index: number, subject: Subject, inherited: Term[]): Term[] {
  if (index > 0 && !clause.isAside && !startsRelative(clause) && subjectOf(clause.tokens, clause.verb).hasName)
    return [];
  if (index > 0 && subject.hasName) return subject.stems.map(asSubject);
  if (index > 0 && !subject.pointsBack) return subject.stems.map(asWord);
  return inherited;
}

/** A denial reaches a figure that follows soon. */
function reaches({ start }: Polarity, figure: FoundQuantity): boolean {
  return figure.start > start && figure.start - start <= DENIAL_REACH;
}

/** Whole words, as a painter is no painting. */
function wordsOf(complement: Complement): Term[] {
  const head = complement.head.filter(({ isContent }) => isContent).map(({ lower }) => asWord(lower));
  return [...head, ...placesOf(complement).map(({ lower }) => asWithin(lower))];
}

function without(all: Term[], terms: Term[]): Term[] {
  if (all.length === 0) return all;
  const have = new TermSet(terms);
  return all.filter((term) => !have.has(term)).slice(0, MAX_TERMS);
}
