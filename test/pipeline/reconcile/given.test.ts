/** Claims of an operator's own extractor, which may be plans, denied, or of a place: docs/extractor.md tells what is held against what. */
import { expect, it } from 'vitest';
import { type GivenClaim, givenClaims } from '../../../src/pipeline/extract/given.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';

const RED: GivenClaim = {
  subject: 'Kestrel 4',
  attribute: 'colour',
  value: 'red',
  polarity: 'affirmed',
  modality: 'fact',
  qualifiers: {},
  sentence: 'The Kestrel 4 is red.',
};

const found = (one: Partial<GivenClaim>, other: Partial<GivenClaim>) =>
  reconcile(givenClaims([{ ...RED, ...one }]), givenClaims([{ ...RED, value: 'blue', ...other }]));

it('two facts contradict each other', () => {
  expect(found({}, {})).toHaveLength(1);
});

it.each([
  ['a plan and a fact', { modality: 'plan' }, {}],
  ['one that denies and one that affirms another value', { polarity: 'denied' }, {}],
  ['two places', { qualifiers: { place: 'Leeds' } }, { qualifiers: { place: 'London' } }],
  ['two conditions', { qualifiers: { condition: 'when wet' } }, { qualifiers: { condition: 'when dry' } }],
] satisfies [string, Partial<GivenClaim>, Partial<GivenClaim>][])('%s do not', (_what, one, other) => {
  expect(found(one, other)).toEqual([]);
});
