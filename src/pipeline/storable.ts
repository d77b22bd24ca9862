/** Text that Postgres can keep: without U+0000, and without half of a surrogate pair, however it is cut. */

/** As long as before, so that places in it stay what they were. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** The first so many UTF-16 units, or one fewer where that would halve a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isWithinCharacter(text, most) ? most - 1 : most);
}

/** Between the two halves of a surrogate pair. */
export function isWithinCharacter(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
