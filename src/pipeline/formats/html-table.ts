/** Rows of HTML tables: a row of headings names the columns, a row of one heading and one value is a field. */
import type { Label, PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';

/** Leave a cell: what holds these is laid out as a table, but is none. */
const LEAVES = /^(?:h[1-6]|table|title|body|html)$/;

export class TableRows {
  readonly #out: PlainText;
  #names: Label[] = [];
  /** The cells of the open row, one for each column; null if no row is open. */
  #cells: { isHeading: boolean; place: Span | null }[] | null = null;
  #inCell = false;

  constructor(out: PlainText) {
    this.#out = out;
  }

  /** True if the tag was the table's business alone. */
  open(name: string): boolean {
    if (name === 'tr') this.#openRow();
    else if (name === 'td' || name === 'th') this.#openCell(name === 'th');
    else if (this.#cells && !LEAVES.test(name)) this.#out.breakLine();
    else {
      this.finish();
      if (name === 'table') this.#names = [];
      return false;
    }
    return true;
  }

  close(name: string): boolean {
    if (!this.#cells) return false;
    if (name === 'td' || name === 'th') this.#closeCell();
    else if (name === 'tr' || name === 'table') this.finish();
    else this.#out.breakLine();
    return true;
  }

  finish(): void {
    const cells = this.#cells;
    if (!cells) return;
    this.#closeCell();
    this.#cells = null;
    const { block } = this.#out;
    const [first, second] = cells;
    if (cells.length === 1 && first?.isHeading) {
      block.kind = 'heading';
      block.level = 6;
      block.cells = [];
    } else if (cells.length > 1 && cells.every(({ isHeading }) => isHeading)) {
      block.kind = 'header';
      this.#names = cells.map(({ place }) => place ?? '');
    } else if (cells.length === 2 && first?.isHeading && first.place && second?.place && this.#names.length === 0) {
      block.kind = 'field';
      block.cells = [{ label: first.place, start: second.place[0], end: second.place[1] }];
    }
    this.#out.begin('prose');
  }

  #openRow(): void {
    this.finish();
    this.#out.begin('row');
    this.#cells = [];
  }

  #openCell(isHeading: boolean): void {
    if (!this.#cells) this.#openRow();
    this.#closeCell();
    const cells = this.#cells ?? [];
    this.#out.cell(
      this.#names[cells.length] ?? '',
      cells.length === 1 && cells[0]?.isHeading && !isHeading ? ': ' : ' | ',
    );
    cells.push({ isHeading, place: null });
    this.#inCell = true;
  }

  #closeCell(): void {
    if (!this.#inCell) return;
    this.#inCell = false;
    const place = this.#out.endCell();
    const cell = this.#cells?.at(-1);
    if (cell) cell.place = place;
  }
}
