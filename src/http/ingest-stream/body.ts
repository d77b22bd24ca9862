/** The body of a stream, unpacked if it is packed, piece by piece and no faster than the pieces are taken. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { discardOn, readOn } from '../intake.ts';
import { allowLongBody } from '../long-bodies.ts';
import { clientGone } from '../when-closed.ts';

/** So much lies ready at most, beside what Node reads in one go. */
const READY_BYTES = 64 * 1024;
/** What a piece takes beside its bytes: of pieces of a byte each, 64 KB would be 13 MB. */
const PIECE_BYTES = 200;
/** Node takes 5 µs for a piece, a chunk of one byte included. A line in a chunk of its own is worth that. */
const FEW_PIECES = 10_000;
const SMALL_PIECE = 64;
const PIECES_OF_A_LINE = 2;
/** How long a client may go on sending that was told to stop: whoever is cut off at once may never see why. */
const DISCARD_MS = 10_000;

export class StreamBody {
  readonly #raw: IncomingMessage;
  readonly #source: Readable;
  readonly #onMore: () => void;
  readonly #ready: Buffer[] = [];
  #readyBytes = 0;
  #isHeld = false;
  /** What comes is no HTTP any more, or half of a body was all. */
  #isBroken = false;
  #isUnwanted = false;
  #pieces = 0;
  #bytes = 0;
  /** When the last byte came, packed or not. */
  lastAt = performance.now();
  isEnded = false;
  error: AppError | null = null;

  constructor(raw: IncomingMessage, response: ServerResponse, isPacked: boolean, onMore: () => void) {
    this.#raw = raw;
    this.#onMore = onMore;
    this.#source = isPacked ? raw.pipe(createGunzip()) : raw;
    allowLongBody(raw, response, this.#break);
    raw.on('data', this.#count);
    raw.on('error', () => this.#fail(clientGone()));
    this.#source.on('data', this.#take);
    this.#source.on('end', this.#end);
    if (isPacked) this.#source.on('error', ({ message }) => this.#fail(notGzip(message)));
  }

  /** The next piece, if there is one. */
  next(): Buffer | null {
    const piece = this.#ready.shift() ?? null;
    if (piece) this.#readyBytes -= piece.length + PIECE_BYTES;
    if (this.#isHeld && this.#readyBytes < READY_BYTES / 2) {
      this.#isHeld = false;
      readOn(this.#source);
    }
    return piece;
  }

  /** It comes in pieces that cost more than what is in them. */
  isInCrumbs(lines: number): boolean {
    return this.#pieces > FEW_PIECES + this.#bytes / SMALL_PIECE + lines * PIECES_OF_A_LINE;
  }

  /** Nobody wants the rest. What does not end soon is cut off. */
  discard(): void {
    this.#source.off('data', this.#take);
    if (this.#source !== this.#raw) {
      this.#raw.unpipe();
      this.#source.destroy();
    }
    this.#isUnwanted = true;
    const { socket } = this.#raw;
    if (this.#isBroken) socket.destroySoon();
    if (this.#raw.complete || this.#isBroken || socket.destroyed) {
      this.#raw.resume();
      return;
    }
    this.#raw.on('data', () => discardOn(this.#raw));
    discardOn(this.#raw);
    const late = setTimeout(() => socket.resetAndDestroy(), DISCARD_MS).unref();
    this.#raw.once('close', () => clearTimeout(late));
  }

  readonly #count = (piece: Buffer) => {
    this.#pieces++;
    this.#bytes += piece.length;
    this.lastAt = performance.now();
  };

  readonly #take = (piece: Buffer) => {
    this.#ready.push(piece);
    this.#readyBytes += piece.length + PIECE_BYTES;
    if (!this.#isHeld && this.#readyBytes >= READY_BYTES) {
      this.#isHeld = true;
      this.#source.pause();
    }
    this.#onMore();
  };

  readonly #end = () => {
    this.isEnded = true;
    this.#onMore();
  };

  readonly #break = () => {
    this.#isBroken = true;
    if (this.#isUnwanted) this.#raw.socket.destroySoon();
    else this.#fail(broken());
  };

  #fail(error: AppError): void {
    this.error ??= error;
    this.#onMore();
  }
}

const broken = () => new AppError('bad_request', 'What follows is not valid HTTP.');
const notGzip = (why: string) => new AppError('bad_request', `The body is not valid gzip: ${why}.`);

export const inCrumbs = () =>
  new AppError('bad_request', 'The body comes in very small pieces; send it in larger ones.');
