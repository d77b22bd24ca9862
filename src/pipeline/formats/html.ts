/** HTML: the text that a browser would show, by headings, paragraphs, items, fields and rows of tables. */
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { copyDecoded } from './entities.ts';
import { TableRows } from './html-table.ts';
import { TagScanner } from './tags.ts';

const words = (list: string) => new Set(list.split(' '));

/** Not shown, or not as text. */
const UNREAD = words('script style noscript template svg math iframe object canvas audio video select');
const BLOCKS = words(
  'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol option p pre section ' +
    'summary table tbody td tfoot th thead title tr ul br',
);

export function readHtml(out: PlainText): void {
  const text = out.original;
  const tags = new TagScanner(text);
  const page = new Page(out);
  let at = 0;
  for (let from = 0; from < text.length; ) {
    const bracket = text.indexOf('<', from);
    if (bracket < 0) break;
    const tag = tags.read(bracket);
    from = bracket + 1;
    if (!tag) continue;
    copyDecoded(out, at, bracket);
    if (UNREAD.has(tag.name) && !tag.closes) at = tags.findEndTag(tag.name, tag.end);
    else {
      if (tag.closes) page.close(tag.name);
      else page.open(tag.name, bracket, tag.end);
      at = tag.end;
    }
    from = at;
  }
  copyDecoded(out, at, text.length);
  page.finish();
}

/** What the tags do to the block that is being written. */
class Page {
  readonly #out: PlainText;
  readonly #rows: TableRows;
  /** The place of the last term of a description list. */
  #term: Span | null = null;
  #inTerm = false;

  constructor(out: PlainText) {
    this.#out = out;
    this.#rows = new TableRows(out);
  }

  open(name: string, start: number, end: number): void {
    const out = this.#out;
    if (name === 'sup') this.#raise(start, end);
    if (!BLOCKS.has(name) || this.#rows.open(name)) return;
    if (name === 'dd') {
      this.#describe();
      return;
    }
    this.#inTerm = name === 'dt';
    if (name === 'dl') this.#term = null;
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : name === 'title' ? 1 : name === 'caption' ? 6 : 0;
    if (level > 0) out.begin('heading', { level });
    else if (name === 'li') out.begin('item');
    else if (name === 'blockquote') out.begin('quote');
    // What an item or a description begins with is still that.
    else if (name === 'dt' || !out.isFresh) out.begin('prose');
  }

  close(name: string): void {
    if (!BLOCKS.has(name) || this.#rows.close(name)) return;
    // The description is still to come.
    if (name !== 'dt') this.#out.begin('prose');
  }

  finish(): void {
    this.#rows.finish();
  }

  #describe(): void {
    const out = this.#out;
    if (this.#inTerm && out.block.start >= 0) {
      this.#term = [out.block.start, out.length];
      out.block.kind = 'field';
    } else out.begin(this.#term ? 'field' : 'prose');
    this.#inTerm = false;
    if (this.#term) out.cell(this.#term, ': ');
  }

  /** Without a sign, 10 to the power of 6 would read as 106, and 1990 with a note 3 as 19903. */
  #raise(start: number, end: number): void {
    const { original } = this.#out;
    if (/\d/.test(original.charAt(start - 1)) && /[\d−-]/.test(original.charAt(end))) this.#out.put('^', start, end);
  }
}
