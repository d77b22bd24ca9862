/** Documents that come again and again, and say in their first sentences which of them they are. */
import { expect, it } from 'vitest';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { claimSet } from '../extract/read-claims.ts';

const reasons = (a: string, b: string) => reconcile(claimSet(a), claimSet(b)).map(({ reason }) => reason);

const told = (opening: string, berths: number) => `${opening} Heron Ferries has ${berths} berths. It is well.`;

it.each([
  [
    'Good morning, and welcome to the Heron Ferries third-quarter 2021 earnings call.',
    'Welcome, everyone, to the Heron Ferries Q4 2021 call.',
  ],
  [
    'Hello. Thank you for joining us for the Fiscal 2021 Second Quarter Results of Heron Ferries.',
    'Hello. Thank you for joining us to discuss the second quarter 2020 results of Heron Ferries.',
  ],
  ['This is the harbour bulletin for week 12.', 'This is the harbour bulletin for week 13.'],
  ['These are the minutes of the meeting of 3 May.', 'These are the minutes of the meeting of 10 May.'],
  ['Welcome to edition 4 of our newsletter.', 'Welcome to edition 5 of our newsletter.'],
  ['This report covers March 2024.', 'This report covers April 2024.'],
  // The year is told later, and with another word.
  [
    'Welcome to the third-quarter call. Thank you for joining us for the third-quarter 2020 results.',
    'Welcome to the second-quarter 2021 call.',
  ],
])('%s / %s: two issues', (a, b) => {
  expect(reasons(told(a, 12), told(b, 15))).toEqual([]);
});

it.each([
  ['Welcome to the third-quarter 2021 call.', 'Welcome to the Q3 2021 conference call.'],
  ['Welcome to the third-quarter 2021 conference and webcast.', 'Welcome to the third-quarter 2021 call and webcast.'],
  ['Welcome to the third-quarter 2021 call.', 'Welcome to the third-quarter call.'],
  [
    'Welcome to the third-quarter call. Thank you for joining us for the third-quarter 2020 results.',
    'Welcome to the third-quarter 2020 call.',
  ],
  // Of different kinds.
  ['Welcome to the third-quarter 2021 call.', 'This is the newsletter of 4 May 2022.'],
  // About other documents.
  ['In its report for Q3 2024 the harbour office counted.', 'In its report for Q4 2024 the harbour office counted.'],
  ['The mayor welcomed the report of 3 May.', 'The mayor welcomed the report of 4 May.'],
  ['This is a harbour with 3 piers.', 'This is a harbour with 4 lamps.'],
])('%s / %s: one', (a, b) => {
  expect(reasons(told(a, 12), told(b, 15))).toContain(
    'Heron Ferries: the number of berths is 12 in one and 15 in the other.',
  );
});

it('A sentence on a report of one quarter is held against another on it', () => {
  const a = 'In its report for Q3 2024 Heron Ferries gives a turnover of €4 million.';
  const b = 'In its report for Q3 2024 Heron Ferries gives a turnover of €5 million.';
  expect(reasons(a, b)).toHaveLength(1);
});

/** A sheet with a list, which makes its lines the fields of one record. */
const sheet = (date: string, tonnes: number) =>
  `Site: Dover\nShift lead: Ann Hill\nDate: ${date}\nWeather: rain\nEvents:\n- The Kestrel pump produced ${tonnes} tonnes in all.`;

it('A line of a sheet with a list says which issue it is', () => {
  expect(reasons(sheet('3 June 2024', 400), sheet('4 June 2024', 500))).toEqual([]);
  expect(reasons(sheet('3 June 2024', 400), sheet('3 June 2024', 500))).toHaveLength(1);
});
