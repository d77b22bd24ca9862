/** How keys look: `dk_<prefix>_<secret><checksum>`. Made, recognised and hashed here; pure. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyTier } from '../storage/api-keys.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIER_MARKS: Record<KeyTier, string> = { tenant: 'dk', admin: 'da', internals: 'di' };
const SHAPE = /^((?:dk|da|di)_[0-9A-Za-z]{8})_[0-9A-Za-z]{49}$/;
/** Whatever begins as a key and goes on: one that was cut, or copied badly, is as good as most of it. */
const KEYS_WITHIN = /((?:dk|da|di)_[0-9A-Za-z]{8})_[0-9A-Za-z]+/g;
const CHECKSUM_LENGTH = 6;

export interface MintedKey {
  key: string;
  keyPrefix: string;
  sha256: Buffer;
}

export function mintKey(tier: KeyTier): MintedKey {
  const keyPrefix = `${TIER_MARKS[tier]}_${base62(randomBytes(6), 9).slice(-8)}`;
  const body = `${keyPrefix}_${base62(randomBytes(32), 43)}`;
  const key = body + checksum(body);
  return { key, keyPrefix, sha256: hashKey(key) };
}

/** The public beginning of a well-formed key; null for anything else, decided without asking the database. */
export function keyPrefixOf(key: string): string | null {
  const prefix = SHAPE.exec(key)?.[1];
  if (!prefix) return null;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === key.slice(-CHECKSUM_LENGTH) ? prefix : null;
}

/** A text of somebody else, in which what looks like a key has only its public beginning. */
export function maskKeys(text: string): string {
  return text.replaceAll(KEYS_WITHIN, '$1_…');
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(body: string): string {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return base62(crc, CHECKSUM_LENGTH);
}

/** Letters and digits only, so that a double click selects the whole of it. */
function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}
