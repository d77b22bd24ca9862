/** Reads JSON bodies, and refuses text that Postgres could not keep: invalid UTF-8, NUL, half a surrogate pair. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, preValidationAsyncHookHandler } from 'fastify';
import { AppError, invalid } from '../errors.ts';

export function useJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new AppError('malformed_json', 'The body is not valid UTF-8.'));
    const text = body.toString();
    parseJson(request, text, (error, value) => {
      if (error) return done(error, undefined);
      // Only an escape can bring these in: raw, the checks above and JSON's own grammar have refused them.
      const path = text.includes('\\u') ? findUnstorable(value) : null;
      if (path) return done(invalid(path, 'must not contain U+0000 or half of a surrogate pair'));
      done(null, value);
    });
  });
}

/** With a list of its own instead of the call stack, which a deeply nested body would overflow. */
function findUnstorable(body: unknown): string | null {
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
  request.body ??= {};
};
