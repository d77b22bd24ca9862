import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/contract/keys.ts';
import {
  type Access,
  BY_ID_ALONE,
  FULL_ACCESS,
  mayReach,
  mayRead,
  requireAllScopes,
  requirePermission,
  requireReach,
  requireReachToPost,
  toAccess,
} from '../../src/domain/access.ts';

const narrow: Access = toAccess({ key_prefix: 'dk_1', permissions: ['read'], scope_ids: ['a', 'b'] });

describe('toAccess', () => {
  it('takes null for everything', () => {
    const access = toAccess({ key_prefix: 'dk_1', permissions: null, scope_ids: null });
    expect(access).toEqual({ keyPrefix: 'dk_1', permissions: new Set(permissions), scopeIds: null });
  });

  it('keeps what a key is limited to', () =>
    expect(narrow).toEqual({ keyPrefix: 'dk_1', permissions: new Set(['read']), scopeIds: new Set(['a', 'b']) }));
});

describe('permissions', () => {
  it('are asked for by name, and 403 names the one that is missing', () => {
    requirePermission(narrow, 'read');
    for (const permission of permissions.filter((one) => one !== 'read'))
      expect(() => requirePermission(narrow, permission)).toThrow(
        expect.objectContaining({ code: 'forbidden', message: expect.stringContaining(`permission ${permission};`) }),
      );
    for (const permission of permissions) requirePermission(FULL_ACCESS, permission);
  });

  it('of who knows only an id are for posting, and tell nothing', () => {
    requirePermission(BY_ID_ALONE, 'ingest');
    expect(() => requirePermission(BY_ID_ALONE, 'read')).toThrow('permission read');
    expect(mayRead(BY_ID_ALONE, 'a')).toBe(false);
  });
});

describe('scopes', () => {
  it('are those of the list, by their exact ids', () => {
    expect(['a', 'b', 'c', 'A', 'a ', '', '__proto__'].filter((id) => mayReach(narrow, id))).toEqual(['a', 'b']);
    expect(mayReach(FULL_ACCESS, 'anything')).toBe(true);
    expect([mayRead(narrow, 'a'), mayRead(narrow, 'c')]).toEqual([true, false]);
  });

  it('outside of the list do not exist', () => {
    requireReach(narrow, 'a');
    requireReachToPost(narrow, 'a');
    expect(() => requireReach(narrow, 'c')).toThrow(
      expect.objectContaining({ code: 'not_found', message: 'Scope c does not exist' }),
    );
    expect(() => requireReachToPost(narrow, 'c')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('cannot be left unnamed by a key that is limited to some', () => {
    requireAllScopes(FULL_ACCESS);
    expect(() => requireAllScopes(narrow)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});
