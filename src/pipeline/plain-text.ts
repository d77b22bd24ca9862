/** Builds the plain text of a document, block by block, together with the way back to the original. */
import { isBlank, isInvisible } from './blanks.ts';
import { findField } from './fields.ts';
import { type Span, type SpanMap, SpanMapBuilder } from './span-map.ts';
import { cut, isWithinCharacter, storable } from './storable.ts';

/** A header only names the columns of the rows below it. */
export type BlockKind = 'heading' | 'prose' | 'item' | 'quote' | 'field' | 'row' | 'header';

/** A value that has a name: by its key, or by the header of its column, '' where there is none. */
export interface Cell {
  label: string;
  start: number;
  end: number;
}

/** Positions are those of the plain text, in which a newline parts blocks, or lines within a cell. */
export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** Of a heading: 1 is the title, and 0 that of front matter, which stands above it. */
  level?: number;
  /** Of a field of JSON, or of a text that is one record: the path of the object that holds it, the same for all fields of one object. */
  within?: string;
  /** Of a field that is a line of a text by itself, though it has such a path. */
  isLine?: true;
  /** Of a field of front matter, which is about the document itself. */
  isFrontMatter?: true;
  /** One for a field, one for each column of a row that is not empty. */
  cells: Cell[];
}

export interface Normalised {
  text: string;
  map: SpanMap;
  blocks: Block[];
  /** What whoever sent the document should know: it could not be read as what it was said to be. */
  warnings: string[];
}

/** A label may be given as a place in the plain text, which is only cut out at the end. */
export type Label = string | Span;
type Draft = Omit<Block, 'cells'> & { cells: { label: Label; start: number; end: number }[] };

/** Labels are repeated for each row, so a long one would make the result larger than the document by its square. */
const MAX_LABEL = 200;

export class PlainText {
  readonly original: string;
  readonly warnings: string[] = [];
  readonly #parts: string[] = [];
  readonly #map = new SpanMapBuilder();
  readonly #blocks: Draft[] = [];
  #block: Draft = { kind: 'prose', start: -1, end: -1, cells: [] };
  #inCell = false;
  /** What goes before the next character, if one comes in this block: it stands for all that was left out between. */
  #glue = '';
  /** Where the mark stands that the next character begins with; -1 for none. */
  #lead = -1;

  constructor(original: string) {
    this.original = original;
  }

  /** Ends the block before. One that gets no text is left out. */
  begin(kind: BlockKind, more: Pick<Block, 'level' | 'within' | 'isLine' | 'isFrontMatter'> = {}): void {
    this.#close();
    this.#block = { kind, start: -1, end: -1, cells: [], ...more };
  }

  /** Names the text that follows, up to the next cell or the block's end, and parts it from what is before. */
  cell(label: Label, glue: string): void {
    this.endCell();
    this.#glue = glue === ': ' && this.#parts.at(-1)?.endsWith(':') ? ' ' : glue;
    this.#block.cells.push({ label, start: -1, end: -1 });
    this.#inCell = true;
  }

  /** The cell's place; null if it had no text, or if there is none. */
  endCell(): Span | null {
    if (!this.#inCell) return null;
    this.#inCell = false;
    const cell = this.#block.cells.at(-1);
    if (cell && cell.start >= 0) {
      cell.end = this.#map.length;
      return [cell.start, cell.end];
    }
    this.#block.cells.pop();
    return null;
  }

  /** The block that is being written, to be changed as more of it is known. */
  get block(): Draft {
    return this.#block;
  }

  /** Nothing has been written since the block, or its cell, began. */
  get isFresh(): boolean {
    return (this.#inCell ? this.#block.cells.at(-1) : this.#block)?.start === -1;
  }

  get length(): number {
    return this.#map.length;
  }

  /** The original from here to there, each run of blanks as one. */
  copy(from: number, to: number): void {
    const { original } = this;
    let at = from;
    while (at < to) {
      let end = at;
      for (; end < to; end++) {
        const code = original.charCodeAt(end);
        if (isInvisible(code)) break;
        if (!isBlank(code)) continue;
        const next = original.charCodeAt(end + 1);
        if (code !== 0x20 || end === at || end + 1 === to || isBlank(next) || isInvisible(next)) break;
      }
      if (end > at) this.#write(original.slice(at, end), at, end);
      else if (isInvisible(original.charCodeAt(at))) end++;
      else {
        this.blank();
        end++;
      }
      at = end;
    }
  }

  /** One character that stands for something else in the original, such as an entity. */
  put(character: string, from: number, to: number): void {
    const code = character.charCodeAt(0);
    if (isBlank(code)) this.blank();
    else if (!isInvisible(code)) this.#write(character, from, to);
  }

  blank(): void {
    this.#glue ||= ' ';
  }

  /** The mark here is left out, and the next character stands for both: cut out without it, what follows would be read as other text. */
  lead(at: number): void {
    if (this.#lead < 0) this.#lead = at;
  }

  breakLine(): void {
    if (this.#glue.length < 2) this.#glue = '\n';
  }

  finish(): Normalised {
    this.#close();
    // An escape can stand for what no database takes. Only the whole shows whether a half has its other half.
    const text = storable(this.#parts.join(''));
    const labelOf = (label: Label) => {
      const name = typeof label === 'string' ? label : text.slice(...label);
      // Of several lines in a cell.
      return storable(cut(name, MAX_LABEL))
        .replace(/[:\s]$/, '')
        .replaceAll('\n', ' ');
    };
    const blocks = this.#blocks.map((draft): Block => {
      const cells = draft.cells.map(({ label, start, end }) => ({ label: labelOf(label), start, end }));
      if (draft.kind !== 'prose' && draft.kind !== 'item') return { ...draft, cells };
      const field = findField(text, draft.start, draft.end);
      if (!field) return { ...draft, cells };
      return { ...draft, kind: 'field', cells: [{ label: labelOf(field.label), start: field.value, end: draft.end }] };
    });
    return { text, map: this.#map.finish(), blocks, warnings: this.warnings };
  }

  #write(text: string, from: number, to: number): void {
    const map = this.#map;
    const begin = this.#lead < 0 ? from : this.#lead;
    if (this.#block.start < 0) {
      if (map.length > 0) this.#push('\n', map.end, begin);
      this.#block.start = map.length;
    } else if (this.#glue) {
      // A small letter goes on with the line before, which was only wrapped.
      const isWrapped = this.#glue === '\n' && /^\p{Ll}/u.test(text);
      this.#push(isWrapped ? ' ' : this.#glue, map.end, begin);
    }
    this.#glue = '';
    this.#lead = -1;
    const cell = this.#inCell ? this.#block.cells.at(-1) : undefined;
    if (cell && cell.start < 0) cell.start = map.length;
    const first = begin < from ? (isWithinCharacter(text, 1) ? 2 : 1) : 0;
    if (first > 0) this.#push(text.slice(0, first), begin, Math.min(to, from + first));
    if (first < text.length) this.#push(text.slice(first), from + first, to);
  }

  #push(text: string, from: number, to: number): void {
    this.#parts.push(text);
    this.#map.add(text.length, from, to);
  }

  #close(): void {
    this.endCell();
    this.#glue = '';
    this.#lead = -1;
    const { start, kind, within, cells } = this.#block;
    if (start < 0) return;
    this.#block.end = this.#map.length;
    if (kind === 'field' && cells.length === 0) this.#block.kind = 'prose';
    // Of an object a key is left over when its value is blank.
    if (cells.length > 0 || within === undefined) this.#blocks.push(this.#block);
    this.#block = { kind: 'prose', start: -1, end: -1, cells: [] };
  }
}
