/** What readers see of a claim: its value in parsed parts, its qualifiers without marks. */
import { describe, expect, it } from 'vitest';
import { shownClaim } from '../../../src/pipeline/shown/claim.ts';
import { claims } from '../extract/read-claims.ts';

const shown = (text: string, type = 'txt') => claims(text, undefined, type).map(shownClaim);
const value = (text: string, type?: string) => shown(text, type)[0]?.value;

describe('values', () => {
  it.each([
    ['Acme has 300 employees.', { type: 'number', text: '300', number: 300 }],
    ['Acme has about 300 employees.', { type: 'number', text: 'about 300', number: 300, approximate: true }],
    ['Between 10 and 20 people died.', { type: 'number', text: 'Between 10 and 20', low: 10, high: 20 }],
    ['The tunnel is more than 2.4 km long.', { type: 'number', text: 'more than 2.4 km', low: 2400, unit: 'm' }],
    ['Acme holds 0.57 of the shares.', { type: 'number', text: '0.57', number: 0.57 }],
    ['Half of the members of Acme agreed.', { type: 'number', text: 'Half', number: 50, unit: '%' }],
    ['Acme generated 12 GWh.', { type: 'number', text: '12 GWh', number: 12_000_000_000, unit: 'Wh' }],
    ['The pump of Acme moves 7.2 litres per hour.', { type: 'number', number: 0.002, unit: 'l/s' }],
    ['Acme has revenue of $3 million.', { type: 'money', text: '$3 million', number: 3_000_000, currency: 'USD' }],
    ['Acme pays €86,400 a day.', { type: 'money', text: '€86,400 a day', number: 1, unit: '1/s', currency: 'EUR' }],
    ['Acme opened on 12 March 2026.', { type: 'date', text: '12 March 2026', date: '2026-03-12' }],
    ['Acme opened in June 2021.', { type: 'date', text: 'June 2021', date: '2021-06' }],
    ['Acme was founded in 1999.', { type: 'date', text: '1999', date: '1999' }],
    ['The festival of Acme is on 4 July.', { type: 'date', text: '4 July', date: '--07-04' }],
    ['Acme made pumps from 1998 to 2004.', { type: 'date', text: 'from 1998 to 2004', date: '1998/2004' }],
    ['The gym opens at 6 am.', { type: 'time', text: '6 am', time: '06:00' }],
  ])('%s', (text, expected) => {
    expect(value(text)).toMatchObject(expected);
  });

  it('has no part that does not apply', () => {
    expect(value('Acme has 300 employees.')).toEqual({ type: 'number', text: '300', number: 300 });
  });

  it('says whether a statement is so', () => {
    expect(shown('The bridge is not open to lorries.').at(-1)).toMatchObject({
      value: { type: 'boolean', text: 'no', boolean: false },
      polarity: 'denied',
    });
  });

  it('knows words, and which of them are true or false', () => {
    expect(
      shown('{"name": "Acme", "ceo": "Jane Doe", "active": true, "listed": "no"}', 'json').map((claim) => claim.value),
    ).toEqual([
      { type: 'text', text: 'Jane Doe' },
      { type: 'boolean', text: 'true', boolean: true },
      { type: 'boolean', text: 'no', boolean: false },
    ]);
  });
});

describe('qualifiers', () => {
  it.each([
    ['Acme had 300 employees in 2021.', '2021'],
    ['Acme had 300 employees in June 2021.', '2021-06'],
    ['Acme had 300 employees on 12 March 2026.', '2026-03-12'],
    ['Acme had 300 employees on 4 July.', '--07-04'],
    ['Acme had 300 employees in the first quarter of 2021.', '2021-01/2021-03'],
    ['Acme now has 300 employees.', 'now'],
    ['Acme has 300 employees.', null],
  ])('%s', (text, time) => {
    expect(shown(text)[0]?.qualifiers).toEqual({ time, place: null, condition: null, subset: null });
  });
});

it('shows what is said, of what, and where', () => {
  expect(shown('Acme Ltd was founded in 1999 in Leeds.')[0]).toEqual({
    subject: 'Acme Ltd',
    attribute: 'foundation date',
    value: { type: 'date', text: '1999', date: '1999' },
    polarity: 'affirmed',
    modality: 'fact',
    qualifiers: { time: null, place: 'leed', condition: null, subset: null },
    sentence: 'Acme Ltd was founded in 1999 in Leeds.',
    span: { start: 0, end: 38 },
  });
});
