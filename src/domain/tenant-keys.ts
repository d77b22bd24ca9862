/** The keys of one tenant, as operators manage them. */
import { permissions } from '../contract/keys.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import * as storage from '../storage/api-keys.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { insertNewKey, issuedKey, issueKey, type KeyWishes, keyEvent, revokeKey } from './keys.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { getTenant } from './tenants.ts';

type TenantKeyWishes = Omit<KeyWishes, 'tenantId' | 'readOnly'>;

export async function issueTenantKey(db: Database, tenantId: string, wishes: TenantKeyWishes, deed: Deed) {
  const expires = wishes.expiresAt ? new Date(wishes.expiresAt) : null;
  if (expires && !(expires.getTime() > Date.now())) throw invalid('body/expires_at', 'must be in the future');
  // Dates have years of four digits, in any time zone.
  if (expires && expires.getUTCFullYear() > 9999) throw invalid('body/expires_at', 'must be before the year 10000');
  await getTenant(db, tenantId);
  const wanted = { ...wishes, ...(expires && { expiresAt: expires.toISOString() }), tenantId };
  const { key, record } = await issueKey(db, 'tenant', wanted, deed);
  return { key, record: toShown(record) };
}

/** By name, whatever it is stored as. */
const toShown = (record: storage.KeyRow) => ({ ...record, permissions: record.permissions ?? [...permissions] });

export async function listTenantKeys(db: Queryable, tenantId: string, { cursor, limit }: Page) {
  await getTenant(db, tenantId);
  const after = decodeCursor('keys', cursor, /^\d{1,18}$/, '0');
  const rows = await storage.listTenantKeys(db, tenantId, after, limit + 1);
  return toPage('keys', rows.map(toShown), limit, (key) => key.ordinal);
}

/** A key that may do the same, in the place of one that works for a while longer. */
export function rotateTenantKey(db: Database, tenantId: string, keyPrefix: string, graceSeconds: number, deed: Deed) {
  return db.transaction(async (tx) => {
    const old = await storage.findKeyForUpdate(tx, tenantId, keyPrefix);
    if (!old) throw missing(tenantId, keyPrefix);
    if (old.is_over) throw new AppError('conflict', `Key ${keyPrefix} is revoked or has expired; issue a new one.`);
    // It has an end by now, which is not for the new key to have.
    if (old.replaced_by)
      throw new AppError('conflict', `Key ${keyPrefix} was replaced by ${old.replaced_by} already; rotate that one.`);
    const { label, expires_at, permissions: some, scope_ids } = old;
    const { key, record } = await insertNewKey(tx, 'tenant', {
      tenantId,
      label: label ?? undefined,
      expiresAt: expires_at ?? undefined,
      permissions: some ?? undefined,
      scopeIds: scope_ids ?? undefined,
    });
    const replacement = { keyPrefix: record.key_prefix, graceSeconds };
    const until = await storage.updateKeyReplaced(tx, tenantId, keyPrefix, replacement);
    const payload = { key_prefix: keyPrefix, tier: old.tier, replaced_by: record.key_prefix, expires_at: until };
    const [before, after] = [{ expires_at }, { expires_at: until, replaced_by: record.key_prefix }];
    const rotated = { action: 'key.rotated' as const, tenant_id: tenantId, subject: keyPrefix, before, after };
    await noteDeeds(tx, deed, issuedKey(record), rotated);
    await appendEvents(tx, [
      keyEvent('key.issued', record),
      { type: 'key.rotated', tenant_id: tenantId, scope_id: null, payload },
    ]);
    return { key, record: toShown(record) };
  });
}

const missing = (tenantId: string, keyPrefix: string) => notFound(`Key ${keyPrefix} of tenant ${tenantId}`);

export async function revokeTenantKey(db: Database, tenantId: string, keyPrefix: string, deed: Deed): Promise<void> {
  if (!(await revokeKey(db, tenantId, keyPrefix, deed))) throw missing(tenantId, keyPrefix);
}
