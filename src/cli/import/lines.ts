/** The lines of a file of any size, as bytes, with no more of it in memory than the longest line that may be. */
import type { FileHandle } from 'node:fs/promises';

/** As much as the service takes for one document: 100,000 characters may be 1.2 MB of escapes. */
export const MAX_LINE_BYTES = 2 * 1024 * 1024;

export interface RawLine {
  /** Counted from 1, those that are blank, too. */
  line: number;
  /** Without its end; null of one that is too long. */
  bytes: Buffer | null;
  /** With its end. */
  length: number;
}

const LF = 0x0a;

/** Closes the file, also when nobody wants more of it. */
export async function* readLines(file: FileHandle, most = MAX_LINE_BYTES): AsyncGenerator<RawLine> {
  let line = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (end: number): RawLine => {
    const bytes = length > most ? null : Buffer.concat(pieces);
    const taken = { line: ++line, bytes, length: length + end };
    pieces = [];
    length = 0;
    return taken;
  };
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= most) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, at));
      yield take(1);
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take(0);
}
