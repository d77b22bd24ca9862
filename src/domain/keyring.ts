/** Tells whose key was presented. Remembers answers for a moment, and notes uses without a write for each. */
import { timingSafeEqual } from 'node:crypto';
import { MAX_TTL_S } from '../contract/stream-tokens.ts';
import { isUnavailable } from '../errors.ts';
import { Periodic } from '../periodic.ts';
import {
  type KeyProof,
  listKeyProofsAcrossTenants,
  listOperatorKeyProofs,
  updateKeysLastUsed,
} from '../storage/api-keys.ts';
import type { Queryable } from '../storage/database.ts';
import { within } from '../within.ts';
import { type Access, toAccess } from './access.ts';
import { hashKey, keyPrefixOf } from './key-format.ts';
import { Remember } from './remember.ts';
import { type Standby, StandbyKeys } from './standby-keys.ts';
import { readToken } from './stream-token-format.ts';
import { accessOfToken } from './stream-tokens.ts';

/** A revoked key must stop working everywhere within 5 s: this, and the time of one query. */
const REMEMBER_MS = 3000;
const MAX_REMEMBERED = 10_000;
/** So many scopes of a key take the place of one key more: a hundred of them may have 12 KB. */
const SCOPES_IN_A_PLACE = 10;
const NOTE_USES_EVERY_MS = 30_000;
/** A key that was revoked by another process shortly before an outage may be on standby: no longer before it than this. */
const READ_STANDBY_EVERY_MS = 10_000;
/** Half of the time that health and metrics have for all they ask of Postgres. */
const OUTAGE_PATIENCE_MS = 1000;
/** The clock of the replica that made a token may be ahead of ours by a minute. */
const MAX_TOKEN_MS = (MAX_TTL_S + 60) * 1000;

export type Credential = {
  /** Null for a bootstrap key, which the database does not know. */
  keyPrefix: string | null;
  /** What it was called when it was issued; a bootstrap key is called by its setting and its place there. */
  label: string | null;
} & (
  | { tier: 'tenant'; tenantId: string; access: Access }
  /** `readOnly`: it may look at everything of its tier and change nothing. */
  | { tier: 'admin' | 'internals'; tenantId: null; readOnly: boolean }
);

export interface KeyringOptions {
  db: Queryable;
  adminKeys: string[];
  internalsKeys: string[];
  onError: (error: unknown) => void;
}

interface Known extends Standby {
  credential: Credential;
}

export class Keyring {
  readonly #db: Queryable;
  readonly #bootstrap: { credential: Credential; sha256: Buffer }[];
  readonly #known: Remember<Known>;
  readonly #standby: StandbyKeys<Known>;
  readonly #uses = new Map<string, number>();
  readonly #noting: Periodic;
  readonly #reading: Periodic;

  constructor(options: KeyringOptions) {
    this.#db = options.db;
    this.#known = new Remember(
      async (prefixes) => {
        const asked = performance.now();
        const found = byPrefix(await listKeyProofsAcrossTenants(options.db, prefixes));
        const operators = [...found].filter(([, { credential }]) => credential.tier !== 'tenant');
        this.#standby.note(prefixes, new Map(operators), asked);
        return found;
      },
      REMEMBER_MS,
      MAX_REMEMBERED,
      ({ credential }) =>
        credential.tier === 'tenant' ? 1 + Math.ceil((credential.access.scopeIds?.size ?? 0) / SCOPES_IN_A_PLACE) : 1,
    );
    this.#bootstrap = [...toBootstrap('admin', options.adminKeys), ...toBootstrap('internals', options.internalsKeys)];
    const { onError } = options;
    this.#noting = new Periodic({ task: () => this.noteUses(), pauseMs: NOTE_USES_EVERY_MS, onError });
    this.#noting.start();
    this.#standby = new StandbyKeys(async (most) => byPrefix(await listOperatorKeyProofs(options.db, most)));
    // That Postgres is away is nothing new to anybody, and what it is for.
    this.#reading = new Periodic({
      task: () => this.readStandby(),
      pauseMs: READ_STANDBY_EVERY_MS,
      onError: () => {},
    });
    this.#reading.start();
  }

  /** Now, instead of in a few seconds. */
  readStandby(): Promise<void> {
    return this.#standby.read();
  }

  /** Null for a key that is malformed, unknown, revoked or expired: the caller cannot tell which. */
  async identify(key: string): Promise<Credential | null> {
    const sha256 = hashKey(key);
    const bootstrap = this.#bootstrap.find((candidate) => timingSafeEqual(candidate.sha256, sha256));
    if (bootstrap) return bootstrap.credential;

    const keyPrefix = keyPrefixOf(key);
    if (!keyPrefix) return null;
    const known = await this.#known.find(keyPrefix);
    if (!known || !timingSafeEqual(known.sha256, sha256)) return null;
    this.#uses.set(keyPrefix, performance.now());
    return known.credential;
  }

  /** The same for health and metrics alone: while Postgres does not answer, an operator's key is good that was when it last did. */
  async identifyThroughOutage(key: string): Promise<Credential | null> {
    const keyPrefix = keyPrefixOf(key);
    const standby = keyPrefix && this.#standby.find(keyPrefix, hashKey(key));
    // Who is unknown waits as everywhere else: answered sooner, guesses would pile up in the question that waits for Postgres.
    if (!standby) return this.identify(key);
    return within(OUTAGE_PATIENCE_MS, this.identify(key), standby.credential).catch((error) => {
      if (isUnavailable(error)) return standby.credential;
      throw error;
    });
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

  /**
   * Forgets a key at once on this node; the others follow when what they remember is too old. Without one, those of a tenant that is
   * gone are meant: the keys of operators stay on standby.
   */
  forget(keyPrefix?: string): void {
    this.#known.forget(keyPrefix);
    if (keyPrefix !== undefined) this.#standby.forget(keyPrefix);
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
    await this.#reading.stop();
    await this.#noting.stop();
    await this.noteUses();
  }
}

const byPrefix = (proofs: KeyProof[]) => new Map(proofs.map((proof) => [proof.key_prefix, toKnown(proof)]));

/** Made once, and not for each request. */
function toKnown(proof: KeyProof): Known {
  const { key_prefix: keyPrefix, label, sha256, tier, tenant_id: tenantId, read_only: readOnly, expires_in_s } = proof;
  const until = expires_in_s === null ? Number.POSITIVE_INFINITY : performance.now() + 1000 * expires_in_s;
  if (tier !== 'tenant') return { sha256, until, credential: { keyPrefix, label, tier, tenantId: null, readOnly } };
  const access = toAccess(proof);
  return { sha256, until, credential: { keyPrefix, label, tier, tenantId: tenantId as string, access } };
}

/** Counted from 1, as people count what they have put into a list. */
function toBootstrap(tier: 'admin' | 'internals', keys: string[]) {
  return keys.map((key, n): { sha256: Buffer; credential: Credential } => {
    const label = `${tier.toUpperCase()}_API_KEYS ${n + 1}`;
    return { sha256: hashKey(key), credential: { keyPrefix: null, label, tier, tenantId: null, readOnly: false } };
  });
}
