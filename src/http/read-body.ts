/** Reads a body into one buffer, within the limit of its route. */
import { errorCodes } from 'fastify';
import { AppError } from '../errors.ts';
import { discardOn, readOn } from './intake.ts';

/** What room is made for before anything has come: a client that announces megabytes may never send them. */
const FIRST_BYTES = 64 * 1024;
/** Node takes 5 µs for a piece, a chunk of one byte included: 8 MB of those would take it 40 s. */
const FEW_PIECES = 10_000;
const SMALL_PIECE = 64;
const NOTHING = Buffer.alloc(0);

export interface BodyOptions {
  /** In bytes. */
  limit: number;
  /** Not a number when nothing is announced: then every comparison with it fails. */
  announced: number;
  /**
   * Shown each piece as it comes. When it finds something wrong nothing more is kept, but the rest is let pass: whoever is cut
   * off while it sends may never see the answer.
   */
  look: (piece: Buffer) => Error | undefined;
}

export function readBody(
  stream: NodeJS.ReadableStream,
  { limit, announced, look }: BodyOptions,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  // One buffer instead of a list: of a body in pieces of a byte each, a list takes two hundred times its size.
  let bytes: Buffer = NOTHING;
  let length = 0;
  let pieces = 0;
  let refused: Error | undefined;

  function onData(piece: Buffer): void {
    length += piece.length;
    pieces++;
    if (length > limit) {
      stop();
      done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    } else if (pieces > FEW_PIECES + length / SMALL_PIECE) {
      stop();
      done(new AppError('bad_request', 'The body comes in very small pieces; send it in larger ones.'));
    } else {
      if (!refused) keep(piece);
      if (length === announced) return;
      if (refused) discardOn(stream);
      else readOn(stream);
    }
  }
  function keep(piece: Buffer): void {
    refused = look(piece);
    if (refused) bytes = NOTHING;
    // Nearly every body is one piece, and is parsed before anything else is read.
    else if (piece.length === announced) bytes = piece;
    else {
      bytes = withRoom(bytes, length - piece.length, length, announced || limit);
      piece.copy(bytes, length - piece.length);
    }
  }
  function onEnd(): void {
    stop();
    if (refused) done(refused);
    else if (announced < length || announced > length) done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else done(null, bytes.length === length ? bytes : bytes.subarray(0, length));
  }
  function onError(error: Error): void {
    stop();
    // Whoever goes away in the middle of a body has made a bad request.
    done(Object.assign(error, { statusCode: 400 }));
  }
  function stop(): void {
    stream.off('data', onData).off('end', onEnd).off('error', onError);
  }

  if (announced > limit) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  else stream.on('data', onData).on('end', onEnd).on('error', onError);
}

function withRoom(bytes: Buffer, length: number, needed: number, most: number): Buffer {
  if (needed <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(Math.max(2 * bytes.length, FIRST_BYTES), most)));
  bytes.copy(larger, 0, 0, length);
  return larger;
}
