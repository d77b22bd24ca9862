/** Who acts is named by what is public of a key, whatever tier it has. */
import { expect, it } from 'vitest';
import { actorOf, COMMAND_LINE, nameOfActor, short } from '../../src/domain/actor.ts';

it.each([
  ['admin', 'da_1', 'on call', 'operator'],
  ['internals', 'di_1', null, 'operator'],
  ['tenant', 'dk_1', 'importer', 'tenant'],
] as const)('tells a key of the tier %s by its prefix and its label', (tier, keyPrefix, label, kind) => {
  const actor = actorOf({ tier, keyPrefix, label });
  expect(actor).toEqual({ kind, key_prefix: keyPrefix, label });
  expect(nameOfActor(actor)).toBe(keyPrefix);
});

it('tells a bootstrap key by its name, and who has no key by what it is', () => {
  const actor = actorOf({ tier: 'admin', keyPrefix: null, label: 'ADMIN_API_KEYS 2' });
  expect(actor).toEqual({ kind: 'bootstrap', key_prefix: null, label: 'ADMIN_API_KEYS 2' });
  expect([actor, COMMAND_LINE].map(nameOfActor)).toEqual(['ADMIN_API_KEYS 2', 'command line']);
});

it.each([
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(199)}…`],
  [`${'x'.repeat(198)}🙂🙂`, `${'x'.repeat(198)}…`],
  [`${'x'.repeat(197)}🙂🙂`, `${'x'.repeat(197)}🙂…`],
  ['🙂'.repeat(100), '🙂'.repeat(100)],
  ['', ''],
])('keeps a name whole, or the beginning of it in whole characters', (text, kept) => {
  expect(short(text)).toBe(kept);
});
