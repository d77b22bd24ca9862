/** The way in which lists of words are written down. */

/** The words are parted by blanks or line ends. */
export const wordSet = (words: string) => new Set(words.trim().split(/\s+/));
