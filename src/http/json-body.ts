/** Reads JSON bodies: counted before they are parsed, in valid UTF-8, and without text that Postgres could not keep. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { AppError, invalid } from '../errors.ts';
import { parseItems } from './json-items.ts';
import { JsonScanner, MAX_NAME, type Measured } from './json-scanner.ts';
import { readBody } from './read-body.ts';
import { findUnstorable, unstorable } from './storable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many have been looked at so far. */
    bodyBytes: number;
    /** The body has escapes, by which alone such text can come in: raw, JSON's own grammar and UTF-8 refuse it. */
    bodyHasEscapes: boolean;
  }
  interface FastifyContextConfig {
    /** The handler looks at each item of the body by itself. One that is an error is its own answer. */
    checksItems?: boolean;
    /** How many values a body may have, where the usual number is not enough. */
    bodyValues?: number;
  }
}

/** No body has more than ten, lists apart; the rest is room for mistakes, each of which is named in the answer. */
const VALUES = 64;
/** Of a body that is looked at item by item; it has a hundred of them at most. */
const VALUES_OF_ITEMS = 100 * VALUES;
const NOTHING = Buffer.alloc(0);

export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyHasEscapes', false);
  app.removeAllContentTypeParsers();
  // With callbacks all the way: this is run for every document, and promises cost time.
  app.addContentTypeParser('application/json', (request: FastifyRequest, stream: IncomingMessage, done) => {
    const { config, bodyLimit } = request.routeOptions;
    const { checksItems = false, bodyValues = checksItems ? VALUES_OF_ITEMS : VALUES } = config;
    const scanner = new JsonScanner(checksItems);
    const look = (piece: Buffer) => {
      request.bodyBytes += piece.length;
      scanner.scan(piece);
      return refusal(scanner, bodyValues);
    };
    const announced = Number(request.headers['content-length']);
    readBody(stream, { limit: bodyLimit as number, announced, look }, (error, body = NOTHING) => {
      if (error) return done(error);
      if (body.length === 0) return done(null);
      if (!isUtf8(body)) return done(new AppError('malformed_json', 'The body is not valid UTF-8.'));
      if (!scanner.isWhole) return done(malformed());
      request.bodyHasEscapes = scanner.hasUnicodeEscapes;
      if (!checksItems) return parse(body, done);
      parseItems(body, scanner.items, (item) => refusal(item, VALUES)).then(
        (value) => done(null, value),
        () => done(malformed()),
      );
    });
  });
  // After the shape was checked: what no schema knows is never looked into.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.bodyHasEscapes || request.routeOptions.config.checksItems) return done();
    const path = findUnstorable(request.body);
    done(path ? unstorable(path) : undefined);
  });
}

/** One line of many, each of which is a body by itself. */
export function parseLine(bytes: Buffer): { value: unknown; hasEscapes: boolean } {
  const scanner = new JsonScanner(false);
  scanner.scan(bytes);
  const refused = refusal(scanner, VALUES);
  if (refused) throw refused;
  if (!isUtf8(bytes)) throw new AppError('malformed_json', 'The line is not valid UTF-8.');
  try {
    return { value: JSON.parse(bytes.toString()), hasEscapes: scanner.hasUnicodeEscapes };
  } catch {
    throw new AppError('malformed_json', 'The line is not valid JSON; check it with a JSON parser.');
  }
}

/** A key such as __proto__ becomes a property like any other, and is refused as one that no schema knows. */
function parse(body: Buffer, done: (error: Error | null, value?: unknown) => void): void {
  let [error, value]: [Error | null, unknown] = [null, undefined];
  try {
    value = JSON.parse(body.toString());
  } catch {
    error = malformed();
  }
  done(error, value);
}

function malformed(): AppError {
  return new AppError('malformed_json', 'The body is not valid JSON; check it with a JSON parser.');
}

/** Of what would take long to parse. */
function refusal({ values, hasLongName }: Measured, mostValues: number): AppError | undefined {
  if (values > mostValues)
    return invalid('body', `must not have more than ${mostValues} values; nothing that is taken here has as many`);
  if (hasLongName)
    return invalid('body', `must not have names of more than ${MAX_NAME} bytes; nothing that is taken here has such`);
  return undefined;
}

/** For routes all of whose fields are optional: no body means no wishes. */
export const bodyMayBeLeftOut: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};
