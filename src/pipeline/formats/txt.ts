/** Plain text: paragraphs, wrapped or not, with titles, items and fields told by how they look. */
import { findField, SENTENCE_WORDS } from '../fields.ts';
import type { PlainText } from '../plain-text.ts';
import { readKeyValues } from './key-values.ts';
import { afterItemMark, type Line, linesOf, ruleMark } from './lines.ts';

interface Paragraph {
  kind: 'heading' | 'prose' | 'item';
  lines: Line[];
  /** What comes next stands apart. */
  blankAfter: boolean;
}

/** Nobody wraps at fewer columns; a shorter line is short on purpose. */
const WRAP_LEAST = 40;
/** Nor at more: such lines are whole paragraphs. */
const MAX_WRAP = 160;
/** How full a line is that was broken for want of room, when it was broken by hand. */
const WRAP_FILL = 0.7;
const MAX_HEADING = 80;
const HEADING_WORDS = 10;
/** '[Closing remarks]' tells what went on; '[server]' may be a section. */
const DIRECTION = /^\[[^\]]* [^\]]*\]$/;
const SENTENCE_END = /[.!?…。！？]["'”’)\]»]*$/u;

export function readTxt(out: PlainText): void {
  const { original } = out;
  const lines = linesOf(original);
  if (readKeyValues(out, lines)) return;
  const paragraphs = paragraphsOf(original, withoutGaps(original, lines)).flatMap((paragraph) =>
    splitAtShortLines(original, paragraph),
  );
  paragraphs.forEach((paragraph, index) => {
    const heading = paragraph.kind === 'heading' || looksLikeHeading(original, paragraphs, index);
    if (heading) out.begin('heading', { level: index === 0 ? 1 : 2 });
    else out.begin(paragraph.kind);
    for (const { from, to } of paragraph.lines) {
      out.copy(from, to);
      out.blank();
    }
  });
}

/** Where so many sentences go on behind an empty line, that is how the text was typed. */
const MIN_TORN = 5;

/**
 * The lines without the empty ones within a sentence: minutes were typed with one after each line. A heading ends before a capital,
 * but in no comma.
 */
function withoutGaps(text: string, lines: Line[]): Line[] {
  const isEmpty = (line: Line | undefined) => !line || line.from === line.to;
  const torn = [...lines.keys()].filter((at) => {
    const [last, next] = [lines[at - 1], lines[at + 1]];
    if (!isEmpty(lines[at]) || !last || !next || isEmpty(next) || isShort(last) || last.to - last.from > MAX_WRAP)
      return false;
    return GOES_ON.test(`${text.charAt(last.to - 1)} ${text.charAt(next.from)}`);
  });
  if (torn.length < MIN_TORN) return lines;
  const left = new Set(torn);
  return lines.filter((_, at) => !left.has(at));
}

const GOES_ON = /[\p{L}\p{N}] \p{Ll}|, [\p{L}\p{N}]/u;

function paragraphsOf(text: string, lines: Line[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | null = null;
  const add = (kind: Paragraph['kind'], line: Line) => {
    open = { kind, lines: [line], blankAfter: false };
    paragraphs.push(open);
  };
  for (const line of lines) {
    const current = open as Paragraph | null;
    const last = current?.lines.at(-1);
    if (line.from === line.to) {
      if (current) current.blankAfter = true;
      open = null;
      continue;
    }
    const mark = ruleMark(text, line);
    if (mark) {
      if (current?.kind === 'prose' && current.lines.length === 1 && (mark === '=' || mark === '-'))
        current.kind = 'heading';
      open = null;
      continue;
    }
    const item = afterItemMark(text, line);
    if (item >= 0) add('item', { from: item, to: line.to });
    else if (!current || !last) add('prose', line);
    // Within a wrapped sentence a colon is only a colon.
    else if (findField(text, line.from, line.to) && (isShort(last) || findField(text, last.from, last.to)))
      add('prose', line);
    else current.lines.push(line);
  }
  return paragraphs;
}

const isShort = ({ from, to }: Line) => to - from < WRAP_LEAST;

function splitAtShortLines(text: string, paragraph: Paragraph): Paragraph[] {
  const [first, ...rest] = paragraph.lines;
  if (!first || rest.length === 0) return [paragraph];
  const width = paragraph.lines.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const wraps = width >= WRAP_LEAST && width <= MAX_WRAP;
  const pieces: Paragraph[] = [{ ...paragraph, lines: [first] }];
  let last = first;
  for (const line of rest) {
    const word = text.slice(line.from, Math.min(line.to, line.from + WRAP_LEAST)).split(/\s/, 1)[0] ?? '';
    if (isShouted(text, last) && !isShouted(text, line)) {
      // 'SEE ALSO' stands above what it is the heading of, as in manuals.
      const piece = pieces.at(-1);
      if (piece?.kind === 'prose' && piece.lines.length === 1) piece.kind = 'heading';
      pieces.push({ kind: 'prose', lines: [line], blankAfter: false });
      last = line;
      continue;
    }
    const full = wraps && last.to - last.from + 1 + word.length > width * WRAP_FILL;
    if (full || /^\p{Ll}/u.test(word) || /[,\-–—(]/.test(text.charAt(last.to - 1))) pieces.at(-1)?.lines.push(line);
    else pieces.push({ kind: 'prose', lines: [line], blankAfter: false });
    last = line;
  }
  for (const piece of pieces) piece.blankAfter = piece === pieces.at(-1) && paragraph.blankAfter;
  return pieces;
}

/** A short line of words in capitals. */
function isShouted(text: string, line: Line): boolean {
  const words = isShort(line) ? text.slice(line.from, line.to) : '';
  return /\p{Lu}{2}/u.test(words) && !/[\p{Ll}\d:|=]|[.!?…,;]$/u.test(words);
}

function looksLikeHeading(text: string, paragraphs: Paragraph[], index: number): boolean {
  const { kind, lines, blankAfter } = paragraphs[index] as Paragraph;
  const next = paragraphs[index + 1];
  const [line] = lines;
  if (!line || !next || kind !== 'prose' || lines.length > 1 || line.to - line.from > MAX_HEADING) return false;
  // Only a title stands right above what it is the title of.
  if (!blankAfter && index > 0) return false;
  const words = text.slice(line.from, line.to);
  if (!/\p{L}/u.test(words) || /[.!?…,;]$/.test(words) || words.split(/\s+/).length > HEADING_WORDS) return false;
  if (SENTENCE_WORDS.test(words) || DIRECTION.test(words)) return false;
  // Right above a text stands who says it.
  if (!blankAfter && words.endsWith(':') && isText(text, next)) return false;
  // 'Cobalt Shipping: report for Q1 2024' is a title where text follows: as the only field it would be one of nothing.
  if (findField(text, line.from, line.to)) return index === 0 && blankAfter && isText(text, next);
  return standsUnderHeading(text, next);
}

const isText = (text: string, { kind, lines }: Paragraph) =>
  kind === 'prose' && SENTENCE_END.test(text.slice(lines[0]?.from, lines.at(-1)?.to));

/** Short lines without full stops under each other are a list of statements, and none is the title of the next. */
function standsUnderHeading(text: string, { kind, lines }: Paragraph): boolean {
  const [{ from, to } = { from: 0, to: 0 }] = lines;
  if (kind !== 'prose' || lines.length > 1 || to - from > MAX_HEADING) return true;
  return SENTENCE_END.test(text.slice(from, to)) || findField(text, from, to) !== null;
}
