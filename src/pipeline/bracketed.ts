/** Tells data in brackets, such as `{flash: None, info: '5 MP'}`, from text: it says nothing in words. */

const CLOSING = new Map([
  [0x5b, 0x5d],
  [0x7b, 0x7d],
]);

/** Whether the bracket that it begins with is closed by its last character. `[[Bern]]` is a link of a wiki; `[[1, 2], [3, 4]]` is data. */
export function isBracketed(text: string, from: number, to: number): boolean {
  const opening = text.charCodeAt(from);
  const closing = CLOSING.get(opening);
  if (closing === undefined || to - from < 2 || text.charCodeAt(to - 1) !== closing) return false;
  let isLink = opening === 0x5b && text.charCodeAt(from + 1) === opening;
  let depth = 0;
  for (let at = from; at < to - 1; at++) {
    const code = text.charCodeAt(at);
    if (code === opening) depth++;
    else if (code === closing && --depth === 0) return false;
    else if (code === closing && depth === 1 && at < to - 2) isLink = false;
  }
  return depth === 1 && !isLink;
}
