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
  ['I would like to welcome you to the 12th meeting.', 'I would like to welcome everyone to meeting no. 13.'],
  ['It is a pleasure to welcome you to the Q3 call.', 'My thanks, and let me welcome everyone to the Q4 call.'],
  ['This report is as of 3 May 2024.', 'This report is as of 10 May 2024.'],
  ['I appreciate you all joining us for our 2021 results.', 'Thanks for joining us for our Q3 2020 results.'],
  ['This is the first report of United Ferries for 2023.', 'This is the first report of United Ferries for 2024.'],
  ['These are the minutes of the meeting held on 3 May.', 'These are the minutes of the meeting held on 4 May.'],
  ['This report is for week 12.', 'This report is for week 13.'],
  // The first words tell it, too.
  ['Shift report of 3 June.\n\nThis report is for week 12.', 'Shift report of 4 June.\n\nThis report is for week 12.'],
  ['Shift report of 3 June.\n\nThis report is for week 12.', 'Shift report of 3 June.\n\nThis report is for week 13.'],
  ['This report summarises March 2024.', 'This report summarises 3 April 2024.'],
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
  ['This follows the report of 3 May.', 'This follows the report of 4 May.'],
  // Numbers and dates of something else.
  ['All are welcome to the meeting of 3 May 2024.', 'All are welcome to the meeting of 5 May 2024.'],
  [
    'The mayor was glad to welcome guests to the briefing of 3 May.',
    'The mayor was glad to welcome guests to the briefing of 4 May.',
  ],
  [
    'Clerks joining after 1 January 2024 have a review in week 12.',
    'Clerks joining after 1 March 2024 have a review in week 10.',
  ],
  ['This is a reminder that the meeting is on 3 May 2024.', 'This is a reminder that the meeting is on 5 May 2024.'],
  ['This is a reminder of the meeting of 3 May 2024.', 'This is a reminder of the meeting of 5 May 2024.'],
  ['This is the first meeting since 3 May 2020.', 'This is the first meeting since 5 May 2020.'],
  ['Welcome to the report of a club founded in 1990.', 'Welcome to the report of a club founded in 1991.'],
  ['This issue was solved in version 2.3.', 'This issue was solved in version 2.4.'],
  ['This release needs version 18 of Node.', 'This release needs version 20 of Node.'],
  ['Welcome to Kestrel Club, whose meeting is on 3 May.', 'Welcome to Kestrel Club, whose meeting is on 5 May.'],
  // One issue, written in two ways.
  ['Welcome to meeting no. 12.', 'Welcome to the 12th meeting.'],
  ['Welcome to newsletter number 12.', 'Welcome to the 12th edition of our newsletter.'],
  ['Welcome to newsletter #12.', 'Welcome to edition 12 of our newsletter.'],
  ['Welcome to the third-quarter 2021 call.', 'Welcome to the call of 3 November 2021.'],
  ['Welcome to the third-quarter 2021 results.', 'Welcome to the 2021 results.'],
  ['Welcome to the fiscal 2022 first-quarter call.', 'Welcome to the call of 3 November 2021.'],
  ['This report is for 2023.', 'This report is of 3 March 2024.'],
  ['This is the report of 3 May.', 'This is the report of May 2024.'],
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

/** Minutes go on after they have said of which meeting they are. */
const minutes = (opening: string, berths: number) =>
  `${opening}\n\nHeron Ferries has ${berths} berths.\n\n${'The harbour board took note of what the clerk had read aloud. '.repeat(16)}`;

it.each([
  [
    'A joint meeting of the board was held in the offices of Heron Ferries on Tuesday, May 4, 2004.',
    'A meeting of the board was held in the offices of Heron Ferries on Tuesday, June 8, 2004.',
  ],
  ['Filed.\n\nBoard minutes, 3 May 2004', 'Filed.\n\nBoard minutes, 8 June 2004'],
  [
    'Minutes of the board\n\nMay 4, 2004 The clerk opened it.',
    'Minutes of the board\n\nJune 8, 2004 The clerk opened it.',
  ],
  ['Minutes of the board\n\n2004-05-03', 'Minutes of the board\n\n2004-06-08'],
])('%s / %s: minutes of two meetings', (a, b) => {
  expect(reasons(minutes(a, 12), minutes(b, 15))).toEqual([]);
});

it.each([
  ['The clerk read the minutes of 3 May 2004.', 'The clerk read the minutes of 8 June 2004.'],
  ['- Approval of the minutes of 3 May 2004', '- Approval of the minutes of 8 June 2004'],
  [
    'Results of the guild\n\nIn the 4 years to 2003 it grew.',
    'Results of the guild\n\nIn the 4 years to 2004 it grew.',
  ],
  ['The meeting of the guild was held on 3 May 2004.', 'The meeting of the guild was held on 8 June 2004.'],
])('%s / %s: no minutes of those days', (a, b) => {
  expect(reasons(minutes(`Read aloud.\n\n${a}`, 12), minutes(`Read aloud.\n\n${b}`, 15))).toContain(
    'Heron Ferries: the number of berths is 12 in one and 15 in the other.',
  );
});
