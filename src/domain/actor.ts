/** Who acts, by the key that was presented: what is told of it, and the one word that is stored and stands in events. */
import type { Actor } from '../contract/actor.ts';

export type { Actor } from '../contract/actor.ts';

/** Who has no key: on the machine of the service, and the service itself at its first start. */
export const COMMAND_LINE: Actor = { kind: 'command line', key_prefix: null, label: null };
export const SERVICE: Actor = { kind: 'service', key_prefix: null, label: null };

/** Of a key as the keyring knows it. */
interface Key {
  tier: string;
  /** Null for a bootstrap key. */
  keyPrefix: string | null;
  label: string | null;
}

export function actorOf({ tier, keyPrefix, label }: Key): Actor {
  if (keyPrefix === null) return { kind: 'bootstrap', key_prefix: null, label };
  return { kind: tier === 'tenant' ? 'tenant' : 'operator', key_prefix: keyPrefix, label: label && short(label) };
}

/** A bootstrap key has a name and no prefix. */
export function nameOfActor({ kind, key_prefix, label }: Actor): string {
  return key_prefix ?? label ?? kind;
}

const SHORT = 200;

/** What people have named is told no longer than this, and no character is cut in two. */
export function short(text: string): string {
  if (text.length <= SHORT) return text;
  const cut = text.slice(0, SHORT - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
