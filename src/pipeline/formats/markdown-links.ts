/** Finds the links of a Markdown paragraph, whose text stays and whose brackets and destination go. */
import { isBlank, skipBlanks } from '../blanks.ts';
import type { Span } from '../span-map.ts';

const MAX_DESTINATION = 2000;
const REFERENCE = /\[[^[\]]{0,200}\]/y;

/** For each bracket of a link, where the text goes on after what it begins. The pieces are the paragraph's lines. */
export function findLinks(text: string, pieces: Span[]): Map<number, number> {
  const brackets = new Map<number, number>();
  const open: number[] = [];
  // What was looked through in vain is not looked through again, which would take the square of its length.
  let failedUntil = 0;
  for (const [from, to] of pieces) {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x5c) at++;
      else if (code === 0x5b) open.push(at);
      else if (code === 0x5d) {
        const opened = open.pop();
        if (opened === undefined || at < failedUntil) continue;
        const end = endOfDestination(text, at + 1, to);
        if (end > 0) {
          brackets.set(opened, opened + 1);
          brackets.set(at, end);
          at = end - 1;
        } else failedUntil = -end;
      }
    }
  }
  return brackets;
}

/** Of '(address "title")' or '[reference]'; where it is neither, the place that shows it, negative. */
function endOfDestination(text: string, from: number, to: number): number {
  REFERENCE.lastIndex = from;
  if (REFERENCE.test(text) && REFERENCE.lastIndex <= to) return REFERENCE.lastIndex;
  if (text.charCodeAt(from) !== 0x28) return -from;
  let depth = 0;
  let inTitle = false;
  let at = from;
  for (const limit = Math.min(to, from + MAX_DESTINATION); at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) inTitle = !inTitle;
    else if (inTitle) continue;
    else if (code === 0x28) depth++;
    else if (code === 0x29 && --depth === 0) return at + 1;
    else if (isBlank(code)) {
      at = skipBlanks(text, at, to) - 1;
      if (!/["'()]/.test(text.charAt(at + 1))) break;
    }
  }
  return -at;
}
