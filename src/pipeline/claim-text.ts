/**
 * What a document claims as a text to keep, a third of its JSON. The claims of a sentence say much that is the same: every
 * string and every list of strings is written once, in a table, and claims are rows of numbers that point there. What is
 * read again shares its parts in the same way, and so takes less memory.
 */
import type { Claim, ClaimOf, ClaimSet, Modality, Words } from './claim.ts';
import { storable } from './storable.ts';
import { readTerm, type Term, writeTerm } from './term.ts';
import type { Dimension, Quantity } from './values/value.ts';

/** Other forms will have other numbers. Before the first there was the JSON of the set itself. */
const FORM = 2;

type Row = (number | null)[];
type Kept = [form: number, strings: string[], lists: number[][], profile: Row, claims: Row[], rules: number];

/** Their places are what is written: new ones come last. */
const KINDS: Claim['kind'][] = ['quantity', 'field', 'statement'];
const MODALITIES: Modality[] = ['fact', 'plan', 'hypothesis', 'question', 'reported', 'rule'];
const FLAG = { denied: 1, isOpen: 2, approximate: 4, lowOpen: 8, highOpen: 16, isCell: 32 };

export function encodeClaims({ rules, profile, claims }: ClaimSet): string {
  const table = new Table();
  const kept: Kept = [
    FORM,
    table.strings,
    table.lists,
    [
      table.list(profile.subject),
      table.list(profile.years),
      table.list(profile.names),
      table.list(profile.topic),
      profile.sentences,
      table.list(profile.issue),
      table.list(profile.phrase),
    ],
    claims.map((claim) => rowOf(claim, table)),
    rules,
  ];
  return JSON.stringify(kept);
}

export function decodeClaims(text: string): ClaimSet {
  const kept: Kept | JsonOfSet = isUnstorable(text) ? JSON.parse(text, mended) : JSON.parse(text);
  if (!Array.isArray(kept)) return { ...kept, rules: kept.rules ?? 0, claims: kept.claims.map(claimOfJson) };
  const [form, strings, lists, profile, claims, rules = form] = kept;
  if (form > FORM) throw new Error(`these claims have the form ${form}, which only a newer release reads`);
  const found = new Found(strings, lists);
  const [subject, years, names, topic, sentences, issue, phrase] = profile as number[];
  return {
    rules,
    profile: {
      subject: found.list(subject),
      years: found.list(years),
      names: found.list(names),
      topic: found.list(topic),
      phrase: phrase === undefined ? [] : found.list(phrase),
      issue: issue === undefined ? [] : found.list(issue),
      sentences: sentences as number,
    },
    claims: claims.map((row) => claimOf(row, found)),
  };
}

/** Escapes of U+0000 and of halves of characters: earlier releases cut some, and kept keys of JSON as they were. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** Few texts have any escape, which is found sooner. */
const isUnstorable = (text: string) => text.includes('\\u') && UNSTORABLE.test(text);
const mended = (_key: string, value: unknown) => (typeof value === 'string' ? storable(value) : value);

/** As sets were kept before the first form, with terms as they are written. */
interface JsonOfSet extends Omit<ClaimSet, 'claims'> {
  claims: JsonOfClaim[];
}

interface JsonOfClaim extends Omit<Claim, 'kind' | 'value' | 'role' | 'terms' | 'rest'> {
  kind: Claim['kind'];
  value: { words?: string[] };
  terms: string[];
  rest: string[];
}

function claimOfJson(claim: JsonOfClaim): Claim {
  const value = claim.kind === 'statement' ? claim.value.words?.map(readTerm) : claim.value;
  return { ...claim, value, terms: claim.terms.map(readTerm), rest: claim.rest.map(readTerm) } as Claim;
}

/** Does not compile while there is a field that is not written. */
type Written =
  | ('kind' | 'anchors' | 'attribute' | 'value' | 'polarity' | 'modality' | 'qualifiers' | 'role' | 'subject' | 'label')
  | ('shown' | 'terms' | 'rest' | 'sentence' | 'span' | 'isOpen' | 'confidence' | 'record' | 'isCell' | 'head');
true satisfies Exclude<keyof Claim, Written> extends never ? true : never;

function rowOf(claim: Claim, table: Table): Row {
  const { qualifiers, span } = claim;
  const own = (claim.polarity ? 0 : FLAG.denied) | (claim.isOpen ? FLAG.isOpen : 0) | (claim.isCell ? FLAG.isCell : 0);
  const flags = claim.kind === 'quantity' ? own | flagsOf(claim.value) : own;
  const row: Row = [
    KINDS.indexOf(claim.kind),
    MODALITIES.indexOf(claim.modality),
    flags,
    table.list(claim.anchors),
    table.string(claim.attribute),
    table.string(qualifiers.time),
    table.string(qualifiers.place),
    table.string(qualifiers.condition),
    table.string(qualifiers.subset),
    table.string(claim.role),
    table.string(claim.subject),
    table.string(claim.label),
    table.string(claim.shown),
    table.terms(claim.terms),
    table.terms(claim.rest),
    table.string(claim.sentence),
    span.start,
    span.end,
    claim.confidence,
  ];
  if (claim.kind === 'quantity') {
    const { dimension, unit, low, high, precision } = claim.value;
    row.push(table.string(dimension), table.string(unit), low, high, precision);
  } else if (claim.kind === 'field') row.push(table.list(claim.value.words), table.string(claim.value.text));
  else row.push(table.terms(claim.value), table.string(''));
  row.push(table.string(claim.record), table.string(claim.head));
  return row;
}

function flagsOf({ approximate, lowOpen, highOpen }: Quantity): number {
  return (approximate ? FLAG.approximate : 0) | (lowOpen ? FLAG.lowOpen : 0) | (highOpen ? FLAG.highOpen : 0);
}

/** Of words there are two after what all have, of a quantity five; the first form ended there. */
const ROW_OF_WORDS = 21;
const ROW_OF_QUANTITY = 24;

function claimOf(row: Row, found: Found): Claim {
  const kind = KINDS[row[0] as number] as Claim['kind'];
  if (kind === 'quantity')
    return filled(row, found, ROW_OF_QUANTITY, { kind, value: quantityOf(row, found), role: found.string(row[9]) });
  if (kind === 'field')
    return filled(row, found, ROW_OF_WORDS, { kind, value: wordsOf(row, found), role: '' as const });
  return filled(row, found, ROW_OF_WORDS, { kind, value: found.terms(row[19]), role: '' as const });
}

type Own<Kind, Value, Role> = Pick<ClaimOf<Kind, Value, Role>, 'kind' | 'value' | 'role'>;

/** By their places, which is what costs least: `rowOf` has their order. `end` is where what all have goes on after the value. */
function filled<Kind, Value, Role>(
  row: Row,
  found: Found,
  end: number,
  { kind, value, role }: Own<Kind, Value, Role>,
): ClaimOf<Kind, Value, Role> {
  const flags = row[2] as number;
  return {
    kind,
    anchors: found.list(row[3]),
    attribute: found.string(row[4]),
    value,
    polarity: (flags & FLAG.denied) === 0,
    modality: MODALITIES[row[1] as number] as Modality,
    qualifiers: {
      time: found.string(row[5]),
      place: found.string(row[6]),
      condition: found.string(row[7]),
      subset: found.string(row[8]),
    },
    role,
    subject: found.string(row[10]),
    label: found.string(row[11]),
    shown: found.string(row[12]),
    terms: found.terms(row[13]),
    rest: found.terms(row[14]),
    sentence: found.string(row[15]),
    span: { start: row[16] as number, end: row[17] as number },
    isOpen: (flags & FLAG.isOpen) !== 0,
    confidence: row[18] as number,
    record: found.string(row[end]) ?? '',
    head: found.string(row[end + 1]) ?? '',
    isCell: (flags & FLAG.isCell) !== 0,
  };
}

function wordsOf(row: Row, found: Found): Words {
  return { words: found.list(row[19]), text: found.string(row[20]) };
}

function quantityOf(row: Row, found: Found): Quantity {
  const flags = row[2] as number;
  return {
    dimension: found.string(row[19]) as Dimension,
    unit: found.string(row[20]),
    low: row[21] ?? null,
    high: row[22] ?? null,
    lowOpen: (flags & FLAG.lowOpen) !== 0,
    highOpen: (flags & FLAG.highOpen) !== 0,
    precision: row[23] as number,
    approximate: (flags & FLAG.approximate) !== 0,
  };
}

class Table {
  readonly strings: string[] = [];
  readonly lists: number[][] = [];
  readonly #places = new Map<string, number>();
  /** By what they are, not by what they say: claims of one clause have the same one, and others hardly ever. */
  readonly #listPlaces = new Map<string[] | Term[], number>();

  string(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.strings.push(text) - 1;
    this.#places.set(text, place);
    return place;
  }

  list(texts: string[]): number {
    const known = this.#listPlaces.get(texts);
    if (known !== undefined) return known;
    const place = this.lists.push(texts.map((text) => this.string(text))) - 1;
    this.#listPlaces.set(texts, place);
    return place;
  }

  terms(terms: Term[]): number {
    const known = this.#listPlaces.get(terms);
    if (known !== undefined) return known;
    const place = this.lists.push(terms.map((term) => this.string(writeTerm(term)))) - 1;
    this.#listPlaces.set(terms, place);
    return place;
  }
}

class Found {
  readonly #strings: string[];
  readonly #places: number[][];
  /** What is asked for again, as each was made. */
  readonly #lists: (string[] | undefined)[];
  readonly #termLists: (Term[] | undefined)[];
  readonly #terms: (Term | undefined)[];

  constructor(strings: string[], places: number[][]) {
    this.#strings = strings;
    this.#places = places;
    this.#lists = new Array(places.length);
    this.#termLists = new Array(places.length);
    this.#terms = new Array(strings.length);
  }

  string(place: number | null | undefined): string {
    return this.#strings[place as number] as string;
  }

  list(place: number | null | undefined): string[] {
    const at = place as number;
    const known = this.#lists[at];
    if (known) return known;
    const strings = this.#strings;
    const made = (this.#places[at] as number[]).map((text) => strings[text] as string);
    this.#lists[at] = made;
    return made;
  }

  terms(place: number | null | undefined): Term[] {
    const at = place as number;
    const known = this.#termLists[at];
    if (known) return known;
    const [strings, terms] = [this.#strings, this.#terms];
    const made = (this.#places[at] as number[]).map((text) => {
      terms[text] ??= readTerm(strings[text] as string);
      return terms[text];
    });
    this.#termLists[at] = made;
    return made;
  }
}
