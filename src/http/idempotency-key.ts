/** The idempotency key of a request: in its body, or in the header Idempotency-Key as many clients send it. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { invalid } from '../errors.ts';

const HEADER = 'idempotency-key';
const PATH = `headers/${HEADER}`;
/** As long as a key may be in a body. */
const LONGEST = 200;

/** Whoever sends both has to mean one key. */
export function idempotencyKeyOf({ headers }: FastifyRequest, inBody: string | undefined): string | null {
  const header = headers[HEADER];
  if (header === undefined) return inBody ?? null;
  const key = parse(String(header));
  if (inBody !== undefined && inBody !== key)
    throw invalid(PATH, 'is not the same as body/idempotency_key; send one of the two');
  return key;
}

/** Bare, or a string of RFC 9651: in quotes, with a backslash before quotes and backslashes. */
function parse(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  const key = quoted === undefined ? header : quoted.replaceAll(/\\(.)/g, '$1');
  if (quoted === undefined && header.startsWith('"')) throw invalid(PATH, 'is a quoted string that does not end well');
  if (!/^[ -~]+$/.test(key) || key.length > LONGEST)
    throw invalid(PATH, `must have 1 to ${LONGEST} characters of printable ASCII; others go into the body`);
  return key;
}

/** For a batch: what it would stand for is not one document. */
export const refuseIdempotencyKey: onRequestHookHandler = ({ headers }, _reply, done) => {
  if (headers[HEADER] === undefined) return done();
  done(invalid(PATH, 'is not taken with a batch; give each document an idempotency_key of its own'));
};
