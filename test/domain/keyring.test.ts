import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/contract/keys.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { mintKey } from '../../src/domain/key-format.ts';
import { Keyring } from '../../src/domain/keyring.ts';
import { issueKey, type KeyWishes, revokeKey } from '../../src/domain/keys.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { AppError } from '../../src/errors.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { connect, newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';

const db = connect(await newDatabase());

/** A keyring as another replica would have it, which counts its queries. */
function replica(options: { adminKeys?: string[]; internalsKeys?: string[] } = {}) {
  let queries = 0;
  const counted: Queryable = {
    query: (sql, values) => {
      queries++;
      return db.query(sql, values);
    },
  };
  const keyring = new Keyring({ db: counted, adminKeys: [], internalsKeys: [], onError: () => {}, ...options });
  later(() => keyring.close());
  return { keyring, queries: () => queries };
}

describe('identify', () => {
  it('asks the database once for a burst, and not at all for nonsense', async () => {
    const { key, record } = await issueKey(db, 'admin', { label: 'on call' }, BY_COMMAND_LINE);
    const { keyring, queries } = replica();
    const found = await Promise.all(Array.from({ length: 50 }, () => keyring.identify(key)));
    const known = { keyPrefix: record.key_prefix, label: 'on call', tier: 'admin', tenantId: null, readOnly: false };
    expect(found).toEqual(Array(50).fill(known));
    expect(queries()).toBe(1);
    for (const nonsense of ['', 'x', `${key}x`, key.replace('da_', 'di_')])
      expect(await keyring.identify(nonsense)).toBeNull();
    expect(queries()).toBe(1);
  });

  it('does not take a key for another with the same prefix', async () => {
    const { key, keyPrefix } = mintKey('admin');
    await db.query('insert into api_keys (key_prefix, sha256, tier) values ($1, $2, $3)', [
      keyPrefix,
      Buffer.alloc(32),
      'admin',
    ]);
    expect(await replica().keyring.identify(key)).toBeNull();
  });

  it('knows bootstrap keys of any form without the database', async () => {
    const [first, second, third] = ['a', 'b', 'i'].map((letter) => letter.repeat(32)) as [string, string, string];
    const { keyring, queries } = replica({ adminKeys: [first, second], internalsKeys: [third] });
    for (const [key, tier, label] of [
      [first, 'admin', 'ADMIN_API_KEYS 1'],
      [second, 'admin', 'ADMIN_API_KEYS 2'],
      [third, 'internals', 'INTERNALS_API_KEYS 1'],
    ] as const) {
      const known = { keyPrefix: null, label, tier, tenantId: null, readOnly: false };
      expect(await keyring.identify(key)).toEqual(known);
    }
    expect(await keyring.identify('a'.repeat(33))).toBeNull();
    expect(queries()).toBe(0);
  });

  it('knows who only reads, and by what label', async () => {
    const wishes = { label: 'dashboard', readOnly: true };
    const { key } = await issueKey(db, 'internals', wishes, BY_COMMAND_LINE);
    expect(await replica().keyring.identify(key)).toMatchObject({ tier: 'internals', ...wishes });
  });

  it('knows what the key of a tenant may do, and where', async () => {
    const { tenant } = await createTenant(db, 'n', BY_COMMAND_LINE);
    const tenantId = tenant.tenant_id;
    const { keyring } = replica();
    const accessOf = async (wishes: Omit<KeyWishes, 'tenantId'>) => {
      const { key, record } = await issueKey(db, 'tenant', { ...wishes, tenantId }, BY_COMMAND_LINE);
      const credential = await keyring.identify(key);
      expect(credential).toMatchObject({ keyPrefix: record.key_prefix, tier: 'tenant', tenantId });
      return credential?.tier === 'tenant' ? credential.access : null;
    };
    expect(await accessOf({})).toMatchObject({ permissions: new Set(permissions), scopeIds: null });
    expect(await accessOf({ permissions: [...permissions] })).toMatchObject({ permissions: new Set(permissions) });
    expect(await accessOf({ permissions: ['read'], scopeIds: ['a', 'b'] })).toMatchObject({
      permissions: new Set(['read']),
      scopeIds: new Set(['a', 'b']),
    });
  });

  it('finds a key that was issued after it was first refused', async () => {
    const { key, keyPrefix, sha256 } = mintKey('internals');
    const { keyring } = replica();
    expect(await keyring.identify(key)).toBeNull();
    await db.query('insert into api_keys (key_prefix, sha256, tier) values ($1, $2, $3)', [
      keyPrefix,
      sha256,
      'internals',
    ]);
    expect(await keyring.identify(key)).toMatchObject({ keyPrefix, tier: 'internals', tenantId: null });
  });
});

describe('revocation', () => {
  it('reaches every replica, also one that uses the key all the time', async () => {
    const { key, record } = await issueKey(db, 'admin', {}, BY_COMMAND_LINE);
    const replicas = [replica(), replica()];
    for (const { keyring } of replicas) expect(await keyring.identify(key)).not.toBeNull();
    await revokeKey(db, null, record.key_prefix, BY_COMMAND_LINE);
    const stillValid = async () =>
      (await Promise.all(replicas.map(({ keyring }) => keyring.identify(key)))).some(Boolean);
    await expect.poll(stillValid).toBe(false);
  });
});

describe('an outage', () => {
  it('finds the keys of operators on standby, though a tenant was deleted just before', async () => {
    const { key, record } = await issueKey(db, 'admin', {}, BY_COMMAND_LINE);
    let isAway = false;
    const query: Queryable['query'] = (sql, values) =>
      isAway ? Promise.reject(new AppError('unavailable', 'away')) : db.query(sql, values);
    const keyring = new Keyring({ db: { query }, adminKeys: [], internalsKeys: [], onError: () => {} });
    later(() => keyring.close());
    expect(await keyring.identify(key)).not.toBeNull();
    keyring.forget();
    isAway = true;
    expect(await keyring.identifyThroughOutage(key)).toMatchObject({ keyPrefix: record.key_prefix });
    keyring.forget(record.key_prefix);
    await expect(keyring.identifyThroughOutage(key)).rejects.toThrow('away');
    isAway = false;
  });
});

describe('last use', () => {
  it('is noted for many uses with one write, by the time of the database', async () => {
    const { key, record } = await issueKey(db, 'admin', {}, BY_COMMAND_LINE);
    const { keyring, queries } = replica();
    for (let i = 0; i < 100; i++) await keyring.identify(key);
    await keyring.noteUses();
    await keyring.noteUses();
    expect(queries()).toBe(2);
    const { rows } = await db.query<{ seconds: number }>(
      'select extract(epoch from now() - last_used_at)::float8 as seconds from api_keys where key_prefix = $1',
      [record.key_prefix],
    );
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(0);
    expect(rows[0]?.seconds).toBeLessThan(300);
  });
});
