/** Which characters are blank, and which are not there at all. */

/** Control characters count as blanks: none of them means anything in a text, and Postgres refuses U+0000. */
export function isBlank(code: number): boolean {
  if (code < 0x7f) return code <= 0x20;
  if (code <= 0xa0) return true;
  if (code < 0x1680) return false;
  return (
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x3000 ||
    code === 0x202f ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x205f ||
    code === 0xfeff ||
    code === 0x1680
  );
}

/** Soft hyphen, zero-width space, word joiner: they only tell a printer where a word may be broken. */
export function isInvisible(code: number): boolean {
  return code === 0xad || code === 0x200b || code === 0x2060;
}

export function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at++;
  return at;
}

export function trimBlanks(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}
