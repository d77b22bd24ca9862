/** Finds where the tags, comments and unread elements of HTML end, in malformed pages too. */

export interface Tag {
  /** In lower case; '' for a comment or a declaration. */
  name: string;
  closes: boolean;
  end: number;
}

const NAME = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})/y;

/**
 * One for each text, for it remembers what it looked for in vain: to look again from each of a hundred thousand
 * brackets would take the square of their number.
 */
export class TagScanner {
  readonly #text: string;
  #trustsQuotes = true;
  #hasEnds = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** At an opening bracket. Null if it is only a character. */
  read(at: number): Tag | null {
    const text = this.#text;
    const next = text.charAt(at + 1);
    if (next === '!' || next === '?') {
      const isComment = text.startsWith('<!--', at);
      // Browsers, too, take a comment without end for the rest of the page.
      const end = isComment ? text.indexOf('-->', at + 4) : this.#endIgnoringQuotes(at);
      if (end < 0) return isComment ? { name: '', closes: false, end: text.length } : null;
      return { name: '', closes: false, end: end + (isComment ? 3 : 1) };
    }
    NAME.lastIndex = at;
    const match = NAME.exec(text);
    if (!match) return null;
    const end = this.#endOfTag(NAME.lastIndex);
    if (end < 0) return null;
    return { name: (match[2] as string).toLowerCase(), closes: match[1] === '/', end: end + 1 };
  }

  /** Where the end tag of an element begins whose contents are not read. */
  findEndTag(name: string, from: number): number {
    const text = this.#text;
    for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
      if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
    }
    return text.length;
  }

  /** A bracket within the quotes of an attribute does not end the tag, unless the quotes themselves never end. */
  #endOfTag(from: number): number {
    const text = this.#text;
    if (!this.#hasEnds) return -1;
    if (!this.#trustsQuotes) return this.#endIgnoringQuotes(from);
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x3e) return at;
      if (code !== 0x22 && code !== 0x27) continue;
      at = text.indexOf(text.charAt(at), at + 1);
      if (at < 0) break;
    }
    this.#trustsQuotes = false;
    return this.#endIgnoringQuotes(from);
  }

  #endIgnoringQuotes(from: number): number {
    if (!this.#hasEnds) return -1;
    const end = this.#text.indexOf('>', from);
    this.#hasEnds = end >= 0;
    return end;
  }
}
