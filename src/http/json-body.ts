/** Reads JSON bodies: counted before they are parsed, in valid UTF-8, and without text that Postgres could not keep. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { AppError, invalid } from '../errors.ts';
import { parseItems } from './json-items.ts';
import { JsonScanner } from './json-scanner.ts';
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

export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyHasEscapes', false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, stream: IncomingMessage) => {
    const { checksItems = false, bodyValues = checksItems ? VALUES_OF_ITEMS : VALUES } = request.routeOptions.config;
    const scanner = new JsonScanner(checksItems);
    const body = await readBody(request, stream, (piece) => {
      request.bodyBytes += piece.length;
      scanner.scan(piece);
      return scanner.values > bodyValues ? tooManyValues(bodyValues) : undefined;
    });
    if (body.length === 0) return undefined;
    if (!isUtf8(body)) throw new AppError('malformed_json', 'The body is not valid UTF-8.');
    request.bodyHasEscapes = body.includes('\\u');
    try {
      if (!scanner.isWhole) throw new SyntaxError('it ends too early, or too late');
      // A key such as __proto__ becomes a property like any other, and is refused as one that no schema knows.
      if (!checksItems) return JSON.parse(body.toString());
      return await parseItems(body, scanner.items, ({ values }) =>
        values > VALUES ? tooManyValues(VALUES) : undefined,
      );
    } catch {
      throw new AppError('malformed_json', 'The body is not valid JSON; check it with a JSON parser.');
    }
  });
  // After the shape was checked: what no schema knows is never looked into.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.bodyHasEscapes || request.routeOptions.config.checksItems) return done();
    const path = findUnstorable(request.body);
    done(path ? unstorable(path) : undefined);
  });
}

function tooManyValues(most: number): AppError {
  return invalid('body', `must not have more than ${most} values; nothing that is taken here has as many`);
}

/** For routes all of whose fields are optional: no body means no wishes. */
export const bodyMayBeLeftOut: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};
