/** Cuts bytes into lines as they come: nothing is kept of a line that is too long, and each byte is looked at once. */

const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);
/** What is kept for a line that comes in pieces. One that outgrows it is long, and what is kept for it is given back after it. */
const FIRST_BYTES = 64 * 1024;

export interface Line {
  /** Counted from 1. */
  number: number;
  /** Good until the next line is asked for; null when it is too long. */
  bytes: Buffer | null;
}

export class LineSplitter {
  readonly #longest: number;
  #piece: Buffer = NOTHING;
  #at = 0;
  /** The beginning of a line whose end has not come. */
  #begun: Buffer = NOTHING;
  #size = 0;
  #isLong = false;
  #count = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** How many lines there were so far. */
  get count(): number {
    return this.#count;
  }

  /** How many bytes are kept for a line that was begun. */
  get held(): number {
    return this.#begun.length;
  }

  /** Up to the longest is kept for the line at hand. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** Lets the line at hand be long. */
  allowLong(): void {
    this.#isLong = true;
  }

  /** To be called when there is no further line in the piece before. */
  push(piece: Buffer): void {
    this.#piece = piece;
    this.#at = 0;
  }

  /** Null when its end has not come. `long` when it is to become so: that has to be allowed first, and nothing moves before. */
  next(): Line | 'long' | null {
    const end = this.#piece.indexOf(NEWLINE, this.#at);
    const rest = this.#piece.subarray(this.#at, end < 0 ? this.#piece.length : end);
    const isKept = end < 0 || this.#size > 0;
    if (isKept && this.#outgrows(this.#size + rest.length)) return 'long';
    if (end < 0) {
      this.#keep(rest);
      this.#piece = NOTHING;
      this.#at = 0;
      return null;
    }
    this.#at = end + 1;
    return this.#cut(rest);
  }

  /** What came after the last newline. */
  end(): Line | null {
    return this.#size > 0 ? this.#cut(NOTHING) : null;
  }

  #outgrows(size: number): boolean {
    return !this.#isLong && size > FIRST_BYTES && size <= this.#longest;
  }

  #cut(rest: Buffer): Line {
    const number = ++this.#count;
    const [begun, size] = [this.#size, this.#size + rest.length];
    if (begun > 0) this.#keep(rest);
    const bytes = size > this.#longest ? null : begun > 0 ? this.#begun.subarray(0, size) : rest;
    this.#size = 0;
    this.#isLong = false;
    if (this.#begun.length > FIRST_BYTES) this.#begun = NOTHING;
    return { number, bytes: number === 1 && bytes ? withoutMark(bytes) : bytes };
  }

  /** One buffer instead of a list: of a line in pieces of a byte each, a list takes two hundred times its size. */
  #keep(part: Buffer): void {
    const size = this.#size + part.length;
    if (size > this.#longest) {
      this.#begun = NOTHING;
      this.#isLong = false;
    } else if (part.length > 0) {
      if (size > this.#begun.length) {
        // Twice as much each time, and never more than the longest line has.
        const twice = Math.min(Math.max(2 * this.#begun.length, FIRST_BYTES), this.#longest);
        const larger = Buffer.allocUnsafe(Math.max(size, twice));
        this.#begun.copy(larger, 0, 0, this.#size);
        this.#begun = larger;
      }
      part.copy(this.#begun, this.#size);
    }
    this.#size = size;
  }
}

/** Programs of Windows begin a file with it, to say that it is UTF-8. */
const MARK = Buffer.from('\ufeff');

const withoutMark = (bytes: Buffer) =>
  bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
