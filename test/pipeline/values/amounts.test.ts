import { describe, expect, it } from 'vitest';
import { found, only, show } from './show.ts';

const values = (text: string) => show(only(text).value);

describe('numbers', () => {
  it.each([
    ['It has 1,900 staff.', 'count 1900'],
    ['It has 1\u00a0900 staff.', 'count 1900'],
    ['It has 1\u2009900\u2009000 staff.', 'count 1900000'],
    ['It has 1 900 000 staff.', 'count 1900000'],
    ['It has 12,34,567 voters.', 'count 1234567'],
    ['The mean is 1.5 here.', 'count 1.5'],
    ['The mean is .5 here.', 'count 0.5'],
    ['It has twenty-five staff.', 'count 25'],
    ['It has two hundred and six staff.', 'count 206'],
    ['It has a dozen staff.', 'count 12'],
    ['It has a hundred staff.', 'count 100'],
    ['It has one million two hundred thousand members.', 'count 1200000'],
    ['It has half a million members.', 'count 500000'],
    ['It has two and a half million members.', 'count 2500000'],
    ['It has 2.3 million members.', 'count 2300000'],
    ['It has 300k members.', 'count 300000'],
    ['It has 1.2bn users.', 'count 1200000000'],
    ['It has 5 lakh voters.', 'count 500000'],
    ['It has 2 crore voters.', 'count 20000000'],
    ['It has 3 dozen eggs.', 'count 36'],
    ['The mean is minus 5 now.', 'count -5'],
    ['The mean is −5 now.', 'count -5'],
  ])('%s', (text, expected) => expect(values(text)).toBe(expected));
});

describe('parts of a whole', () => {
  it.each([
    ['Half of them left.', 'ratio 0.5'],
    ['A third of them left.', 'ratio 0.3333333'],
    ['Two thirds of them left.', 'ratio 0.6666667'],
    ['Three-quarters of them left.', 'ratio 0.75'],
    ['About 3/4 of them left.', 'ratio ~0.75'],
    ['½ of them left.', 'ratio 0.5'],
    ['5% of them left.', 'percent 5'],
    ['5 percent of them left.', 'percent 5'],
    ['5 per cent of them left.', 'percent 5'],
    ['It is higher by 5 percentage points.', 'percent points 5'],
  ])('%s', (text, expected) => expect(values(text)).toBe(expected));
});

describe('units are converted to the base of their dimension', () => {
  it.each([
    ['It is 2.4 km long.', 'length 2400'],
    ['It is 2,400 m long.', 'length 2400'],
    ['It is 5 miles long.', 'length 8046.72'],
    ['It is 5 ft 11 in tall.', 'length 1.8034'],
    ['He is 6\'2" tall.', 'length 1.8796'],
    ['It is half a mile long.', 'length 804.672'],
    ['It is a 26-foot boat.', 'length 7.9248'],
    ['It weighs 500 g.', 'mass 0.5'],
    ['It weighs 10 pounds.', 'mass 4.535924'],
    ['It weighs 2 metric tons.', 'mass 2000'],
    ['It holds 2 litres.', 'volume 2'],
    ['It holds 3 cubic metres.', 'volume 3000'],
    ['It covers 36.2 square miles.', 'area 93757570'],
    ['It covers 4 km².', 'area 4000000'],
    ['It covers 20 acres.', 'area 80937.13'],
    ['It is 20 °C here.', 'temperature 20'],
    ['It is 68°F here.', 'temperature 20'],
    ['It is 20 degrees Celsius here.', 'temperature 20'],
    ['It is at 300 K now.', 'temperature 26.85'],
    ['It took 2 h 30 min.', 'time 9000'],
    ['It took 1h 20m.', 'time 4800'],
    ['It took two hours and thirty minutes.', 'time 9000'],
    ['It took 23 hours, 55 minutes, and 16 seconds.', 'time 86116'],
    ['It took 1½ hours.', 'time 5400'],
    ['He is aged 26.', 'time 820497600'],
    ['It holds 5 GB.', 'data 5000000000'],
    ['It holds 1 MiB.', 'data 1048576'],
    ['It has 1.5 MW.', 'power 1500000'],
    ['It runs at 36 km/h.', 'speed 10'],
    ['It runs at 36 kilometres per hour.', 'speed 10'],
    ['It uses 3 kWh.', 'count wh 3000'],
  ])('%s', (text, expected) => expect(values(text)).toBe(expected));
});

describe('money has its currency as unit', () => {
  it.each([
    ['It cost $5.', 'money usd 5'],
    ['It cost US$5m.', 'money usd 5000000'],
    ['It cost A$3bn.', 'money aud 3000000000'],
    ['It cost €5 million.', 'money eur 5000000'],
    ['It cost EUR 5m.', 'money eur 5000000'],
    ['It cost 5m euros.', 'money eur 5000000'],
    ['It cost 5 €.', 'money eur 5'],
    ['It cost £1.2bn.', 'money gbp 1200000000'],
    ['It cost five dollars.', 'money usd 5'],
    ['It cost 5 Canadian dollars.', 'money cad 5'],
    ['It cost 5 pounds sterling.', 'money gbp 5'],
    ['It cost ₹5 crore.', 'money inr 50000000'],
    ['It cost Rs. 500.', 'money inr 500'],
    ['It cost $20 000.', 'money usd 20000'],
    ['It made -$5 million.', 'money usd -5000000'],
    ['It cost $5-7 million.', 'money usd [5000000,7000000]'],
  ])('%s', (text, expected) => expect(values(text)).toBe(expected));
});

describe('ranges, bounds and approximations', () => {
  it.each([
    ['It has between 5 and 7 cats.', 'between 5 and 7 = count [5,7]'],
    ['It has 5-7 cats.', '5-7 = count [5,7]'],
    ['It has 5–7 cats.', '5–7 = count [5,7]'],
    ['It has from 5 to 7 cats.', 'from 5 to 7 = count [5,7]'],
    ['It has 5 to 7 million cats.', '5 to 7 million = count [5000000,7000000]'],
    ['It has two or three cats.', 'two or three = count [2,3]'],
    ['It has two to three hundred staff.', 'two to three hundred = count [200,300]'],
    ['It is 1.5–3.8% salt.', '1.5–3.8% = percent [1.5,3.8]'],
    ['It has more than 300 staff.', 'more than 300 = count (300,]'],
    ['It has over 300 staff.', 'over 300 = count (300,]'],
    ['It has at least 300 staff.', 'at least 300 = count [300,]'],
    ['It has no fewer than 300 staff.', 'no fewer than 300 = count [300,]'],
    ['It has 300 or more staff.', '300 or more = count [300,]'],
    ['It has 300+ staff.', '300+ = count [300,]'],
    ['It has >= 300 staff.', '>= 300 = count [300,]'],
    ['It has fewer than 300 staff.', 'fewer than 300 = count [,300)'],
    ['It has under 300 staff.', 'under 300 = count [,300)'],
    ['It has up to 300 staff.', 'up to 300 = count [,300]'],
    ['It has no more than 300 staff.', 'no more than 300 = count [,300]'],
    ['It has a maximum of 300 staff.', 'a maximum of 300 = count [,300]'],
    ['It has 15 points or fewer.', '15 points or fewer = count [,15]'],
    ['It has about 1,900 staff.', 'about 1,900 = count ~1900'],
    ['It has some 1,900 staff.', 'some 1,900 = count ~1900'],
    ['It has an estimated 1,900 staff.', 'an estimated 1,900 = count ~1900'],
    ['It has ~1,900 staff.', '~1,900 = count ~1900'],
    ['It has nearly 800 staff.', 'nearly 800 = count ~800'],
    ['It has 700 or so staff.', '700 or so = count ~700'],
    ['It has just over 200 staff.', 'just over 200 = count ~(200,230]'],
    ['It has up to about 300 staff.', 'up to about 300 = count ~[,300]'],
    ['It has exactly 300 staff.', 'exactly 300 = count 300'],
    ['It is more than 5 km long.', 'more than 5 km = length (5000,]'],
  ])('%s', (text, expected) => expect(found(text)).toEqual([expected]));
});

describe('what is counted', () => {
  it.each([
    ['It has 1,900 full-time employees.', 'employees'],
    ['It has 25 sales offices abroad.', 'offices'],
    ['300 people live here.', 'people'],
    ['It has 12 Afghan civilians.', 'civilians'],
    ['It is an 11-person crew.', 'person'],
    ['It has one minor vessel captured.', 'vessel'],
    ['It has 60,000 back-to-back houses.', 'houses'],
    ['It has 34 COVID-19 recoveries.', 'recoveries'],
    ['It is its third studio album by them.', 'album'],
    ['The total is 300.', ''],
    ['It is 5 km long.', ''],
  ])('%s', (text, expected) => expect(only(text).counted).toBe(expected));
});
