/** What is made of words that come again and again, kept for all documents that are read, in threads and where claims are shown. */

/** So many words, each once, are in a few long texts; then it starts anew. */
const MAX_WORDS = 50_000;
/** In characters. Longer ones hardly come again, and a tenant could fill the memory of a thread with them. */
const MAX_LENGTH = 60;

export class WordCache<Made> {
  readonly #made = new Map<string, Made>();
  readonly #make: (word: string) => Made;
  readonly #maxWords: number;
  readonly #maxLength: number;

  constructor(make: (word: string) => Made, { maxWords = MAX_WORDS, maxLength = MAX_LENGTH } = {}) {
    this.#make = make;
    this.#maxWords = maxWords;
    this.#maxLength = maxLength;
  }

  /** What is kept of it. */
  find(word: string): Made | undefined {
    return this.#made.get(word);
  }

  /** What is kept of it, or else is made. */
  get(word: string): Made {
    const known = this.#made.get(word);
    if (known !== undefined) return known;
    if (word.length > this.#maxLength) return this.#make(word);
    if (this.#made.size >= this.#maxWords) this.#made.clear();
    const own = copied(word);
    const made = this.#make(own);
    this.#made.set(own, made);
    return made;
  }
}

/** To V8 a word of a text is a place in that text, which would stay in memory for as long as the word. */
const copied = (word: string) => ` ${word}`.slice(1);
