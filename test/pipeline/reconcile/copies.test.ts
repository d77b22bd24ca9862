/** What two documents both say, in the same words, is never held against either of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeClaims, encodeClaims } from '../../../src/pipeline/claim-text.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { Chance } from '../../../storm/chance.ts';
import { generateRecords } from '../../../tools/eval/records/generate.ts';
import { claimSet } from '../extract/read-claims.ts';
import { pieces, types } from '../pieces.ts';

function apartFromCopy(text: string, type: string) {
  const set = claimSet(text, type);
  return [...reconcile(set, set), ...reconcile(set, decodeClaims(encodeClaims(set)))].map(({ reason }) => reason);
}

const lens = (info: string) => ({ flash: 'LED', info });
const phone = (...infos: string[]) => JSON.stringify({ codename: 'alder', ram: '4 GB', cameras: infos.map(lens) });
const reasons = (a: string, b: string) =>
  reconcile(claimSet(a, 'json'), claimSet(b, 'json')).map(({ reason }) => reason);

describe('a document and its copy', () => {
  it.each([
    ['two values of one label', 'json', phone('16 MP', '5 MP')],
    ['two lines of one label', 'md', '# Meeting 2022-06-01\n\n- Matteo: no objections\n- Matteo: told everybody\n'],
    ['two nations', 'txt', 'Cry Elmton is a British film. Cry Elmton is a Canadian film.'],
    ['two holders', 'txt', 'Elm House is managed by Jane Doe. Elm House is managed by Tom Becker. They share it.'],
    ['itself and its denial', 'txt', 'The council approved the plan. The council did not approve the plan.'],
  ])('do not contradict each other by %s', (_, type, text) => {
    expect(apartFromCopy(text, type)).toEqual([]);
  });

  it('do not contradict each other, whatever the records', () => {
    const { documents } = generateRecords(new Chance(1));
    expect(documents.flatMap(({ text, type }) => apartFromCopy(text, type))).toEqual([]);
  });

  it('do not contradict each other, whatever the text', () => {
    const line = fc.constantFrom('Limit: 3 t', 'Limit: 4 t', 'Elm is open.', 'Elm is closed.', 'Elm has 5 lifts.');
    const text = fc.array(fc.oneof(line, fc.constantFrom(...pieces)), { maxLength: 12 });
    fc.assert(
      fc.property(text, fc.constantFrom(...types), (parts, type) => {
        expect(apartFromCopy(parts.join('\n'), type)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('of a label with several values', () => {
  it('the one that is left on each side is held against the other', () => {
    expect(reasons(phone('16 MP', '5 MP'), phone('16 MP', '8 MP'))).toEqual([
      expect.stringMatching(/5 MP in one and 8 MP/),
    ]);
  });

  it('nothing is, where more are left, or where one side only has more', () => {
    expect(reasons(phone('16 MP', '5 MP'), phone('12 MP', '8 MP'))).toEqual([]);
    expect(reasons(phone('16 MP'), phone('16 MP', '8 MP'))).toEqual([]);
  });
});
