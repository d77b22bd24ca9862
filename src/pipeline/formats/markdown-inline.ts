/** The text of a Markdown paragraph without its marks. No mark waits for the one that closes it, so one pass is enough. */
import { isBlank } from '../blanks.ts';
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { putReference } from './entities.ts';
import { findLinks } from './markdown-links.ts';

const isMark = new Uint8Array(0x80);
for (const mark of '\\`*_~[]!<&') isMark[mark.charCodeAt(0)] = 1;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(?:[a-zA-Z][a-zA-Z+.-]{1,30}:[^\s<>]{0,2000}|[^\s<>@]{1,100}@[^\s<>@]{1,100})>/y;
const TAG = /<(?:\/?[a-zA-Z][^<>]{0,1000}|!--[^<>]{0,1000}--)>/y;
/** What stands on two lines are two words. */
const BREAK = /<br\b/iy;
const FOOTNOTE = /\[\^[^[\]\s]{1,50}\]/y;

/** The pieces are the paragraph's lines. */
export function copyInline(out: PlainText, pieces: Span[]): void {
  const text = out.original;
  const links = findLinks(text, pieces);
  /** How many backticks opened the code we are in, where other marks are characters. */
  let code = 0;
  for (const [from, to] of pieces) {
    let copied = from;
    const drop = (at: number, end: number) => {
      out.copy(copied, at);
      copied = end;
    };
    for (let at = from; at < to; at++) {
      if (!isMark[text.charCodeAt(at)]) continue;
      const character = text.charAt(at);
      if (character === '`') {
        const end = endOfRun(text, at, to);
        if (code === 0 || code === end - at) {
          drop(at, end);
          if (code === 0) out.lead(at);
          code = code === 0 ? end - at : 0;
        }
        at = end - 1;
      } else if (code > 0) continue;
      else if (character === '\\') {
        if (PUNCTUATION.test(text.charAt(at + 1))) drop(at, at + 1);
        at++;
      } else if (character === '*' || character === '_' || character === '~') {
        const end = endOfRun(text, at, to);
        if (isEmphasis(text, at, end, from, to)) drop(at, end);
        at = end - 1;
      } else if (character === '!') {
        if (links.has(at + 1)) drop(at, at + 1);
      } else if (character === '&') {
        const after = putReference(out, at, to, copied);
        if (after > 0) {
          copied = after;
          at = after - 1;
        }
      } else {
        const after = links.get(at) ?? endOf(character === '[' ? FOOTNOTE : TAG, text, at);
        const link = character === '<' ? endOf(AUTOLINK, text, at) : -1;
        if (link > 0) {
          drop(at, at + 1);
          drop(link - 1, link);
          at = link - 1;
        } else if (after > 0 && after <= to) {
          drop(at, after);
          if (character === '[' && links.has(at)) out.lead(at);
          if (endOf(BREAK, text, at) > 0) out.blank();
          at = after - 1;
        }
      }
    }
    out.copy(copied, to);
    out.blank();
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function endOfRun(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at);
  let end = at + 1;
  while (end < to && text.charCodeAt(end) === code) end++;
  return end;
}

/** Not between blanks, as in '2 * 3', between digits, as in '2*3', or within a name, as in 'due_date'. */
function isEmphasis(text: string, at: number, end: number, from: number, to: number): boolean {
  const before = at > from ? text.charAt(at - 1) : ' ';
  const after = end < to ? text.charAt(end) : ' ';
  if (isBlank(before.charCodeAt(0)) && isBlank(after.charCodeAt(0))) return false;
  const character = text.charAt(at);
  if (character === '~') return end - at > 1;
  if (character === '_') return !(/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after));
  return !(/\d/.test(before) && /\d/.test(after));
}
