/** Tokens as they look: what was signed is read back, and what was changed in any place is not signed. */
import { describe, expect, it } from 'vitest';
import { hashKey, mintKey } from '../../src/domain/key-format.ts';
import { readToken, signToken } from '../../src/domain/stream-token-format.ts';

const { key, keyPrefix } = mintKey('tenant');
const AT = Date.parse('2026-11-15T09:45:00.900Z');

describe.each(['contracts-2026', 'a', `a${'-'.repeat(119)}`, null])('a token for %s', (scopeId) => {
  const { token, expiresAt } = signToken(key, scopeId, AT);

  it('says for what and until when it is good, and is signed with the hash of its key alone', () => {
    expect(expiresAt).toEqual(new Date('2026-11-15T09:45:00.000Z'));
    const read = readToken(token);
    expect(read).toMatchObject({ keyPrefix, scopeId, expiresAt: expiresAt.getTime() });
    expect(read?.isSignedWith(hashKey(key))).toBe(true);
    expect(read?.isSignedWith(hashKey(mintKey('tenant').key))).toBe(false);
  });

  it('stands in an address as it is, and has nothing of the key but its beginning', () => {
    expect(encodeURIComponent(token)).toBe(token);
    expect(token).not.toContain(key.slice(keyPrefix.length + 1, keyPrefix.length + 9));
  });

  it('is not signed any more when any character of it is another', () => {
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === '0' ? '1' : '0') + token.slice(at + 1);
      // The last character has bits that no byte has room for.
      const isSame = at === token.length - 1 && readToken(changed)?.isSignedWith(hashKey(key));
      if (isSame) continue;
      expect([changed, readToken(changed)?.isSignedWith(hashKey(key)) ?? false]).toEqual([changed, false]);
    }
  });
});

it.each([
  '',
  'dt_',
  key,
  'dt_12345678_1_s_short',
  `dt_12345678_99999999999999999999_s_${'A'.repeat(43)}`,
  `dt_12345678_1_${'a'.repeat(121)}_${'A'.repeat(43)}`,
  `dt_12345678_1_S_${'A'.repeat(43)}`,
  `dt_12345678_-1_s_${'A'.repeat(43)}`,
  `dk_12345678_1_s_${'A'.repeat(43)}`,
  ` dt_12345678_1_s_${'A'.repeat(43)}`,
  `dt_12345678_1_s_${'A'.repeat(43)}\n`,
  'd'.repeat(100_000),
])('%.40s is none', (text) => expect(readToken(text)).toBeNull());

it('needs a key', () => expect(() => signToken('nonsense', null, AT)).toThrow('no key'));
