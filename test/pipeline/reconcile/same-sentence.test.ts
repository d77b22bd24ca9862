/** One sentence in two documents with one title is of one thing. */
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { claimSet } from '../extract/read-claims.ts';

const under = (title: string, text: string) =>
  claimSet(`# ${title}\n\n## Agenda\n\n${text}\n\nNothing else was told.\n`, 'md');
const found = (a: string, b: string, titles: [string, string] = ['Meeting 2021-10-14', 'Meeting 2021-10-14']) =>
  reconcile(under(titles[0], a), under(titles[1], b)).map(({ reason }) => reason);

it('is no one text where each begins with something else, and gives a range', () => {
  const flat = (town: string, rent: string) =>
    claimSet(`The flat is in ${town}. The rent of the flat is ${rent} euros. It has a lift.`);
  expect(reconcile(flat('Bern', '1,000 to 1,200'), flat('Basel', '900 to 1,100'))).toEqual([]);
});

describe('the same sentence under the same title', () => {
  it.each([
    ['a figure', 'People will be given 2 weeks to add paths.', 'People will be given 5 weeks to add paths.'],
    ['a range', 'The review takes 1 to 2 weeks for each of them.', 'The review takes 1 to 4 weeks for each of them.'],
    ['a limit', 'A name has up to 63 characters in all.', 'A name has up to 37 characters in all.'],
    ['a date', 'The final dates are 14-15th April 2026.', 'The final dates are 14-15th October 2026.'],
    ['a denial', 'The change is as minimal as it can be.', 'The change is not as minimal as it can be.'],
    [
      'an opposite',
      'A number of nominations that have been approved and 3 in flight.',
      'A number of nominations that have been rejected and 3 in flight.',
    ],
  ])('is held against another by %s', (_, a, b) => {
    expect(found(a, b)).toHaveLength(1);
    expect(found(a, b, ['Meeting 2021-10-14', 'Meeting 2021-10-21'])).toEqual([]);
  });

  it.each([
    ['says the same', 'People will be given 2 weeks to add paths.', 'People will be given two weeks to add paths.'],
    ['is about as much', 'The hall has about 60 to 70 seats in all.', 'The hall has about 60 to 75 seats in all.'],
    ['is another sentence', 'People will be given 2 weeks to add paths.', 'People will be given 5 weeks to leave.'],
    ['differs in which one it is of', 'The left one of them is now shut.', 'The right one of them is now shut.'],
  ])('is not where it %s', (_, a, b) => {
    expect(found(a, b)).toEqual([]);
  });
});
