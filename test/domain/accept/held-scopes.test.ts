/** Which of the scopes that are stored apart is next. */
import { expect, it } from 'vitest';
import { type HeldScope, HeldScopes } from '../../../src/domain/accept/held-scopes.ts';
import { toWaiting } from '../../../src/domain/accept/waiting.ts';
import { newSubmission } from '../../support/submission.ts';

const entry = (tenantId: string, scopeId: string) => toWaiting(newSubmission(tenantId, scopeId), 0, () => {});

function filled(tenants: string[], scopes: number): HeldScopes {
  const held = new HeldScopes();
  for (let n = 0; n < scopes; n++) for (const tenant of tenants) held.add(entry(tenant, `s${n}`));
  return held;
}

it('tenants take turns, however many scopes some of them have', () => {
  const held = filled(['a', 'b', 'c'], 20);
  const underWay = [held.begin(), held.begin(), held.begin()] as HeldScope[];
  expect(held.begin()).toBeNull();
  held.add(entry('light', 's'));
  held.end(underWay[0] as HeldScope, []);
  expect(held.begin()?.tenantId).toBe('light');
});

it('what is only large finds a place beside scopes that are locked', () => {
  const held = filled(['a', 'b', 'c', 'd'], 1);
  for (const tenant of ['a', 'b', 'c', 'd']) {
    const scope = held.begin() as HeldScope;
    expect(scope.tenantId).toBe(tenant);
    held.end(scope, scope.inFlight);
  }
  expect([held.begin()?.tenantId, held.begin()?.tenantId, held.begin()]).toEqual(['a', 'b', null]);
  held.add(entry('large', 's'));
  expect(held.begin()?.tenantId).toBe('large');
});

it('a locked scope is tried again after the others, with what is locked first', () => {
  const held = filled(['a'], 2);
  held.add(entry('a', 's0'));
  const first = held.begin() as HeldScope;
  const [locked] = first.inFlight;
  held.end(first, locked ? [locked] : []);
  const second = held.begin() as HeldScope;
  expect(second.name).not.toBe(first.name);
  held.end(second, []);
  expect(held.begin()?.inFlight[0]).toBe(locked);
});
