/** A claim as comparing sees it. It is held against many others, and mostly few of them need more than a part of it. */
import type { CellClaim, Claim, FieldClaim, QuantityClaim, StatementClaim } from '../claim.ts';
import { valueHash } from '../extract/groups.ts';
import { bare } from '../extract/terms.ts';
import { hasOpposite } from '../lexicon/antonyms.ts';

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
  #own: string[] | undefined;
  #bare: string[] | undefined;
  #subject: string[] | undefined;
  #about: string[] | undefined;
  #reach: Set<string> | undefined;
  #contrary: string[] | undefined;
  #years: string[] | undefined;
  #before: string[] | undefined;
  #after: string[] | undefined;
  #hash: number | undefined;

  constructor(claim: Of, { context, title, isOfMany }: Pick<View, 'context' | 'title' | 'isOfMany'>) {
    this.claim = claim;
    this.context = context;
    this.title = title;
    this.isOfMany = isOfMany;
  }

  /** Its own words and names, each once, with their marks; figures and the value's place left out. */
  get own(): string[] {
    this.#own ??= [...new Set(this.claim.terms)].filter((term) => !term.startsWith('#') && !term.startsWith('='));
    return this.#own;
  }

  /** The same without marks. */
  get bare(): string[] {
    this.#bare ??= this.own.map(bare);
    return this.#bare;
  }

  /** Names before the verb, each once, without their mark. */
  get subject(): string[] {
    this.#subject ??= [...new Set(this.claim.terms.filter(isSubjectName))].map(bare);
    return this.#subject;
  }

  /** Whether the word is part of a name in it. */
  isNamed(word: string): boolean {
    return this.own.includes(`^${word}`) || this.own.includes(`@${word}`);
  }

  /** What it is about: its subject, or where it has none, what the title above names. */
  get about(): string[] {
    this.#about ??= this.subject.length > 0 || this.claim.kind === 'field' ? this.subject : titleOf(this.claim);
    return this.#about;
  }

  /** All that the sentence speaks of, without marks. */
  get reach(): Set<string> {
    this.#reach ??= addReach(this.claim, new Set());
    return this.#reach;
  }

  /** Its words that have an opposite. */
  get contrary(): string[] {
    this.#contrary ??= this.own.filter(hasOpposite);
    return this.#contrary;
  }

  /** The years that it speaks of, its value left out. */
  get years(): string[] {
    this.#years ??= this.claim.terms.filter((term) => /^=(?:19|20)\d\d$/.test(term));
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

export function addReach({ terms, rest, anchors }: Claim, reach: Set<string>): Set<string> {
  for (const name of anchors) reach.add(name);
  for (const term of terms) reach.add(bare(term));
  for (const term of rest) reach.add(bare(term));
  return reach;
}

/** Names that stand nowhere in the sentence. */
function titleOf({ anchors, terms, rest }: Claim): string[] {
  const isIn = (words: string[], name: string) => words.some((term) => bare(term) === name);
  return anchors.filter((name) => !isIn(terms, name) && !isIn(rest, name));
}

function before(terms: string[]): string[] {
  const at = Math.max(0, terms.indexOf('#'));
  return terms
    .slice(Math.max(0, at - NEAR), at)
    .map(place)
    .reverse();
}

function after(terms: string[]): string[] {
  const at = terms.indexOf('#');
  return at < 0 ? [] : terms.slice(at + 1, at + 1 + NEAR).map(place);
}

/** Another value may differ as well. */
const place = (term: string) => (term.startsWith('=') ? '=' : bare(term));

export const isSubjectName = (term: string) => term.startsWith('@');
export const isName = (term: string) => term.startsWith('@') || term.startsWith('^');
