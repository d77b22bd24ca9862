/** Reads JSON bodies, and refuses text that Postgres could not keep: invalid UTF-8, NUL, half a surrogate pair. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, preValidationAsyncHookHandler } from 'fastify';
import { AppError, invalid } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body has escapes, by which alone such text can come in: raw, JSON's own grammar and UTF-8 refuse it. */
    bodyHasEscapes: boolean;
  }
  interface FastifyContextConfig {
    /** The handler looks at each item of the body by itself. */
    checksItems?: boolean;
  }
}

export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyHasEscapes', false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new AppError('malformed_json', 'The body is not valid UTF-8.'));
    const text = body.toString();
    request.bodyHasEscapes = text.includes('\\u');
    try {
      // A key such as __proto__ becomes a property like any other, and is refused as one that no schema knows.
      done(null, JSON.parse(text));
    } catch {
      done(new AppError('malformed_json', 'The body is not valid JSON; check it with a JSON parser.'));
    }
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.bodyHasEscapes || request.routeOptions.config.checksItems) return done();
    const path = findUnstorable(request.body);
    done(path ? unstorable(path) : undefined);
  });
}

export function unstorable(path: string): AppError {
  return invalid(path, 'must not contain U+0000 or half of a surrogate pair');
}

/** With a list of its own instead of the call stack, which a deeply nested body would overflow. */
export function findUnstorable(body: unknown): string | null {
  const rest: [value: unknown, path: string][] = [[body, 'body']];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      if (!isStorable(name)) return path;
      rest.push([item, `${path}/${name}`]);
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** For routes all of whose fields are optional: no body means no wishes. */
export const bodyMayBeLeftOut: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};
