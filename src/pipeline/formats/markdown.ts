/** Markdown: blocks by their lines. Code between fences is left out, for it states nothing. */
import { skipBlanks, trimBlanks } from '../blanks.ts';
import { findField } from '../fields.ts';
import type { BlockKind, PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { readFrontMatter } from './front-matter.ts';
import { afterItemMark, type Line, linesOf, ruleMark } from './lines.ts';
import { copyInline } from './markdown-inline.ts';
import { isTableAt, readTable } from './markdown-table.ts';

const FENCE = /`{3,100}|~{3,100}/y;
const HEADING = /(#{1,6})(?:[ \t]+|$)/my;
const TASK = /\[[ xX]\][ \t]+/y;
/** Says where the links lead that go by a name. Of a footnote only the mark is no text. */
const DEFINITION = /\[(\^?)[^\]\n]{1,200}\]:/y;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function readMarkdown(out: PlainText): void {
  const text = out.original;
  const lines = linesOf(text).map((line) => unquote(text, line));
  let kind: BlockKind = 'prose';
  let level = 0;
  let open: Span[] = [];

  function start(as: BlockKind, from: number, to: number): void {
    flush();
    kind = as;
    open = [[from, to]];
  }

  function flush(): void {
    if (open.length > 0 && !(kind === 'prose' && isPicture(text, open))) {
      out.begin(kind, kind === 'heading' ? { level } : {});
      copyInline(out, open);
    }
    open = [];
  }

  function read(line: Line, index: number): number {
    const { from, to } = line;
    const fence = match(FENCE, text, from)?.[0];
    // Three backticks may also open and close code within one line.
    if (fence && !text.slice(FENCE.lastIndex, to).includes('`')) {
      flush();
      return endOfFence(text, lines, index, fence);
    }
    const hashes = match(HEADING, text, from)?.[1];
    if (hashes) {
      start('heading', HEADING.lastIndex, trimHashes(text, HEADING.lastIndex, to));
      level = hashes.length;
      flush();
      return index;
    }
    const mark = ruleMark(text, line);
    if (mark) {
      // Under a line or two it makes them a heading; elsewhere it is a rule.
      if (kind === 'prose' && open.length <= 2 && (mark === '=' || mark === '-')) {
        kind = 'heading';
        level = mark === '=' ? 1 : 2;
      }
      flush();
      return index;
    }
    if (isTableAt(text, lines, index)) {
      flush();
      return readTable(out, lines, index);
    }
    const definition = match(DEFINITION, text, from);
    const item = afterItemMark(text, line);
    if (definition) {
      flush();
      if (definition[1]) start('prose', skipBlanks(text, DEFINITION.lastIndex, to), to);
    } else if (item >= 0) start('item', match(TASK, text, item) ? TASK.lastIndex : item, to);
    else if (open.length === 0 || findField(text, from, to)) start(isQuoted(text, line) ? 'quote' : 'prose', from, to);
    else open.push([from, to]);
    if (endsHard(text, to)) flush();
    return index;
  }

  for (let index = readFrontMatter(out, lines); index < lines.length; index++) {
    const line = lines[index] as Line;
    if (line.from === line.to) flush();
    else index = read(line, index);
  }
  flush();
}

/** A picture by itself, such as the logo above the title, states nothing. */
const PICTURE = /^!\[[^\]]*\]\([^\s)]*(?: "[^"]*")?\)$/;
const MAX_PICTURE = 500;

function isPicture(text: string, [line, ...more]: Span[]): boolean {
  if (!line || more.length > 0 || line[1] - line[0] > MAX_PICTURE) return false;
  return PICTURE.test(text.slice(...line));
}

function unquote(text: string, { from, to }: Line): Line {
  let start = from;
  while (start < to && text.charCodeAt(start) === 0x3e) start = skipBlanks(text, start + 1, to);
  return { from: start, to };
}

function isQuoted(text: string, { from }: Line): boolean {
  return text.charAt(trimBlanks(text, Math.max(0, from - 4), from) - 1) === '>';
}

/** Two blanks or a backslash at the end of a line. */
function endsHard(text: string, to: number): boolean {
  return text.startsWith('  ', to) || text.charAt(to - 1) === '\\';
}

function trimHashes(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) === 0x23) end--;
  return end === from || text.charCodeAt(end - 1) === 0x20 ? trimBlanks(text, from, end) : to;
}

/** The line that closes the fence; past the last one if none does. */
function endOfFence(text: string, lines: Line[], index: number, fence: string): number {
  for (let end = index + 1; end < lines.length; end++) {
    const { from, to } = lines[end] as Line;
    if (to - from >= fence.length && to - from < 200 && text.startsWith(fence, from)) {
      if (!text.slice(from, to).replaceAll(fence.charAt(0), '')) return end;
    }
  }
  return lines.length;
}
