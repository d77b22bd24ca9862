/**
 * Writes and reads the part of the tar format (ustar) that Postgres uses for its own backups: files and folders with
 * names of up to 99 bytes. Whatever else an archive may hold is told by its type, for the reader to refuse.
 */
import { StartError } from '../../errors.ts';

const BLOCK = 512;
const ZEROS = Buffer.alloc(2 * BLOCK);
/** Places in the header: [offset, length]. */
const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const CHECKSUM = [148, 8] as const;
const TYPE = 156;
const MAGIC = 257;
const PREFIX = [345, 155] as const;

export interface TarEntry {
  name: string;
  type: 'file' | 'folder' | 'other';
  size: number;
  /** To be read before the next entry is asked for; what is left unread is skipped. */
  content: AsyncIterable<Buffer>;
}

/** A whole file of an archive. */
export function tarFile(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, ...NAME);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, SIZE[0]);
  header.write(`${'0'.repeat(11)}\0`, 136);
  header.write('0', TYPE);
  header.write('ustar\x0000', MAGIC);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM[0]);
  return Buffer.concat([header, content, ZEROS.subarray(0, padding(content.length))]);
}

/** What an archive ends with. */
export const TAR_END = ZEROS;

/** Reads an archive to its end; one that is cut off or damaged is an error. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(source);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.equals(ZEROS.subarray(0, BLOCK))) break;
    if (octal(header, CHECKSUM) !== sumOf(header)) throw damaged();
    const size = octal(header, SIZE);
    const prefix = textOf(header, PREFIX);
    const content = bytes.upTo(size);
    bytes.owed = size;
    yield { name: (prefix && `${prefix}/`) + textOf(header, NAME), type: typeOf(header), size, content };
    await bytes.skip(bytes.owed + padding(size));
  }
  await bytes.skipAll();
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;
const damaged = () => new StartError('the archive in the file is damaged');

/** Bytes of the header, its own sum taken for blanks. */
function sumOf(header: Buffer): number {
  let sum = 8 * 32;
  for (const [at, byte] of header.entries()) if (at < CHECKSUM[0] || at >= CHECKSUM[0] + CHECKSUM[1]) sum += byte;
  return sum;
}

function textOf(header: Buffer, [at, length]: readonly [number, number]): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** Numbers that do not fit into octal digits are of files larger than Postgres makes: a gigabyte is its most. */
function octal(header: Buffer, place: readonly [number, number]): number {
  const text = textOf(header, place).trim();
  if (!/^[0-7]+$/.test(text)) throw damaged();
  return Number.parseInt(text, 8);
}

function typeOf(header: Buffer): TarEntry['type'] {
  const type = header[TYPE];
  return type === 0 || type === 0x30 ? 'file' : type === 0x35 ? 'folder' : 'other';
}

/** Takes as many bytes as one wants from pieces that come as they like. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  /** Of what was asked for last, so much was not taken. */
  owed = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async *upTo(wanted: number): AsyncGenerator<Buffer> {
    for (this.owed = wanted; this.owed > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#source.next();
        if (done) throw new StartError('the archive in the file is cut off');
        this.#rest = value;
        continue;
      }
      const piece = this.#rest.subarray(0, this.owed);
      this.#rest = this.#rest.subarray(piece.length);
      this.owed -= piece.length;
      yield piece;
    }
  }

  async exactly(wanted: number): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.upTo(wanted)));
  }

  async skip(unwanted: number): Promise<void> {
    for await (const _piece of this.upTo(unwanted));
  }

  /** What comes after the end says nothing; it is read for the sake of those who check sums over it. */
  async skipAll(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}
