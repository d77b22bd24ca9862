/** Tells lines that belong to the page and not to what it says: page numbers, copyright, navigation, references. */

const MARKS = [
  /^(?:page|p\.|pp\.)\s?\d/i,
  /^\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?$/,
  /^(?:©|\(c\)|copyright\b)/i,
  /\ball rights reserved\b/i,
  /^(?:last (?:updated|modified|edited|reviewed)|printed on|retrieved|accessed|archived from)\b/i,
  // 'Version 3.2 supports …' says something.
  /^(?:version|revision) \d[\w.]*(?![\w.])[ ,;:(|–-]*(?:$|\d|dated\b)/i,
  /^\^/,
  /\b(?:isbn|issn|doi)[ :]/i,
  /^(?:terms of use|privacy policy|cookie policy|sign in|log in|subscribe|share this|read more|click here)\b/i,
];
/** Such lines are short; a longer one says something besides. */
const MAX_LENGTH = 160;

export function isBoilerplate(sentence: string): boolean {
  return sentence.length <= MAX_LENGTH && MARKS.some((mark) => mark.test(sentence));
}
