/**
 * A file with an archive in it and a seal at its end: gzip, which `tar xzf` reads, and after it another, empty member whose
 * comment has how large the archive is, and the SHA-256 of that and of every byte before. A file that is cut off or changed anywhere is known by that.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StartError } from '../../errors.ts';
import { explainFile } from './explain.ts';
import { createPart, discardPart, finishPart } from './part-file.ts';
import type { Progress } from './progress.ts';
import { readTar, type TarEntry } from './tar.ts';

/** The quickest: it works beside a service that needs the processor. */
const LEVEL = 1;
const READ_BYTES = 1024 * 1024;

const SEAL = /^docket sha256=([0-9a-f]{64}) bytes=(\d{16})$/;

export interface Written {
  /** Of the file. */
  size: number;
  /** Of the archive in it. */
  bytes: number;
  /** Of the whole file, as sha256sum tells it. */
  sha256: string;
}

/** Has its own name only when it is whole: until then it is NAME.part, which only its owner may read. */
export class SealedFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #gzip = createGzip({ level: LEVEL });
  readonly #hash = createHash('sha256');
  readonly #done: Promise<void>;
  #size = 0;
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
    this.#done = pipeline(this.#gzip, async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await this.#append(piece);
    });
    this.#done.catch(() => {});
  }

  static async create(path: string): Promise<SealedFile> {
    const file = await createPart(path);
    return new SealedFile(path, file);
  }

  /** Waits until there is room for more. */
  async write(piece: Buffer): Promise<void> {
    this.#bytes += piece.length;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#gzip.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      // Why it was ended, rather than that it was.
      await this.#done.catch((cause) => {
        throw explainFile(cause, this.path);
      });
      throw error;
    }
  }

  /** All of it is on the disk when this returns. */
  async finish(): Promise<Written> {
    try {
      this.#gzip.end();
      await this.#done;
      const bytes = this.#bytes;
      await this.#append(sealOf(sumWith(bytes, this.#hash.copy()), bytes));
      await finishPart(this.#file, this.path);
      return { size: this.#size, bytes, sha256: this.#hash.digest('hex') };
    } catch (error) {
      throw explainFile(error, this.path);
    }
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    this.#gzip.destroy();
    await this.#done.catch(() => {});
    await discardPart(this.#file, this.path);
  }

  async #append(piece: Buffer): Promise<void> {
    this.#hash.update(piece);
    this.#size += piece.length;
    await this.#file.appendFile(piece);
  }
}

const sumWith = (bytes: number, hash: Hash) => hash.update(`${bytes}`).digest('hex');

/** An empty member of gzip: its header with a comment, no content, and the sums of nothing. */
function sealOf(sha256: string, bytes: number): Buffer {
  const header = [0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff];
  const comment = Buffer.from(`docket sha256=${sha256} bytes=${`${bytes}`.padStart(16, '0')}\0`, 'latin1');
  return Buffer.concat([Buffer.from(header), comment, Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
}

const SEAL_BYTES = sealOf('0'.repeat(64), 0).length;

/** Reads all of a file and compares it with its seal. Returns how large the archive in it is. */
export async function verifySeal(path: string, progress: Progress, signal: AbortSignal): Promise<number> {
  const file = await open(path).catch((error) => {
    throw explainFile(error, path);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new StartError(`${path} is no file.`);
    const { size } = stats;
    const seal = Buffer.alloc(SEAL_BYTES);
    const end = Math.max(0, size - SEAL_BYTES);
    await file.read(seal, 0, SEAL_BYTES, end);
    const [, sha256 = '', bytes = ''] = SEAL.exec(seal.toString('latin1', 10, SEAL_BYTES - 11)) ?? [];
    if (size < SEAL_BYTES || !seal.equals(sealOf(sha256, Number(bytes))))
      throw new StartError(
        `${basename(path)} has no seal at its end: it is cut off or damaged, or was not made by npm run backup or npm run dump.`,
      );
    progress.begin('checked', end);
    const hash = createHash('sha256');
    const piece = Buffer.alloc(READ_BYTES);
    for (let at = 0; at < end; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(READ_BYTES, end - at), at);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
      at += bytesRead;
      progress.reached(at);
      signal.throwIfAborted();
    }
    if (sumWith(Number(bytes), hash) !== sha256)
      throw new StartError(
        `${basename(path)} is damaged: its checksum is not the one it was sealed with. Use another copy.`,
      );
    return Number(bytes);
  } finally {
    await file.close();
  }
}

/** The entries of the archive in a file; of all others the caller has been told by `verifySeal`. */
export async function* readEntries(path: string): AsyncGenerator<TarEntry> {
  const file = await open(path).catch((error) => {
    throw explainFile(error, path);
  });
  const source = file.createReadStream();
  const unzipped = createGunzip();
  const reading = pipeline(source, unzipped);
  reading.catch(() => {});
  try {
    yield* readTar(unzipped);
  } finally {
    unzipped.destroy();
    await reading.catch(() => {});
    await file.close().catch(() => {});
  }
}
