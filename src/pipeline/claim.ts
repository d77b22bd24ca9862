/** What a document claims, as plain data: all that reconciling two documents needs, and no more. */
import type { Term } from './term.ts';
import type { Quantity } from './values/value.ts';

/** Words that fill an attribute: a name or a state. */
export interface Words {
  /** Their stems in the order of the text. */
  words: string[];
  /** As the text has it, for the reason. */
  text: string;
}

/** Only facts are held against facts; what is said of the other kinds is not said to be so. */
export type Modality = 'fact' | 'plan' | 'hypothesis' | 'question' | 'reported' | 'rule';

/** What a claim holds for, as stems and dates; '' where the text says nothing. */
export interface Qualifiers {
  time: string;
  place: string;
  condition: string;
  subset: string;
}

/** All claims have the same fields, so that what reads them is compiled for few shapes; their kind tells what is in value and role. */
export interface ClaimOf<Kind, Value, Role> {
  kind: Kind;
  /** Stems of what the claim may be about: names of the sentence and the subject it inherits. */
  anchors: string[];
  /** The stem of what is said: the noun counted, the verb, or the label of a field. */
  attribute: string;
  value: Value;
  /** False when the claim is denied. */
  polarity: boolean;
  modality: Modality;
  qualifiers: Qualifiers;
  role: Role;
  /** As the text has them, for people: the subject, what is said of it, and the value. */
  subject: string;
  label: string;
  shown: string;
  /** Those of its clause, in the order of the text. */
  terms: Term[];
  /** Those of the rest of the sentence; of a cell, what stands above its record. */
  rest: Term[];
  /** At most 500 characters. */
  sentence: string;
  /** In the original. */
  span: { start: number; end: number };
  /** Its subject is a pronoun, or 'the company', that nothing before it explains. */
  isOpen: boolean;
  confidence: number;
  /** What tells the record that it is part of from others; '' for running text that is part of none. */
  record: string;
  /** One value of a record: only cells of one record are held against each other. */
  isCell: boolean;
  /** The stem of what of the thing named it is about, as 'floor' in 'the ground floor of Mercer House'; '' for the thing itself. */
  head: string;
}

/** A number or date of something. Its role tells whether it is part of a change or of a period; '' for a value that holds. */
export type QuantityClaim = ClaimOf<'quantity', Quantity, string>;
/** A value that has a name. */
export type FieldClaim = ClaimOf<'field', Words, ''>;
/** A statement as a whole. Its value is what it denies, else whole words of what its subject is said to be; nothing for most. */
export type StatementClaim = ClaimOf<'statement', Term[], ''>;

export type Claim = QuantityClaim | FieldClaim | StatementClaim;

/** A record states nothing as a whole. */
export type CellClaim = (QuantityClaim | FieldClaim) & { isCell: true };

/** The document as a whole, by which namesakes are told apart. */
export interface Profile {
  /** Stems of the name that the document is about; empty where none is told. */
  subject: string[];
  /** Years by which it is told from namesakes, as in 'a 1931 film'. */
  years: string[];
  /** Stems of the names it mentions, the subject's left out. */
  names: string[];
  /** Stems of its first sentences: what all of it is about. */
  topic: string[];
  /** Stems of what its first sentence is about, nouns and names. */
  phrase: string[];
  /** Which issue of it this is, by the dates and numbers of its title: minutes of one day, a version, a quarter. */
  issue: string[];
  /** How many sentences it has. */
  sentences: number;
}

/** Claims that were made by other rules are never compared: they are of another shape. */
export const RULES = 13;

export interface ClaimSet {
  rules: number;
  profile: Profile;
  claims: Claim[];
}

export const MAX_CLAIMS = 1000;
export const SENTENCE_SHOWN = 500;
export const LABEL_SHOWN = 80;
