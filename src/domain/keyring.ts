/** Tells whose key was presented. Remembers answers for a moment, and notes uses without a write for each. */
import { timingSafeEqual } from 'node:crypto';
import { MAX_TTL_S } from '../contract/stream-tokens.ts';
import { Periodic } from '../periodic.ts';
import { type KeyProof, listKeyProofsAcrossTenants, updateKeysLastUsed } from '../storage/api-keys.ts';
import type { Queryable } from '../storage/database.ts';
import { type Access, toAccess } from './access.ts';
import { hashKey, keyPrefixOf } from './key-format.ts';
import { Remember } from './remember.ts';
import { readToken } from './stream-token-format.ts';
import { accessOfToken } from './stream-tokens.ts';

/** A revoked key must stop working everywhere within 5 s: this, and the time of one query. */
const REMEMBER_MS = 3000;
const MAX_REMEMBERED = 10_000;
/** So many scopes of a key take the place of one key more: a hundred of them may have 12 KB. */
const SCOPES_IN_A_PLACE = 10;
const NOTE_USES_EVERY_MS = 30_000;
/** The clock of the replica that made a token may be ahead of ours by a minute. */
const MAX_TOKEN_MS = (MAX_TTL_S + 60) * 1000;

export type Credential = {
  /** Null for a bootstrap key, which the database does not know. */
  keyPrefix: string | null;
} & ({ tier: 'tenant'; tenantId: string; access: Access } | { tier: 'admin' | 'internals'; tenantId: null });

export interface KeyringOptions {
  db: Queryable;
  adminKeys: string[];
  internalsKeys: string[];
  onError: (error: unknown) => void;
}

export class Keyring {
  readonly #db: Queryable;
  readonly #bootstrap: { tier: 'admin' | 'internals'; sha256: Buffer }[];
  readonly #known: Remember<{ sha256: Buffer; credential: Credential }>;
  readonly #uses = new Map<string, number>();
  readonly #noting: Periodic;

  constructor(options: KeyringOptions) {
    this.#db = options.db;
    this.#known = new Remember(
      async (prefixes) => {
        const proofs = await listKeyProofsAcrossTenants(options.db, prefixes);
        return new Map(proofs.map((proof) => [proof.key_prefix, toKnown(proof)]));
      },
      REMEMBER_MS,
      MAX_REMEMBERED,
      ({ credential }) =>
        credential.tier === 'tenant' ? 1 + Math.ceil((credential.access.scopeIds?.size ?? 0) / SCOPES_IN_A_PLACE) : 1,
    );
    const hashed = (tier: 'admin' | 'internals') => (key: string) => ({ tier, sha256: hashKey(key) });
    this.#bootstrap = [...options.adminKeys.map(hashed('admin')), ...options.internalsKeys.map(hashed('internals'))];
    const { onError } = options;
    this.#noting = new Periodic({ task: () => this.noteUses(), pauseMs: NOTE_USES_EVERY_MS, onError });
    this.#noting.start();
  }

  /** Null for a key that is malformed, unknown, revoked or expired: the caller cannot tell which. */
  async identify(key: string): Promise<Credential | null> {
    const sha256 = hashKey(key);
    const bootstrap = this.#bootstrap.find((candidate) => timingSafeEqual(candidate.sha256, sha256));
    if (bootstrap) return { keyPrefix: null, tier: bootstrap.tier, tenantId: null };

    const keyPrefix = keyPrefixOf(key);
    if (!keyPrefix) return null;
    const known = await this.#known.find(keyPrefix);
    if (!known || !timingSafeEqual(known.sha256, sha256)) return null;
    this.#uses.set(keyPrefix, performance.now());
    return known.credential;
  }

  /** The same of a token; it is null as well when its key is. */
  async identifyToken(text: string): Promise<{ tenantId: string; access: Access; expiresAt: number } | null> {
    const token = readToken(text);
    const now = Date.now();
    // Whoever has the key could sign one for a century.
    if (!token || token.expiresAt <= now || token.expiresAt > now + MAX_TOKEN_MS) return null;
    const known = await this.#known.find(token.keyPrefix);
    if (known?.credential.tier !== 'tenant' || !token.isSignedWith(known.sha256)) return null;
    this.#uses.set(token.keyPrefix, performance.now());
    const { tenantId, access } = known.credential;
    return { tenantId, access: accessOfToken(access, token.scopeId), expiresAt: token.expiresAt };
  }

  /** Whether a key that was presented before is still good. It is in use as long as somebody asks. */
  async isLive(keyPrefix: string): Promise<boolean> {
    const isKnown = (await this.#known.find(keyPrefix)) !== null;
    if (isKnown) this.#uses.set(keyPrefix, performance.now());
    return isKnown;
  }

  /** Forgets a key at once on this node; the others follow when what they remember is too old. */
  forget(keyPrefix?: string): void {
    this.#known.forget(keyPrefix);
  }

  get counts(): { hits: number; misses: number } {
    return this.#known.counts;
  }

  async noteUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const now = performance.now();
    const secondsAgo = new Map([...this.#uses].map(([keyPrefix, at]) => [keyPrefix, (now - at) / 1000]));
    this.#uses.clear();
    await updateKeysLastUsed(this.#db, secondsAgo);
  }

  async close(): Promise<void> {
    await this.#noting.stop();
    await this.noteUses();
  }
}

/** Made once, and not for each request. */
function toKnown(proof: KeyProof): { sha256: Buffer; credential: Credential } {
  const { key_prefix: keyPrefix, sha256, tier, tenant_id: tenantId } = proof;
  if (tier !== 'tenant') return { sha256, credential: { keyPrefix, tier, tenantId: null } };
  return { sha256, credential: { keyPrefix, tier, tenantId: tenantId as string, access: toAccess(proof) } };
}
