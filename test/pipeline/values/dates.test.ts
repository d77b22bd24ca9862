import { describe, expect, it } from 'vitest';
import { findQuantities } from '../../../src/pipeline/values/find.ts';
import { found, only, show } from './show.ts';

describe('dates at their own precision', () => {
  it.each([
    ['21 August 1968', 'date 1968-08-21'],
    ['August 21st, 1968', 'date 1968-08-21'],
    ['the 21st of August 1968', 'date 1968-08-21'],
    ['Aug. 21, 1968', 'date 1968-08-21'],
    ['1968-08-21', 'date 1968-08-21'],
    ['21/08/1968', 'date 1968-08-21'],
    ['21.08.1968', 'date 1968-08-21'],
    ['05/06/2021', 'date [2021-05-06,2021-06-05]'],
    ['June 2021', 'date [2021-06-01,2021-06-30]'],
    ['May 5', 'date yearless 2000-05-05'],
    ['5–7 May 2021', 'date [2021-05-05,2021-05-07]'],
    ['Q3 2021', 'date [2021-07-01,2021-09-30]'],
    ['the third quarter of 2021', 'date [2021-07-01,2021-09-30]'],
    ['spring 2020', 'date [2020-03-01,2020-06-30]'],
    ['the 1990s', 'date [1990-01-01,1999-12-31]'],
    ['the 90s', 'date [1990-01-01,1999-12-31]'],
    ['early 2021', 'date [2021-01-01,2021-07-02]'],
    ['mid-1990s', 'date [1992-07-02,1997-07-01]'],
    ['late 2021', 'date [2021-07-02,2021-12-31]'],
    ['1998–2004', 'date [1998-01-01,2004-12-31]'],
    ['2020/21', 'date [2020-01-01,2021-12-31]'],
  ])('%s', (date, expected) => expect(show(only(`It was there, ${date}.`).value)).toBe(expected));

  it.each([
    ['before 2008', 'before 2008 = date [,2007-12-31]'],
    ['after 2002', 'after 2002 = date [2003-01-01,]'],
    ['by March 2020', 'by March 2020 = date [,2020-03-31]'],
    ['about 1850', 'about 1850 = date ~[1850-01-01,1850-12-31]'],
    ['in 1969 or before 1969', '1969 or before 1969 = date [,1969-12-31]'],
    ['on or after 5 May 2021', 'on or after 5 May 2021 = date [2021-05-05,]'],
    ['by the end of the 1860s', 'by the end of the 1860s = date [,1869-12-31]'],
    ['in 2021 or later', '2021 or later = date [2021-01-01,]'],
    ['from June 2019 to May 2021', 'from June 2019 to May 2021 = date [2019-06-01,2021-05-31]'],
    ['between 2000 and 2005', 'between 2000 and 2005 = date [2000-01-01,2005-12-31]'],
    ['from May 5 to June 3, 2021', 'from May 5 to June 3, 2021 = date [2021-05-05,2021-06-03]'],
  ])('with the words around it: %s', (date, expected) => expect(found(`It was open ${date}.`)).toEqual([expected]));

  it('periods are marked', () => {
    expect(only('It is open since 1972.')).toMatchObject({ role: '' });
    expect(only('It was open from 1998 to 2004.')).toMatchObject({ role: 'period' });
  });
});

describe('a year or a count', () => {
  const dimensions = (text: string) => findQuantities(text).map(({ value }) => value.dimension);

  it.each([
    'It opened in 1972.',
    'It has been open since 1972.',
    'Smith (1972) says so.',
    'the census of 1972',
    'Founded 1972.',
    'the 1972 Reform Act',
    'In 2019 sales rose.',
    'The 2010 census says so.',
    'He is born 1972 in Rome.',
  ])('date: %s', (text) => expect(dimensions(text)).toEqual(['date']));

  it.each([
    'It has 1,972 staff.',
    'It has 1972 employees.',
    'a total of 2000',
    'a crew of 2000 people',
    'It made 1972 cars.',
  ])('count: %s', (text) => expect(dimensions(text)).toEqual(['count']));

  it.each([
    ['It is 1972 m high.', 'length'],
    ['It cost $2000.', 'money'],
    ['It rose by 2000%.', 'percent'],
  ])('neither: %s', (text, dimension) => expect(dimensions(text)).toEqual([dimension]));

  it.each([
    'It was built in 1200 BC.',
    'It was built in 1200 B.C. by the sea.',
    'It was built in the spring of 1200 BCE.',
    'It stood from 1250 to 1200 BC.',
    'It stood there (1250–1200 BC).',
    'It was built in the 1200s BC.',
  ])('no year of ours: %s', (text) => expect(dimensions(text)).not.toContain('date'));

  it('is one where the letters are a word of their own', () =>
    expect(dimensions('It closed in 1972 bc of the war.')).toEqual(['date']));
});
