/** Reads a file as the text of a document, or says why it is none. */
import type { FileHandle } from 'node:fs/promises';
import { NO_FILE, openFound } from './open-found.ts';
import { type FoundFile, whyNot } from './walk.ts';

/** As the service counts them: a character may be two units of UTF-16. */
export const MAX_CHARACTERS = 100_000;
/** A character has at most four bytes: what is longer need not be read. */
const MAX_BYTES = 4 * MAX_CHARACTERS;

export type Text = { text: string } | { why: string } | { isEmpty: true };

export async function readText(found: FoundFile): Promise<Text> {
  if (found.bytes > MAX_BYTES) return tooLarge;
  try {
    const file = await openFound(found);
    if (!file) return { why: NO_FILE };
    const read = await readAll(file, found.bytes);
    return read === null ? { why: 'it grew while it was read' } : textOf(read);
  } catch (error) {
    return { why: whyNot(error) };
  }
}

/** No more than it had when it was found: null of one that has more by now. */
async function readAll(file: FileHandle, bytes: number): Promise<Buffer | null> {
  try {
    const buffer = Buffer.allocUnsafe(bytes + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    return null;
  } finally {
    await file.close();
  }
}

/** Whatever a mark of the byte order says, it stays: the text has the bytes of the file, and so has its hash. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function textOf(bytes: Uint8Array): Text {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { why: 'it is not UTF-8' };
  }
  return checked(text);
}

/** What the service would refuse, found out before it is sent. */
export function checked(text: string): Text {
  if (text.replace(/^\uFEFF/, '').trim() === '') return { isEmpty: true };
  if (text.includes('\0')) return { why: 'it has a zero byte in it, so it is no text' };
  if (text.length > MAX_CHARACTERS && charactersIn(text) > MAX_CHARACTERS) return tooLarge;
  return { text };
}

const tooLarge = {
  why: `it has more than ${MAX_CHARACTERS.toLocaleString('en')} characters, which no document may have`,
};

function charactersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    // The second half of a pair belongs to the first.
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
}
