/** Tells lines that belong to the page and not to what it says: page numbers, copyright, navigation, references. */

/** At the beginning, in one pattern: most sentences are ruled out by their first letter. */
const BEGINNING = new RegExp(
  [
    /page\s?\d|p\.\s?\d|pp\.\s?\d/,
    /\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?$/,
    /©|\(c\)|copyright\b/,
    /(?:last (?:updated|modified|edited|reviewed)|printed on|retrieved|accessed|archived from)\b/,
    // 'Version 3.2 supports …' says something.
    /(?:version|revision) \d[\w.]*(?![\w.])[ ,;:(|–-]*(?:$|\d|dated\b)/,
    /\^/,
    /(?:terms of use|privacy policy|cookie policy|sign in|log in|subscribe|share this|read more|click here)\b/,
  ]
    .map(({ source }) => `^(?:${source})`)
    .join('|'),
  'i',
);
const ANYWHERE = /\b(?:all rights reserved\b|(?:isbn|issn|doi)[ :])/i;
/** Such lines are short; a longer one says something besides. */
const MAX_LENGTH = 160;

export function isBoilerplate(sentence: string): boolean {
  return sentence.length <= MAX_LENGTH && (BEGINNING.test(sentence) || ANYWHERE.test(sentence));
}
