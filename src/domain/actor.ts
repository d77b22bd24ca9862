/** Who acts, by the key that was presented: what is told of it, and the one word that is stored and stands in events. */
import type { Actor } from '../contract/actor.ts';
import type { Credential } from './keyring.ts';

export type { Actor } from '../contract/actor.ts';

export function actorOf({ tier, keyPrefix, label }: Pick<Credential, 'tier' | 'keyPrefix' | 'label'>): Actor {
  if (keyPrefix === null) return { kind: 'bootstrap', key_prefix: null, label };
  return { kind: tier === 'tenant' ? 'tenant' : 'operator', key_prefix: keyPrefix, label };
}

/** A bootstrap key has a name and no prefix. */
export function nameOfActor({ key_prefix, label }: Actor): string {
  return key_prefix ?? label ?? 'a bootstrap key';
}
