/** Cuts the blocks of a text into sentences, each with its place in the plain text and in the original. */
import { skipBlanks, trimBlanks } from './blanks.ts';
import { isBracketed } from './bracketed.ts';
import type { Block, Cell, Normalised } from './plain-text.ts';
import { findSentenceEnd } from './sentence-end.ts';
import { originalSpan, type Span } from './span-map.ts';
import { isWithinCharacter } from './storable.ts';

export interface Sentence {
  text: string;
  /** In the plain text. */
  start: number;
  end: number;
  /** In the original. */
  span: Span;
  /** The number of the block that it is part of. */
  block: number;
}

/** What comes without any end is cut, so that no later stage meets a sentence of a hundred thousand characters. */
export const MAX_SENTENCE = 2000;
/** A row up to here is one statement; a longer one holds texts, or is a page laid out as a table. */
const MAX_ROW = 300;
/** So few words with a full stop are a name such as 'Acme Inc.'. */
const MAX_NAME = 4;

interface Passage {
  start: number;
  end: number;
  /** One statement, which full stops do not part. */
  isWhole: boolean;
}

export function segment({ text, map, blocks }: Normalised): Sentence[] {
  const sentences: Sentence[] = [];
  blocks.forEach((block, index) => {
    for (const passage of passagesOf(text, block)) {
      for (let start = skipBlanks(text, passage.start, passage.end); start < passage.end; ) {
        const stop = endOf(text, start, passage);
        const end = trimBlanks(text, start, stop);
        // Lines of one cell; elsewhere there is no newline within a sentence.
        const sentence = text.slice(start, end).replaceAll('\n', ' ');
        // Without a letter or a digit it says nothing.
        if (/[\p{L}\p{N}]/u.test(sentence))
          sentences.push({ text: sentence, start, end, span: originalSpan(map, start, end), block: index });
        start = skipBlanks(text, stop, passage.end);
      }
    }
  });
  return sentences;
}

function passagesOf(text: string, { kind, start, end, within, cells }: Block): Passage[] {
  if (kind === 'header') return [];
  if (kind === 'row' && end - start > MAX_ROW) return passagesOfRow(text, cells);
  const value = cells[0]?.start ?? start;
  if (kind !== 'row' && isBracketed(text, value, end)) return passagesInBrackets(text, value, end);
  const isProse = kind !== 'row' && cells.some((cell) => holdsProse(text, cell));
  // A name in JSON is no part of the text it names; a label in running text is.
  if (isProse && within !== undefined) return cells.map((cell) => ({ ...cell, isWhole: false }));
  return [{ start, end, isWhole: kind === 'heading' || (cells.length > 0 && !isProse) }];
}

/** They hold data, or the note of an editor, which ends as a sentence does: '[The hall was sold in 1990.]'. */
function passagesInBrackets(text: string, start: number, end: number): Passage[] {
  const inside = { start: start + 1, end: end - 1 };
  return text.charCodeAt(start) === SQUARE && holdsProse(text, inside) ? [{ ...inside, isWhole: false }] : [];
}

const SQUARE = 0x5b;

/** The cells that hold prose by themselves, those between them together. */
function passagesOfRow(text: string, cells: Cell[]): Passage[] {
  const passages: Passage[] = [];
  for (const cell of cells) {
    const last = passages.at(-1);
    const isWhole = !holdsProse(text, cell);
    if (isWhole && last?.isWhole) last.end = cell.end;
    else passages.push({ ...cell, isWhole });
  }
  return passages;
}

function holdsProse(text: string, { start, end }: Pick<Cell, 'start' | 'end'>): boolean {
  const stop = findSentenceEnd(text, start, end);
  if (stop < 0) return false;
  return stop < end || text.slice(start, stop).split(' ', MAX_NAME + 1).length > MAX_NAME;
}

function endOf(text: string, start: number, passage: Passage): number {
  const limit = Math.min(passage.end, start + MAX_SENTENCE);
  const end = passage.isWhole ? -1 : findSentenceEnd(text, start, limit);
  if (end >= 0) return end;
  if (limit === passage.end) return limit;
  const blank = text.slice(start, limit).lastIndexOf(' ');
  if (blank > 0) return start + blank;
  return isWithinCharacter(text, limit) ? limit - 1 : limit;
}
