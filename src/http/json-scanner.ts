/**
 * Counts the values of a JSON text while its bytes arrive, and measures its names, so that what has too many or too long ones is
 * never parsed: V8 takes twenty times as long for 8 MB of `{}` as for 8 MB of text, and compares each name of more than 16,383
 * characters with all that have its length, also with those of earlier texts. Whether the text is JSON at all, only the parser
 * says.
 */

const [SPACE, QUOTE, BACKSLASH, COMMA, COLON, LOWER_U] = [0x20, 0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** So many bytes of plain text are gone through one by one; a native search then costs less. */
const LONG_RUN = 32;

/** In bytes. No name that is known here has as many as a tenth of them. */
export const MAX_NAME = 1000;

export interface Measured {
  values: number;
  hasLongName: boolean;
}

export interface Item extends Measured {
  start: number;
  end: number;
}

export class JsonScanner implements Measured {
  readonly #splits: boolean;
  #at = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Where the last string began, and how long it was if nothing but blanks has come since: a colon makes it a name. */
  #stringAt = 0;
  #stringLength = 0;
  #topIsObject = false;
  #item: Item | null = null;
  values = 0;
  /** Apart from those in items. */
  hasLongName = false;
  /** A character is written as its number somewhere. */
  hasUnicodeEscapes = false;
  /** Where the elements of the arrays that are members of the outermost object stand, if the text is to be split. */
  readonly items: Item[] = [];

  constructor(splits: boolean) {
    this.#splits = splits;
  }

  scan(bytes: Buffer): void {
    const start = this.#at;
    // Fields are far slower to read than variables.
    let inString = this.#inString;
    let isEscaped = this.#isEscaped;
    let stringAt = this.#stringAt;
    let stringLength = this.#stringLength;
    let run = 0;
    const quote = new NextByte(bytes, QUOTE);
    const backslash = new NextByte(bytes, BACKSLASH);
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (inString) {
        if (isEscaped) {
          isEscaped = false;
          if (byte === LOWER_U) this.hasUnicodeEscapes = true;
        } else if (byte === QUOTE) {
          inString = false;
          stringLength = start + i - stringAt - 1;
        } else if (byte === BACKSLASH) isEscaped = true;
        else if (++run < LONG_RUN) continue;
        else i = Math.min(quote.from(i), backslash.from(i)) - 1;
        run = 0;
      } else if (byte === QUOTE) {
        inString = true;
        stringAt = start + i;
      } else if (byte > SPACE) {
        if (byte === COLON) this.#name(stringLength);
        else if (byte === COMMA) this.#next(start + i);
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte, start + i);
        else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close(start + i);
        stringLength = 0;
      }
    }
    this.#inString = inString;
    this.#isEscaped = isEscaped;
    this.#stringAt = stringAt;
    this.#stringLength = stringLength;
    this.#at = start + bytes.length;
  }

  /** What was opened was also closed. */
  get isWhole(): boolean {
    return this.#depth === 0 && !this.#inString;
  }

  #open(byte: number, at: number): void {
    this.#count();
    this.#depth++;
    if (this.#depth === 1) this.#topIsObject = byte === OPEN_OBJECT;
    if (this.#splits && this.#depth === 2 && this.#topIsObject && byte === OPEN_ARRAY) this.#begin(at + 1);
  }

  #close(at: number): void {
    if (this.#depth === 2) this.#end(at);
    this.#depth--;
  }

  #next(at: number): void {
    const isBetweenItems = this.#depth === 2 && this.#item;
    if (isBetweenItems) this.#end(at);
    this.#count();
    if (isBetweenItems) this.#begin(at + 1);
  }

  #name(length: number): void {
    // An item that is no object has no names: the parser will say that this is no JSON.
    const isInObject = this.#item === null || this.#depth > 2;
    if (length > MAX_NAME && isInObject) (this.#item ?? this).hasLongName = true;
  }

  #count(): void {
    this.values++;
    if (this.#item) this.#item.values++;
  }

  #begin(start: number): void {
    this.#item = { start, end: start, values: 0, hasLongName: false };
  }

  #end(at: number): void {
    if (!this.#item) return;
    this.#item.end = at;
    this.items.push(this.#item);
    this.#item = null;
  }
}

/** Where a byte stands next. It is looked for only once: what lies between two of them is not gone through for each run. */
class NextByte {
  readonly #bytes: Buffer;
  readonly #byte: number;
  #found = -1;

  constructor(bytes: Buffer, byte: number) {
    this.#bytes = bytes;
    this.#byte = byte;
  }

  from(at: number): number {
    if (this.#found < at) {
      const found = this.#bytes.indexOf(this.#byte, at);
      this.#found = found === -1 ? this.#bytes.length : found;
    }
    return this.#found;
  }
}
