/** What looks alike and may well both be true: other times, conditions and parts, told in words that no date or name gives away. */
import { expect, it } from 'vitest';
import { keysOf } from '../../../src/pipeline/extract/keys.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { claimSet } from '../extract/read-claims.ts';

function reasons(a: string, b: string): string[] {
  const [one, other] = [claimSet(a), claimSet(b)];
  const keys = new Set(keysOf(one));
  return keysOf(other).some((key) => keys.has(key)) ? reconcile(one, other).map(({ reason }) => reason) : [];
}

it.each([
  [
    'Absence at Alba Freight was 4.1 % in the first quarter.',
    'Absence at Alba Freight was 3.2 % in the second quarter.',
  ],
  ['The Leeds depot handled 11,200 parcels in June.', 'The Leeds depot handled 130,000 parcels in the year.'],
  ['In the morning the Crail lift was out of order.', 'In the afternoon the Crail lift was in order.'],
  ['On day 3 patient 718 had a pain score of 6.', 'On day 5 patient 718 had a pain score of 2.'],
  ['Birchall School opens at 8:15.', 'Birchall School closes at 15:30.'],
  ['Dr Hall examined the left knee of patient 330.', 'Dr Hall examined the right knee of patient 330.'],
  ['The former director of the Lund museum was Eva Holm.', 'The director of the Lund museum is Nils Borg.'],
  ['Shift report of 3 June. Line 4 made 1,200 units.', 'Shift report of 4 June. Line 4 made 1,340 units.'],
  ['Travel policy, version 2. The daily allowance is €40.', 'Travel policy, version 3. The daily allowance is €48.'],
  ['Excluding overtime Rob Lacey earned £2,100 in May.', 'Rob Lacey earned £2,480 in May, overtime included.'],
  ['With a voucher the Ely tour costs £12.', 'The Ely tour costs £18 without a voucher.'],
  ['Above 2,000 metres the Stork drone flies for 18 minutes.', 'At sea level the Stork drone flies for 27 minutes.'],
  ['During the trial run the Corrie kiln reached 900 °C.', 'During the second run the Corrie kiln reached 1,050 °C.'],
  ['Had we ordered early, the Bing tables would have cost €4,000.', 'The Bing tables cost €4,900.'],
  [
    'The union says that 400 workers at Tern Steel went on strike.',
    'The firm says that 250 workers at Tern Steel did.',
  ],
  ['Three of the lifts at Orla Tower are out of service.', 'Orla Tower has nine lifts.'],
  ['Women hold 4 seats on the board of Trent Gas.', 'The board of Trent Gas has 11 seats.'],
  ['Northgate School has 640 pupils.', 'Northgate Infant School has 210 pupils.'],
  ['Model K2 has a battery life of 9 hours.', 'Model K2 Pro has a battery life of 14 hours.'],
  ['Brenner Logistics hired 140 drivers.', 'Brenner Logistics has 620 drivers.'],
  ['A customer complained that the Rill kettle leaks.', 'The Rill kettle does not leak.'],
  ['The provisional profit of Wexham Water was £6.1 million.', 'The audited profit of Wexham Water was £5.8 million.'],
  ['Except on Sundays, the Harbour Club opens at 9:00.', 'The Harbour Club opens at 11:00 on Sundays.'],
  ['The warranty on the Kestrel 4 lasts two years.', 'The warranty on the battery of the Kestrel 4 lasts six months.'],
  ['Staff of Alba with 5 years of service have 25 days.', 'Staff of Alba with 10 years of service have 30 days.'],
  ['The bearing of fan F-2 was replaced on 8 May.', 'On 5 May fan F-2 was not running because of a bearing.'],
  ['Meg and Bob ran 12 miles.', 'Bob ran 9 miles.'],
  ['Jane Holm earns £2,100.', 'Jan Holm earns £2,480.'],
  ['Ashley Orr is an American model.', 'Ashley Orr was on a magazine cover.'],
  ['The 1920 Volta Rally began in Olot. The race covered 607 km.', 'The 1927 Volta Rally covered 1,342 km.'],
  [
    'On Filmdex, the film has a score of 30 based on 37 critics, indicating "generally unfavorable reviews".',
    'Filmdex reports a rating of 78 based on 31 critics, indicating "generally favorable reviews".',
  ],
  [
    "It is on their debut album Tarn and was released as the album's fourth single in May 2001.",
    "Nora Finn's debut album was released in 2011.",
  ],
  ['The Elm mill has 12 looms and 40 weavers.', 'The Elm mill has 15 looms and 52 weavers.'],
  ['Shift log 12. Line 4 made 1,200 units.', 'Shift log 13. Line 4 made 1,340 units.'],
  [
    'Shift report of 3 June, 2 pages. Line 4 made 1,200 units.',
    'Shift report of 4 June, 2 pages. Line 4 made 1,340 units.',
  ],
  ['Let Raj be 3 years older than Ravi and Hema', 'Let Raj be 1 year older than Ravi and Hema'],
  ['The Orr dish holds 2 * 10 ^ 5 germs.', 'The Orr dish holds 2 * 50 ^ 5 germs.'],
])('%s / %s: nothing', (a, b) => {
  expect(reasons(a, b)).toEqual([]);
});

it.each([
  ['The rent of the building is £900.', 'The rent of the building is £950.'],
  ['Baltic Ferries has 12 ships.', 'Baltic Ferry has 15 ships.'],
  // The first two sentences are of two things, and the third is chosen in their place.
  ['The Elm mill has 12 looms and 40 weavers.', 'The Elm mill has 15 looms and 52 weavers. The Elm mill has 14 looms.'],
  ['Anna Larsen was born in 1971.', 'Anna Maria Larsen was born in 1974.'],
  ['Brenner Logistics employed 140 drivers.', 'Brenner Logistics has 620 drivers.'],
  ['Compressor C-204 ran at 7.2 bar during the test.', 'During the test compressor C-204 ran at 8.6 bar.'],
  ['The secretary noted that Quillon has 3,120 shareholders.', 'Quillon has 3,210 shareholders on its register.'],
  ['Priya Nair reports to Daniel Voss.', 'Organisation notes: Priya Nair reports to Marion Keel.'],
  ['Order PO-511 covers 12 valves.', 'According to the delivery note, order PO-511 covers 21 valves.'],
  ['The Vento fan is for rooms of up to 30 m².', 'The Vento fan is for rooms of up to 45 m².'],
  ['The Rigi cabin sleeps 12 guests. Bring a torch.', 'The Rigi cabin sleeps 8 guests. Bring a torch.'],
  ['The Volta Rally began in Olot. In 1920 the race covered 607 km.', 'In 1920 the Volta Rally covered 630 km.'],
  ['The Elm mill has 12 looms, 3 doors and 40 weavers.', 'The Elm mill has 12 looms, 3 doors and 52 weavers.'],
])('%s / %s: one', (a, b) => {
  expect(reasons(a, b)).toHaveLength(1);
});
