/**
 * How tokens for pages look: `dt_<prefix>_<expires>_<scope>_<signature>`. Signed and read here; pure.
 *
 * Nothing of them is stored. They are signed with the hash of the key that made them, which every replica reads from the table of
 * keys and forgets with the key: a loop that makes ten thousand costs nothing, and none outlives its key. Whoever has the key could
 * sign one without asking; it has the key, and the keyring takes none that ends later than ours do. Whoever reads our database could,
 * too, and has all that a stream would tell.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashKey, keyPrefixOf } from './key-format.ts';

export interface StreamToken {
  /** Of the key that made it. */
  keyPrefix: string;
  /** Null for all scopes that the key may read. */
  scopeId: string | null;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

export interface SignedToken extends StreamToken {
  isSignedWith(keySha256: Buffer): boolean;
}

const SHAPE = /^dt_([0-9A-Za-z]{8})_(\d{1,11})_([a-z0-9-]{0,120})_([\w-]{43})$/;
/** So that no signature of a token is one of anything else that comes to be signed with the hash of a key. */
const PURPOSE = 'docket stream token 1\n';

/** By a key that was checked. The time is cut to whole seconds. */
export function signToken(key: string, scopeId: string | null, expiresAt: number): { token: string; expiresAt: Date } {
  const keyPrefix = keyPrefixOf(key);
  if (!keyPrefix) throw new Error('a token was to be signed with what is no key');
  const seconds = Math.floor(expiresAt / 1000);
  const body = bodyOf(keyPrefix, seconds, scopeId);
  return { token: `${body}_${sign(body, hashKey(key)).toString('base64url')}`, expiresAt: new Date(seconds * 1000) };
}

/** Null for what has not the shape of a token. Whether it is one, its signature tells. */
export function readToken(text: string): SignedToken | null {
  const [, prefix, seconds, scope, signature] = SHAPE.exec(text) ?? [];
  if (prefix === undefined || signature === undefined) return null;
  const [keyPrefix, scopeId] = [`dk_${prefix}`, scope || null];
  const given = Buffer.from(signature, 'base64url');
  return {
    keyPrefix,
    scopeId,
    expiresAt: Number(seconds) * 1000,
    isSignedWith: (sha256) => timingSafeEqual(given, sign(bodyOf(keyPrefix, Number(seconds), scopeId), sha256)),
  };
}

function bodyOf(keyPrefix: string, seconds: number, scopeId: string | null): string {
  return `dt_${keyPrefix.slice('dk_'.length)}_${seconds}_${scopeId ?? ''}`;
}

function sign(body: string, keySha256: Buffer): Buffer {
  return createHmac('sha256', keySha256)
    .update(PURPOSE + body)
    .digest();
}
