/** Reads the body of an answer as it comes: in pieces, and by lines however these are cut. */
import { DocketError } from './errors.ts';
import type { Patience } from './patience.ts';

export async function* piecesOf(response: Response, patience: Patience): AsyncGenerator<Uint8Array> {
  // Not every browser can iterate a stream.
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await patience.for(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Also when nobody wants more. What broke off is already at its end.
    void reader.cancel().catch(() => {});
  }
}

/** A document's line is a few hundred kilobytes at most; what is longer is no answer of Docket's. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** Gives lines out of bytes, each with its newline. A line without one is not complete, and is not given. */
export class LineReader {
  #parts: Uint8Array[] = [];
  #length = 0;

  *read(piece: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
      yield this.#complete(piece.subarray(from, to + 1));
      from = to + 1;
    }
    if (from === piece.length) return;
    this.#parts.push(piece.subarray(from));
    this.#length += piece.length - from;
    if (this.#length > MAX_LINE_BYTES) throw new DocketError('unexpected_answer', 'A line of the answer has no end');
  }

  #complete(end: Uint8Array): Uint8Array {
    if (this.#parts.length === 0) return end;
    const line = new Uint8Array(this.#length + end.length);
    let at = 0;
    for (const part of [...this.#parts, end]) {
      line.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

const decoder = new TextDecoder();

export function parseLine(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line));
  } catch (cause) {
    throw new DocketError('unexpected_answer', 'A line of the answer is not JSON', { cause });
  }
}
