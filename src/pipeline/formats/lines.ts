/** Lines of a text, and the marks at their beginning. */
import { isBlank, skipBlanks, trimBlanks } from '../blanks.ts';

/** Without the blanks at either end. */
export interface Line {
  from: number;
  to: number;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x0a;
    if (code !== 0x0a && code !== 0x0d) continue;
    const from = skipBlanks(text, start, at);
    lines.push({ from, to: trimBlanks(text, from, at) });
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) at++;
    start = at + 1;
  }
  return lines;
}

/** A number of four digits is more likely a year that begins a line. */
const ITEM = /(?:[-*+•‣◦▪●–—]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t\u00a0]+/y;

/** Where an item's text begins; -1 if the line is none. */
export function afterItemMark(text: string, { from, to }: Line): number {
  ITEM.lastIndex = from;
  return ITEM.test(text) && ITEM.lastIndex < to ? ITEM.lastIndex : -1;
}

/** The character of which a line wholly consists, as an underline or a rule does; '' if it does not. */
export function ruleMark(text: string, { from, to }: Line): string {
  const mark = text.charCodeAt(from);
  if (!'-=_*~#+'.includes(text.charAt(from))) return '';
  let marks = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) marks++;
    else if (!isBlank(code)) return '';
  }
  return marks >= 3 ? text.charAt(from) : '';
}
