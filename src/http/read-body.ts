/** Reads a body into one buffer, within the limit of its route. */
import { errorCodes, type FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { discardOn, readOn } from './intake.ts';

/** What room is made for before anything has come: a client that announces megabytes may never send them. */
const FIRST_BYTES = 64 * 1024;
/** Node takes 5 µs for a piece, a chunk of one byte included: 8 MB of those would take it 40 s. */
const FEW_PIECES = 10_000;
const SMALL_PIECE = 64;
const NOTHING = Buffer.alloc(0);

/**
 * Each piece is shown to `look` as it comes. When that finds something wrong nothing more is kept, but the rest is let pass:
 * whoever is cut off while it sends may never see the answer.
 */
export function readBody(
  request: FastifyRequest,
  stream: NodeJS.ReadableStream,
  look: (piece: Buffer) => Error | undefined,
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit as number;
  // Not a number when nothing is announced: then every comparison with it fails.
  const announced = Number(request.headers['content-length']);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // One buffer instead of a list: of a body in pieces of a byte each, a list takes two hundred times its size.
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(announced || FIRST_BYTES, FIRST_BYTES));
  let length = 0;
  let pieces = 0;
  let refused: Error | undefined;

  function onData(piece: Buffer): void {
    length += piece.length;
    pieces++;
    if (length > limit) {
      stop();
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    } else if (pieces > FEW_PIECES + length / SMALL_PIECE) {
      stop();
      reject(new AppError('bad_request', 'The body comes in very small pieces; send it in larger ones.'));
    } else {
      if (!refused) keep(piece);
      if (length === announced) return;
      if (refused) discardOn(stream);
      else readOn(stream);
    }
  }
  function keep(piece: Buffer): void {
    refused = look(piece);
    bytes = refused ? NOTHING : withRoom(bytes, length - piece.length, length, announced || limit);
    piece.copy(bytes, length - piece.length);
  }
  function onEnd(): void {
    stop();
    if (refused) reject(refused);
    else if (announced < length || announced > length) reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else resolve(bytes.subarray(0, length));
  }
  function onError(error: Error): void {
    stop();
    // Whoever goes away in the middle of a body has made a bad request.
    reject(Object.assign(error, { statusCode: 400 }));
  }
  function stop(): void {
    stream.off('data', onData).off('end', onEnd).off('error', onError);
  }

  if (announced > limit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  else stream.on('data', onData).on('end', onEnd).on('error', onError);
  return promise;
}

function withRoom(bytes: Buffer, length: number, needed: number, most: number): Buffer {
  if (needed <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * bytes.length, most)));
  bytes.copy(larger, 0, 0, length);
  return larger;
}
