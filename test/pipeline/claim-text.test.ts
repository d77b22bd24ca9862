import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim, ClaimSet } from '../../src/pipeline/claim.ts';
import { decodeClaims, encodeClaims } from '../../src/pipeline/claim-text.ts';
import { fingerprint } from '../../src/pipeline/fingerprint.ts';
import { asFigure, asName, asSubject, asWithin, asWord, PLACE, writeTerm } from '../../src/pipeline/term.ts';
import { claimSet } from './extract/read-claims.ts';

const ACME = `Acme Robotics is a company based in Aarhus. In 2023, it had more than 1,900 employees, about 12% of them in Cork.
The board has not approved the plan. Anna Larsen is the chief executive of Acme Robotics. Its revenue rose from €3 million to
€4.5 million. If the merger goes ahead, it would own at least 40% of the shares.`;

describe('what a document claims, as a text', () => {
  it('is a third of its JSON, and reads as it was', () => {
    const set = claimSet(ACME);
    expect(set.claims.length).toBeGreaterThan(8);
    const text = encodeClaims(set);
    expect(decodeClaims(text)).toEqual(set);
    expect(text.length).toBeLessThan(JSON.stringify(set).length / 2.5);
  });

  it('reads as it was, whatever is claimed', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        expect(decodeClaims(encodeClaims(set))).toEqual(set);
      }),
    );
  });

  it('leaves two documents in the order that they had', () => {
    const set = claimSet(ACME);
    expect(fingerprint(decodeClaims(encodeClaims(set)))).toBe(fingerprint(set));
  });

  it('is read as the JSON that was stored before, too', () => {
    const set = claimSet(ACME);
    const claims = set.claims.map((claim) => ({
      ...claim,
      value: claim.kind === 'statement' ? { words: claim.value.map(writeTerm), text: '' } : claim.value,
      terms: claim.terms.map(writeTerm),
      rest: claim.rest.map(writeTerm),
    }));
    expect(decodeClaims(JSON.stringify({ ...set, claims }))).toEqual(set);
  });

  it('of a form that is not known yet is not read', () => {
    expect(() => decodeClaims('[3,[],[],[],[],0]')).toThrow('newer release');
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const texts = fc.array(text, { maxLength: 6 });
/** Whatever a word begins with, it is none of the marks that terms are written with. */
const word = text.map((rest) => `a${rest}`);
const term = fc.oneof(
  ...[asWord, asSubject, asName, asFigure, asWithin].map((make) => word.map(make)),
  fc.constant(PLACE),
);
const terms = fc.array(term, { maxLength: 6 });
const figure = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const end = fc.option(figure);
const words = fc.record({ words: texts, text });
const quantity = fc.record({
  dimension: fc.constantFrom('count', 'money', 'date', 'length'),
  unit: text,
  low: end,
  high: end,
  lowOpen: fc.boolean(),
  highOpen: fc.boolean(),
  precision: figure,
  approximate: fc.boolean(),
});
const shared = {
  anchors: texts,
  attribute: text,
  polarity: fc.boolean(),
  modality: fc.constantFrom('fact', 'plan', 'hypothesis', 'question', 'reported', 'rule'),
  qualifiers: fc.record({ time: text, place: text, condition: text, subset: text }),
  subject: text,
  label: text,
  shown: text,
  terms,
  rest: terms,
  sentence: text,
  span: fc.record({ start: fc.nat(), end: fc.nat() }),
  isOpen: fc.boolean(),
  confidence: figure,
  record: text,
  isCell: fc.boolean(),
  head: text,
} as const;
const none = fc.constant('' as const);
const claim: fc.Arbitrary<Claim> = fc.oneof(
  fc.record({ ...shared, kind: fc.constant('quantity' as const), value: quantity, role: text }),
  fc.record({ ...shared, kind: fc.constant('field' as const), value: words, role: none }),
  fc.record({ ...shared, kind: fc.constant('statement' as const), value: terms, role: none }),
);
const anySet: fc.Arbitrary<ClaimSet> = fc.record({
  rules: fc.nat(),
  profile: fc.record({
    subject: texts,
    years: texts,
    names: texts,
    topic: texts,
    phrase: texts,
    issue: texts,
    sentences: fc.nat(),
  }),
  claims: fc.array(claim, { maxLength: 8 }),
});
