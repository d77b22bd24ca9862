/** The way in which lists of words are written down. */

/** Of words with blanks or line ends between them. */
export const wordSet = (words: string) => new Set(words.trim().split(/\s+/));
