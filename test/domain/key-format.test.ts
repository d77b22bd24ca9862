import { describe, expect, it } from 'vitest';
import { hashKey, keyPrefixOf, maskKeys, mintKey } from '../../src/domain/key-format.ts';

describe('a key', () => {
  it.each([
    ['tenant', 'dk'],
    ['admin', 'da'],
    ['internals', 'di'],
  ] as const)('of the tier %s begins with %s', (tier, mark) => {
    const { key, keyPrefix, sha256 } = mintKey(tier);
    expect(key).toMatch(new RegExp(`^${mark}_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`));
    expect(key.startsWith(keyPrefix)).toBe(true);
    expect(keyPrefixOf(key)).toBe(keyPrefix);
    expect(sha256.equals(hashKey(key))).toBe(true);
  });

  it('is never made twice', () => {
    const keys = Array.from({ length: 1000 }, () => mintKey('tenant'));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1000);
    expect(new Set(keys.map(({ keyPrefix }) => keyPrefix)).size).toBe(1000);
  });

  it('with any one character changed, or cut, is refused by its checksum alone', () => {
    const { key } = mintKey('tenant');
    for (let i = 0; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1);
      expect(keyPrefixOf(changed), `at ${i}`).toBeNull();
    }
    for (const bad of ['', key.slice(1), key.slice(0, -1), `${key}x`, ` ${key}`, `${key}\n`])
      expect(keyPrefixOf(bad)).toBeNull();
  });
});

it('in a text of somebody else has its public beginning only, whole or cut', () => {
  const [one, two] = [mintKey('tenant'), mintKey('internals')];
  expect(maskKeys(`use ${one.key}, or x${two.key}.`)).toBe(`use ${one.keyPrefix}_…, or x${two.keyPrefix}_….`);
  expect(maskKeys(`${one.key.slice(0, 40)}…`)).toBe(`${one.keyPrefix}_……`);
  expect(maskKeys(`${one.keyPrefix} was rotated`)).toBe(`${one.keyPrefix} was rotated`);
});
