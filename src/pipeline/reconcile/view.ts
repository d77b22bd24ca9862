/** A claim as comparing sees it. It is held against many others, and mostly few of them need more than a part of it. */
import type { CellClaim, Claim, FieldClaim, QuantityClaim, StatementClaim } from '../claim.ts';
import { valueHash } from '../extract/groups.ts';
import { hasOpposite } from '../lexicon/antonyms.ts';
import { stem } from '../lexicon/stem.ts';
import { distinct, includes, isFigure, isName, isSubject, placeIn, type Term, wordOf } from '../term.ts';

/** So many on either side of the value. */
const NEAR = 3;

/** Each part is worked out when it is first asked for. */
export class View<Of extends Claim = Claim> {
  readonly claim: Of;
  /** What its document is about as a whole, which a claim need not repeat. */
  readonly context: ReadonlySet<string>;
  /** What the title says, where there is one and more besides; '' for others. */
  readonly title: string;
  /** It is one of many sentences. */
  readonly isOfMany: boolean;
  #own: Term[] | undefined;
  #subject: string[] | undefined;
  #about: string[] | undefined;
  #reach: Set<string> | undefined;
  #contrary: string[] | undefined;
  #years: string[] | undefined;
  #before: string[] | undefined;
  #after: string[] | undefined;
  #hash: number | undefined;
  #spelt: string[] | undefined;
  #joined: string[] | undefined;

  constructor(claim: Of, { context, title, isOfMany }: Pick<View, 'context' | 'title' | 'isOfMany'>) {
    this.claim = claim;
    this.context = context;
    this.title = title;
    this.isOfMany = isOfMany;
  }

  /** Its own words and names, each once; figures and the value's place left out. */
  get own(): Term[] {
    this.#own ??= distinct(this.claim.terms.filter(({ kind }) => kind !== 'place' && kind !== 'figure'));
    return this.#own;
  }

  /** Names before the verb, each once. */
  get subject(): string[] {
    this.#subject ??= distinct(this.claim.terms.filter(isSubject)).map(wordOf);
    return this.#subject;
  }

  /** Whether the word is part of a name in it. */
  isNamed(word: string): boolean {
    return this.own.some((term) => term.word === word && isName(term));
  }

  /** What it is about: its subject, or where it has none, what the title above names. */
  get about(): string[] {
    this.#about ??= this.subject.length > 0 || this.claim.kind === 'field' ? this.subject : titleOf(this.claim);
    return this.#about;
  }

  /** All words that the sentence speaks of; it may give figures besides. */
  get reach(): Set<string> {
    if (this.#reach) return this.#reach;
    const reach = new Set<string>();
    addReach(this.claim, reach);
    this.#reach = reach;
    return reach;
  }

  /** Whether the sentence gives that figure, other than as the value. */
  gives(figure: Term): boolean {
    return includes(this.claim.terms, figure) || includes(this.claim.rest, figure);
  }

  /** Its words that have an opposite. Names have none: 'The Long Night' is not the opposite of 'The Short Day'. */
  get contrary(): string[] {
    this.#contrary ??= this.own.filter(({ kind, word }) => kind === 'word' && hasOpposite(word)).map(wordOf);
    return this.#contrary;
  }

  /** The years that it speaks of, its value left out. */
  get years(): string[] {
    this.#years ??= this.claim.terms.filter((term) => isFigure(term) && /^(?:19|20)\d\d$/.test(term.word)).map(wordOf);
    return this.#years;
  }

  /** The nearest terms before the value, the nearest first. */
  get before(): string[] {
    this.#before ??= before(this.claim.terms);
    return this.#before;
  }

  /** And after it. */
  get after(): string[] {
    this.#after ??= after(this.claim.terms);
    return this.#after;
  }

  /** The words of its subject, without accents and the ending of a plural, which make no other name. */
  get spelt(): string[] {
    this.#spelt ??= spelt(this.claim.subject);
    return this.#spelt;
  }

  /** The stems of the first two names that an 'and' joins. */
  get joined(): string[] {
    this.#joined ??= joinedIn(this.claim.sentence);
    return this.#joined;
  }

  /** Of its value: equal ones have the same. */
  get hash(): number {
    this.#hash ??= valueHash(this.claim);
    return this.#hash;
  }
}

/** What a view is of decides what it can be held against. */
export const isCell = (view: View): view is View<CellClaim> => view.claim.isCell;
export const isQuantity = (view: View): view is View<QuantityClaim> => view.claim.kind === 'quantity';
export const isField = (view: View): view is View<FieldClaim> => view.claim.kind === 'field';
export const isStatement = (view: View): view is View<StatementClaim> => view.claim.kind === 'statement';

/** `before`: a claim that was added. Those of one clause have the same lists. */
export function addReach(
  { terms, rest, anchors }: Claim,
  reach: { add(word: string): unknown },
  before?: Claim | undefined,
): void {
  if (anchors !== before?.anchors) for (const name of anchors) reach.add(name);
  if (terms !== before?.terms) for (const { kind, word } of terms) if (kind !== 'figure') reach.add(word);
  if (rest !== before?.rest) for (const { kind, word } of rest) if (kind !== 'figure') reach.add(word);
}

/** Names that stand nowhere in the sentence. */
function titleOf({ anchors, terms, rest }: Claim): string[] {
  const isIn = (among: Term[], name: string) => among.some((term) => term.word === name && !isFigure(term));
  return anchors.filter((name) => !isIn(terms, name) && !isIn(rest, name));
}

const spelt = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(' ')
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[sxz]|[cs]h)es$|s$/, ''));

const JOINED = /(?<!\p{L})(\p{Lu}\p{L}*) (?:and|&) (\p{Lu}\p{L}*)/u;

function joinedIn(sentence: string): string[] {
  const [, ...names] = JOINED.exec(sentence) ?? [];
  return names.map((name) => stem(name.toLowerCase()));
}

function before(terms: Term[]): string[] {
  const at = Math.max(0, placeIn(terms));
  return terms
    .slice(Math.max(0, at - NEAR), at)
    .map(besideOf)
    .reverse();
}

function after(terms: Term[]): string[] {
  const at = placeIn(terms);
  return at < 0 ? [] : terms.slice(at + 1, at + 1 + NEAR).map(besideOf);
}

/** Another value may differ as well. */
const besideOf = (term: Term) => (isFigure(term) ? ANY_FIGURE : term.word);
const ANY_FIGURE = '=';
