/** The claims of key-value lines, table rows and fields of JSON: each cell is one, about the record it is part of. */
import { isBracketed } from '../bracketed.ts';
import { type CellClaim, LABEL_SHOWN, SENTENCE_SHOWN } from '../claim.ts';
import { MONTHS } from '../lexicon/months.ts';
import { stem } from '../lexicon/stem.ts';
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { originalSpan } from '../span-map.ts';
import { cut } from '../storable.ts';
import { asSubject, asWord, PLACE, type Term } from '../term.ts';
import { type FoundQuantity, findQuantities } from '../values/find.ts';
import { type Quantity, stretchOf } from '../values/value.ts';
import { officeOf } from './offices.ts';
import { timeIn } from './titles.ts';
import { tokenise } from './tokens.ts';
import { labelWords } from './words.ts';

/** What stands in such a cell is not a fact that another text could deny. */
const FREE_LABEL =
  /^(?:notes?|comments?|description|summary|details?|remarks?|tags?|keywords?|text|body|content|url|website|link|links|image|references?|sources?|address|coordinates|updated|created|modified|retrieved|accessed|page|pages|version|author|authors|isbn|doi)$/i;
/** Words of a label that do not say what is counted. */
const EMPTY_LABEL = new Set('number count total amount value no qty quantity of the date year'.split(' '));
const DATE_LABEL =
  /year|date|since|found|establish|born|birth|died|death|built|open|launch|release|publish|creat|start|end|join|hired/i;
/** More words are prose. */
const MAX_WORDS = 6;
const MAX_SUBJECT = 8;

export interface Record {
  /** What tells it from others, in one form. */
  identity: string;
  /** Stems of the record's key, or of what the document is about. */
  subject: string[];
  /** The same as the text has it. */
  name: string;
  /** Words of the headings above it, where those are not what tells it from others. */
  above: Term[];
  /** Labels of the objects between it and the cell. */
  prefix: string[];
  /** The date or period that it is for; '' where nothing says so. */
  time: string;
  block: Block;
  cells: Cell[];
  /** Its cell is a list, with an item on each line. */
  isList?: true;
}

export function claimsOfRecord({ text, map }: Pick<Reading, 'text' | 'map'>, record: Record): CellClaim[] {
  const { identity, subject, name, above, prefix, block, cells, isList = false } = record;
  const span = originalSpan(map, block.start, block.end);
  const base = {
    anchors: subject.slice(0, MAX_SUBJECT),
    polarity: true,
    modality: 'fact' as const,
    rest: above,
    role: '' as const,
    isOpen: false,
    subject: cut(inOneLine(name), LABEL_SHOWN),
    sentence: cut(inOneLine(text.slice(block.start, block.end)), SENTENCE_SHOWN),
    span: { start: span[0], end: span[1] },
    confidence: 0.9,
    record: identity,
    isCell: true as const,
    head: '',
  };
  return cells.flatMap((cell): CellClaim[] => {
    const label = labelWords([...prefix, cell.label].join(' '));
    const value = text.slice(cell.start, cell.end);
    if (label.length === 0 || subject.length === 0 || FREE_LABEL.test(cell.label)) return [];
    if (isBracketed(text, cell.start, cell.end)) return [];
    const office = officeOf(label);
    const names = office ? [office] : label.map((word) => stem(word)).filter((word) => !/^\d/.test(word));
    const time = timeIn(cell.label) || record.time;
    const about = {
      ...base,
      label: labelFor(cell.label, value),
      shown: cut(isList ? value.replaceAll('\n', ', ') : inOneLine(value), LABEL_SHOWN),
      qualifiers: { time, place: '', condition: '', subset: '' },
      attribute:
        office || (names.filter((_, index) => !EMPTY_LABEL.has(label[index] ?? '')).at(-1) ?? names.at(-1) ?? ''),
      terms: [...subject.slice(0, MAX_SUBJECT).map(asSubject), ...names.map(asWord), PLACE],
    };
    const quantities = isList ? [] : findQuantities(value);
    const figure = figureIn(value, quantities, cell.label);
    if (figure) {
      const qualifiers = { ...about.qualifiers, time: figure.time || time };
      return [{ kind: 'quantity', value: figure.value, ...about, qualifiers }];
    }
    const words = tokenise(value).filter(({ kind }) => kind !== 'mark');
    if (words.length === 0 || (words.length > MAX_WORDS && !isList) || quantities.length > 0) return [];
    const shown = isList ? value.replaceAll('\n', '; ') : value;
    return [{ kind: 'field', value: { words: words.map((word) => word.stem), text: shown }, ...about }];
  });
}

/** The figure that a value is, and the time in brackets after it: '$400 (2022 est.)' is $400 in 2022. */
function figureIn(value: string, found: FoundQuantity[], label: string): { value: Quantity; time: string } | null {
  const from = value.endsWith(')') ? value.lastIndexOf('(') : -1;
  const [inside, before] = [value.slice(from + 1, -1), value.slice(0, Math.max(0, from)).trim()];
  const dated = isTime(inside) ? figureOf(before, findQuantities(before), label) : null;
  if (dated) return { value: dated, time: timeIn(inside) };
  const whole = figureOf(value, found, label);
  return whole && { value: whole, time: '' };
}

/** With another word it is more than the time: '(2022 budget)', '(2015, men)'. */
function isTime(inside: string): boolean {
  const [found, month] = DATED.exec(inside) ?? [];
  return found !== undefined && (month === undefined || MONTHS.has(month.toLowerCase()));
}

const DATED = /^(?:as of )?(?:(\p{L}{3,9}) )?(?:19|20)\d\d(?:,? est(?:\.|imated?)?)?$/iu;

function figureOf(text: string, found: FoundQuantity[], label: string): Quantity | null {
  const [quantity, ...more] = found;
  const isFigure = quantity && more.length === 0 && isMost(text, quantity.start, quantity.end);
  return plainNumber(text, label) ?? (isFigure ? quantity.value : null);
}

/** For people. Figures are looked for in each line by itself: 12 above 345 is not 12,345. */
const inOneLine = (text: string) => text.replaceAll('\n', ' ');

/** 'Employees: 1,900' gives their number. */
function labelFor(label: string, value: string): string {
  const isCount = /^[\d,.]+$/.test(value) && /[^s]s$/i.test(label) && !/\bof\b|_/.test(label);
  return cut(isCount ? `number of ${label.toLowerCase()}` : label, LABEL_SHOWN);
}

/** A number by itself counts what its label says; only a label that asks for a date makes it a year. */
function plainNumber(value: string, label: string): Quantity | null {
  if (!/^-?\d{1,3}(?:,?\d{3})*(?:\.\d+)?$/.test(value) || DATE_LABEL.test(label)) return null;
  const low = Number(value.replaceAll(',', ''));
  const decimals = value.includes('.') ? value.length - value.indexOf('.') - 1 : 0;
  return stretchOf('count', '', [low, low], 10 ** -decimals);
}

/** The value is the figure, with a word or two around it. */
function isMost(text: string, start: number, end: number): boolean {
  const around = `${text.slice(0, start)} ${text.slice(end)}`.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return around.length <= 2;
}
