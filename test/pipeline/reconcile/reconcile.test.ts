import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimSet } from '../../../src/pipeline/claim.ts';
import { keysOf } from '../../../src/pipeline/extract/keys.ts';
import { compare } from '../../../src/pipeline/reconcile/compare.ts';
import { turned } from '../../../src/pipeline/reconcile/comparison.ts';
import { MAX_PAIRS, pairsOf } from '../../../src/pipeline/reconcile/pairs.ts';
import { MAX_CONFLICTS, reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { sideOf } from '../../../src/pipeline/reconcile/side.ts';
import { areApart } from '../../../src/pipeline/reconcile/sketch.ts';
import { claimSet } from '../extract/read-claims.ts';

const conflicts = (a: string, b: string, types: [string, string] = ['txt', 'txt']) => {
  const [one, other] = [claimSet(a, types[0]), claimSet(b, types[1])];
  const keys = new Set(keysOf(one));
  return keysOf(other).some((key) => keys.has(key)) ? reconcile(one, other) : [];
};

describe('contradictions', () => {
  it.each([
    ['number', 'Acme employs 1,900 people.', 'Acme employs 2,310 people.'],
    ['what has no limit', 'Liability of Acme is not limited.', 'Liability of Acme is limited.'],
    [
      'the second figure of a sentence',
      'The Kestrel 4 weighs 4 kg and lasts 9 hours.',
      'The Kestrel 4 weighs 4 kg and lasts 14 hours.',
    ],
    ['a name in capitals', 'ARM employs 7,000 people. It makes no arm.', 'ARM employs 9,000 people. It makes no arm.'],
    ['number in words', 'The hall at Fenwick seats twelve people.', 'The hall at Fenwick seats thirty people.'],
    ['magnitude', 'Fenwick Rail carried 3 million passengers.', 'Fenwick Rail carried 400,000 passengers.'],
    ['unit', 'The tunnel at Cedar Ridge is 2.4 km long.', 'The tunnel at Cedar Ridge is 5 miles long.'],
    ['percentage', 'Turnout in Fenwick was 61%.', 'Turnout in Fenwick was 48 percent.'],
    ['money', 'The Mill Lane site cost $4 million.', 'The Mill Lane site cost $7.5 million.'],
    ['lower bound', 'Acme employs more than 3,000 people.', 'Acme employs 1,900 people.'],
    ['upper bound', 'The Fenwick line has fewer than 10 stations.', 'The Fenwick line has 14 stations.'],
    ['range', 'The Fenwick trial lasted between two and three hours.', 'The Fenwick trial lasted nine hours.'],
    ['ordinal', 'Fenwick is the third largest town in Elmshire.', 'Fenwick is the seventh largest town in Elmshire.'],
    ['date', 'Jane Doe was born on 3 May 1961.', 'Jane Doe was born on 8 August 1961.'],
    ['date in brackets', 'Jane Doe was born in 1961.', 'Jane Doe (born 4 June 1957) is a Danish painter.'],
    ['year', 'Acme was founded in 1990.', 'Acme, founded in 1987 by Jane Doe, makes boilers.'],
    ['not', 'The Mill Lane plan was approved.', 'The Mill Lane plan was not approved.'],
    ['never', 'Jane Doe visited the Rome plant.', 'Jane Doe never visited the Rome plant.'],
    ['no', 'Jane Doe has two children.', 'Jane Doe has no children.'],
    ['failed to', 'Acme paid the Fenwick fine.', 'Acme failed to pay the Fenwick fine.'],
    ['denied bound', 'Acme employs 4,000 people.', 'Acme does not employ more than 3,000 people.'],
    ['opposites', 'The Harbour Bridge is open to traffic.', 'The Harbour Bridge is closed to traffic.'],
    ['opposite verbs', 'The council approved the Elm Street plan.', 'The council rejected the Elm Street plan.'],
    ['opposite outcomes of a vote', 'The Elm Street motion was carried.', 'The Elm Street motion was defeated.'],
    [
      'figures of one thing with other light verbs',
      'The Arvo pump HP-8 comes with a warranty of five years.',
      'A warranty of seven years is given on the Arvo pump HP-8.',
    ],
    ['role', 'The CEO of Acme is Jane Doe.', 'John Smith is the CEO of Acme.'],
    ['another holder', 'Anna Larsen is the chief executive of Cobalt.', 'Tom Becker is the chief executive of Cobalt.'],
    ['possessive', 'Anna Larsen is chief executive of Cobalt.', "Cobalt's chief executive, Tom Becker, left for Rome."],
    [
      'apposition',
      'Anna Larsen, the CEO of Cobalt, spoke.',
      'Tom Becker, chief executive officer of Cobalt, was in Oslo.',
    ],
    ['title before the name', 'The CEO of Cobalt is Anna Larsen.', 'Cobalt CEO Tom Becker opened the plant in Rome.'],
    ['capital', 'Paris is the capital of Freedonia.', 'Lyon is the capital of Freedonia.'],
    ['seat', 'Cobalt Shipping is headquartered in Oslo.', 'Cobalt Shipping is headquartered in Bergen.'],
    ['year before a noun', 'Elm Row is a 1930 comedy in three acts.', 'Elm Row is a 1940 comedy in three acts.'],
    ['name with an accent', 'Noël Doe was born in 1961.', 'Noel Doe was born in 1957.'],
    [
      'the last one',
      'Abel Knee was the last person jailed for heresy in Elmshire in 1838.',
      'Carl Smith was the last person jailed for heresy in Elmshire in 1928.',
    ],
    ['one word', 'The fee is €50.', 'The fee is €55.'],
    ['a time of day', 'The gate at Elmton opens at 7:00.', 'The gate at Elmton opens at 6.15 am.'],
    ['where it is', 'Jane Doe is based in Lyon.', 'Jane Doe is based in Nantes.'],
    ['whom it is under', 'The Elmton account is managed by Jane Doe.', 'The Elmton account is managed by Tom Becker.'],
    ['any role of a name', 'The auditor of Elmton is Hartnell.', 'The auditor of Elmton is Quayle.'],
    ['a code', 'Printer PR-9 has the serial number AX-448.', 'Printer PR-9 has the serial number AX-484.'],
    ['out of service', 'Lift 2 in Elm House is in service.', 'Lift 2 in Elm House is out of service.'],
    ['passed and failed', 'Valve V-88 passed the pressure test.', 'Valve V-88 failed the pressure test.'],
    ['hours of work', 'Jane Doe works full-time in Elmton.', 'Jane Doe works part-time in Elmton.'],
    ['what must be', 'Pupils at Elm School must wear a tie.', 'Pupils at Elm School do not have to wear a tie.'],
    [
      'a text that is about the name',
      '9 Elm Row is a house with two floors. The asking price is £495,000.',
      'The asking price of 9 Elm Row is £465,000. The house has a garden.',
    ],
    [
      'what stands under one title',
      'Leave at Elm Hall\n\nEmployees get 28 days of leave. They ask early.',
      'Leave at Elm Hall\n\nEmployees get 25 days of leave. They ask early.',
    ],
    ['what a paper says', 'The return says that Elm School had 389 pupils.', 'Elm School had 412 pupils.'],
    ['a time limit', 'Refunds are paid within 30 days.', 'Refunds are paid within 14 days.'],
    ['country', 'Jane Doe is a Danish painter.', 'Jane Doe is a Brazilian painter.'],
    ['kind of thing', 'Fenwick is a song.', 'Fenwick is a town in Elmshire.'],
    ['pronoun', 'Acme makes boilers. It employs 1,900 people.', 'Acme employs 2,310 people.'],
    ['passive', 'Acme built 40 homes in Fenwick.', '65 homes were built in Fenwick by Acme.'],
    ['a part that is more than the whole', 'Acme employs 1,200 people in Leeds.', 'Acme employs 900 people.'],
    ['more without a part', 'Acme built 44 boilers.', 'Acme built 65 boilers, excluding the three prototypes.'],
    [
      'the start of a period',
      'Work on the Mill Lane site began in April 1993.',
      'Work on the Mill Lane site ran from May 1993 to August 2002.',
    ],
    [
      'the end of a period',
      'Work on the Mill Lane site finished in 2001.',
      'Work on the Mill Lane site ran from 1993 to 2002.',
    ],
    [
      'how far from a place',
      'Fenwick lies about 69 km northeast of Elmton.',
      'Fenwick is a town in the hills, some 95 km north of Elmton.',
    ],
    ['bounds of one figure', 'There are under 114,700 cases of rust.', 'More than 114,700 cases have been confirmed.'],
    ['no part in', 'Jane Doe took part in the Fenwick Raid.', 'Jane Doe had no part in the Fenwick Raid.'],
    [
      'what one thing fills',
      'The colour of the Fenwick flag is pale pink.',
      'The colour of the Fenwick flag is dark blue.',
    ],
    ['a given name', "Jane Doe's father is Paul Doe.", "Jane Doe's father is Peter Doe."],
    ['all words but one', 'A mint stamp is not hinged.', 'A mint stamp can be hinged.'],
    ['other words for staff', 'Acme has 1,900 employees.', 'Acme employs 2,310 people.'],
    ['other words for a town', 'Fenwick has 12,000 inhabitants.', 'Fenwick has a population of 31,000.'],
    ['a limit', 'Members may stay for up to 10 days.', 'Members may stay for up to 15 days.'],
    ['a least length', 'Passwords must have at least 8 characters.', 'Passwords must have at least 12 characters.'],
    ['a version', 'Version 3.2 supports Fenwick 7.', 'Version 3.2 does not support Fenwick 7.'],
    ['a film with a Will', 'Elm Row is a 1992 film.', 'Elm Row is a 2002 film starring Jane Doe and Will Smith.'],
  ])('by %s are found', (_, a, b) => {
    expect(conflicts(a, b)).toHaveLength(1);
  });

  it.each([
    ['JSON and prose', '{"name":"Acme","employees":1900}', 'json', 'Acme has 2,310 employees.', 'txt'],
    ['JSON', '{"name":"Acme","employees":1900}', 'json', '{"name":"Acme","employees":2310}', 'json'],
    ['CSV', 'sku,price\nA1,50\nA2,70', 'csv', 'sku,price\nA2,70\nA1,55', 'csv'],
    ['words of CSV', 'sku,colour\nA1,red', 'csv', 'sku,colour\nA1,green', 'csv'],
    [
      'a table and prose',
      '| City | Population |\n|---|---|\n| Fenwick | 12,000 |',
      'md',
      'Fenwick has a population of 31,000.',
      'txt',
    ],
    ['lines and prose', 'Acme Ltd\n\nFounded: 1990', 'txt', 'Acme Ltd was founded in 1987.', 'txt'],
    ['lines', 'Project Apollo\n\nStatus: open', 'txt', 'Project Apollo\n\nStatus: closed', 'txt'],
    [
      'a line and a role',
      'Cobalt Shipping\n\nChief executive: Tom Becker',
      'txt',
      'Anna Larsen is the CEO of Cobalt Shipping.',
      'txt',
    ],
    ['a list under a title', '# Acme\n\n- Founded in 1990', 'md', 'Acme was founded in 1987.', 'txt'],
  ])('between %s are found', (_, a, typeA, b, typeB) => {
    expect(conflicts(a, b, [typeA, typeB])).toHaveLength(1);
  });
});

describe('no contradiction', () => {
  it.each([
    ['what was wanted', 'Acme wanted to open its Rome plant in May 2024.', 'Acme opened its Rome plant in July 2024.'],
    [
      'what a guest wrote',
      'A guest wrote in a review that the pool of Elm House is never cleaned.',
      'The pool of Elm House is cleaned every morning.',
    ],
    ['two houses', 'The lease of 14 Kiln Lane ends in 2028.', 'The lease of 41 Kiln Lane ends in 2031.'],
    ['and without tax', 'The Tarvin chairs cost €64 without VAT.', 'The Tarvin chairs cost €76 including VAT.'],
    [
      'a heavy word more in one of them',
      'The Elm lease sets a notice period of 30 days.',
      'The Elm lease gives the landlord a notice period of 60 days.',
    ],
    ['what only a verb is said of', 'The Elm van carries 900 kg.', 'The Elm van stands at 2,100 kg.'],
    ['what is counted in two ways', 'Acme makes 400 pumps.', 'Acme holds 90 pumps.'],
    ['what is paid and what is received', 'Lee pays a rent of €900.', 'Lee receives a rent of €1,400.'],
    [
      'a heavy word more in each',
      'The Arvo pump HP-8 comes with a motor warranty of five years.',
      'The Arvo pump HP-8 gives a paint warranty of seven years.',
    ],
    ['a denial without its verb', 'Pets or bicycles not allowed.', 'Pets or bicycles are not allowed.'],
    [
      'what is known of a distance',
      'Jane and Tom are standing less than 65 miles apart.',
      'Jane and Tom are standing less than 80 miles apart.',
    ],
    [
      'which edition it was',
      'The total distance of the 1920 Volta a Elmton was 630 km (391 mi).',
      'The total distance of the 1927 Volta a Elmton was not less than 1337 km (831 mi).',
    ],
    [
      'a song and an album',
      'It was released as the album’s fourth single in 2001.',
      'The Elmton album was released in 2011.',
    ],
    ['a pronoun', 'It failed to produce any films.', 'Elm Row is a film produced by Jane Doe.'],
    ['another number of a name', 'Pump 11 at Elmton was sold in 2011.', 'Pump 12 at Elmton was sold in 2015.'],
    ['another code', 'Policy HH-41 has a fee of £200.', 'Policy HH-44 has a fee of £500.'],
    ['another code with a pronoun', 'Sample B-11 is red. Its pH is 7.4.', 'Sample B-1 is red. Its pH is 6.8.'],
    [
      'another noun with a pronoun',
      'The north stand of Elm Park is old. It seats 300.',
      'The south stand of Elm Park is new. It seats 180.',
    ],
    ['a part and the whole', 'The ground floor of Elm House has 40 rooms.', 'Elm House has 160 rooms.'],
    ['another event', 'The Elmton agreement starts in May 2025.', 'The Elmton agreement ends in May 2028.'],
    [
      'another price',
      'The list price of the Elm 5 heater is $349.',
      'Dealers buy the Elm 5 heater at a wholesale price of $231.',
    ],
    [
      'another quarter',
      'In the first quarter of 2025 Acme sold 41 boats.',
      'In the second quarter of 2025 Acme sold 53 boats.',
    ],
    ['a month of the year', 'In May 2025 Acme sold 4 boats.', 'In 2025 Acme sold 53 boats.'],
    ['with and without tax', 'The Elm desk costs £240 including VAT.', 'The Elm desk costs £200 excluding VAT.'],
    [
      'who pays',
      'Drivers under 25 pay an excess of £900 at Elm Cars.',
      'Drivers over 25 pay an excess of £400 at Elm Cars.',
    ],
    [
      'what was so at first',
      'Clause 4 of the Elm contract sets the fee at 3%.',
      'Clause 4 of the Elm contract originally set the fee at 2%.',
    ],
    ['another list', 'Price list 2023 of Acme shows the bolt at £2.', 'Price list 2024 of Acme shows the bolt at £3.'],
    ['a town and its country', 'Jane Doe is based in Lyon.', 'Jane Doe is based in France.'],
    [
      'another rank with a pronoun',
      'The first part of the Elm loan is £20. It is due in May.',
      'The second part of the Elm loan is £35. It is due in August.',
    ],
    ['at another temperature', 'At 20 °C the Elm battery lasts 12 hours.', 'At -10 °C the Elm battery lasts 7 hours.'],
    ['what was meant', 'The Elmton line was to have 12 stations.', 'The Elmton line has nine stations.'],
    ['what is so now', 'Up to 2023 the Elm club had 300 members.', 'The Elm club now has 420 members.'],
    [
      'what takes its place',
      'This notice replaces the old one: the Elm pool opens at 8:00.',
      'The Elm pool opens at 9:00.',
    ],
    [
      'another modifier',
      'Elm Mill has a floor area of 900 m², of which 650 m² are for sale.',
      'The sales area of Elm Mill is 650 m².',
    ],
    [
      'what happened and what was so',
      'Jane Doe resigned as head of Acme on 3 May.',
      'On 1 May Jane Doe was head of Acme.',
    ],
    ['hearsay', 'Rumour has it that Acme will close.', 'Acme will not close.'],
    [
      'the start and the end',
      'At the start of the week the Elm stock was 40 boxes.',
      'At the end of the week the Elm stock was 12 boxes.',
    ],
    ['another week', 'In week 14 the Elmton team closed 21 defects.', 'In week 15 the Elmton team closed 34 defects.'],
    [
      'another revision',
      'Procedure Q-1, revision B, set the pressure at 6 bar.',
      'Procedure Q-1, revision C, which replaces revision B, sets the pressure at 8 bar.',
    ],
    [
      'what some think',
      'Some people think that the Elmton landfill holds toxic waste.',
      'The Elmton landfill holds no toxic waste.',
    ],
    [
      'minutes of another day',
      'Board meeting of 3 May 2024\n\nAcme Ltd has 40 shops. The board approved the Elmton plan.',
      'Board meeting of 7 June 2024\n\nAcme Ltd has 50 shops. The board did not approve the Elmton plan.',
    ],
    ['the same value', 'Acme employs 1,900 people.', 'Acme employs 1900 people.'],
    ['another unit', 'The tunnel at Cedar Ridge is 2.4 km long.', 'The tunnel at Cedar Ridge is 2,400 m long.'],
    ['rounding', 'Acme employs about 1,900 people.', 'Acme employs 1,912 people.'],
    ['a bound that holds', 'Acme employs more than 1,500 people.', 'Acme employs 1,900 people.'],
    ['a coarser date', 'Acme was founded in June 1990.', 'Acme was founded on 14 June 1990.'],
    ['another subject', 'Acme employs 1,900 people.', 'Bolt Works employs 2,310 people.'],
    ['another attribute', 'Acme has 12 plants.', 'Acme has 30 depots.'],
    ['another period', 'In 2019 Acme employed 1,900 people.', 'In 2022 Acme employed 2,310 people.'],
    ['another place', 'Acme employs 40 people in Rome.', 'Acme employs 90 people in Oslo.'],
    [
      'a condition',
      'Members of Fenwick Club pay 20 euros.',
      'If they join in May, members of Fenwick Club pay 10 euros.',
    ],
    ['a part', 'Acme makes 40 boilers each day.', 'Acme makes 900 boilers.'],
    ['another currency', 'The Mill Lane site cost $500.', 'The Mill Lane site cost €450.'],
    ['less without a part', 'Acme built 65 boilers.', 'Acme built 44 boilers, excluding the three prototypes.'],
    ['a time within a period', 'Work on Mill Lane ran from 1993 to 2002.', 'Work on Mill Lane began in June 1993.'],
    [
      'during and after',
      'During the first year, staff of Acme accrue 0.8 days per month.',
      'After the first year, staff of Acme accrue 1.25 days per month.',
    ],
    ['another outcome', 'Four soldiers of Fenwick were injured.', 'Five soldiers of Fenwick were killed.'],
    ['nominations', 'Elm Row won four Globes.', 'Elm Row was nominated for six Globes.'],
    ['the whole', 'Rust was seen in 49 states of Elmland.', 'Rust was seen in 49 of the 50 states of Elmland.'],
    [
      'a fiscal year',
      'Audit of Acme for Fiscal Year 2024: no findings.',
      'Audit of Acme for Fiscal Year 2025: no findings.',
    ],
    ['bounds that set no limit', 'Up to 10 people were hurt in Fenwick.', 'Up to 15 people were hurt in Fenwick.'],
    ['another event', 'Jane Doe joined Acme in 2019.', 'Jane Doe left Acme in 2022.'],
    ['opposite things', 'The north tower is 120 m high.', 'The south tower is 140 m high.'],
    ['an initial', "Jane Doe's father is P. Doe.", "Jane Doe's father is Peter Doe."],
    ['a short form without its mark', "Acme can't cover the Fenwick fine.", 'Acme cant cover the Fenwick fine.'],
    ['a plan', 'Acme will open 20 stores in Fenwick.', 'Acme opened 12 stores in Fenwick.'],
    ['a hypothesis', 'Acme might have 3,000 employees.', 'Acme has 1,900 employees.'],
    ['a report', 'Acme has 1,900 employees.', 'Jane Doe claimed that Acme has 3,000 employees.'],
    ['a question', 'Does Acme have 3,000 employees?', 'Acme has 1,900 employees.'],
    ['a change', 'The staff of Acme rose from 1,900 to 2,310 people.', 'The staff of Acme was 1,900 people.'],
    ['several values', 'Acme has offices in Rome.', 'Acme has offices in Oslo.'],
    ['several jobs', 'Jane Doe is a lawyer.', 'Jane Doe is a painter.'],
    ['a member', 'Anna Larsen is a director of Cobalt.', 'Tom Becker is a director of Cobalt.'],
    ['one of several', 'Anna Larsen is one of the directors of Cobalt.', 'Tom Becker is the director of Cobalt.'],
    [
      'several holders',
      'Anna Larsen and Tom Becker are the managers of Cobalt.',
      'Tom Becker is the manager of Cobalt.',
    ],
    ['a deputy', 'Anna Larsen is the vice president of Cobalt.', 'Tom Becker is the president of Cobalt.'],
    ['a former holder', 'Anna Larsen is the former CEO of Cobalt.', 'Tom Becker is the CEO of Cobalt.'],
    ['an acting holder', 'Anna Larsen is the acting CEO of Cobalt.', 'Tom Becker is the CEO of Cobalt.'],
    ['a holder in the past', 'Anna Larsen was the CEO of Cobalt.', 'Tom Becker is the CEO of Cobalt.'],
    ['holders in turn', 'In 2017 Anna Larsen was the CEO of Cobalt.', 'In 2020 Tom Becker was the CEO of Cobalt.'],
    ['another office', 'Anna Larsen is the sales director of Cobalt.', 'Tom Becker is the finance director of Cobalt.'],
    [
      'a branch',
      'Anna Larsen is the president of the Oslo branch of Cobalt.',
      'Tom Becker is the president of Cobalt.',
    ],
    ['a shorter name', 'Anna Larsen is the CEO of Cobalt.', 'Larsen is the chief executive of Cobalt.'],
    ['a wider place', 'Cobalt is headquartered in Oslo.', 'Cobalt is headquartered in Norway.'],
    ['a turn of years', 'Members who joined before 2020 pay $40.', 'Members who joined after 2020 pay $60.'],
    ['another payer', 'The fee is €50 for members.', 'The fee is €55 for visitors.'],
    ['another fee', 'The entry fee is €50.', 'The exit fee is €55.'],
    ['what was so', 'The fee was €50.', 'The fee is €55.'],
    ['a word that says nothing', 'The answer is 40.', 'The answer is 60.'],
    ['works', 'Jane Doe wrote The Long Night.', 'Jane Doe wrote The Short Day.'],
    ['neighbours', 'Elmshire borders Fenland.', 'Elmshire borders Northshire.'],
    ['a denial of something else', 'The Mill Lane plan was approved.', 'The Mill Lane plan was not published.'],
    ['a narrower denial', 'Acme closed the Rome plant.', 'Acme did not close the Oslo plant.'],
    [
      'another phase',
      'Phase 1 of the Elm Street works costs $3 million.',
      'Phase 2 of the Elm Street works costs $5 million.',
    ],
    ['another quarter', 'In Q1 2023 Acme sold 400 boilers.', 'In Q2 2023 Acme sold 550 boilers.'],
    ['before and after', 'The Acme rate was 4.5% before the merger.', 'The Acme rate is 5.0% after the merger.'],
    [
      'the mean and the most',
      'The maximum speed of the Falcon is 300 km/h.',
      'The average speed of the Falcon is 210 km/h.',
    ],
    [
      'other people',
      'Contractors are not eligible for the pension plan.',
      'Employees are eligible for the pension plan.',
    ],
    [
      'winner and loser',
      'Fenwick Rovers won the 2019 final against Elm Town.',
      'Elm Town lost the 2019 final against Fenwick Rovers.',
    ],
    ['an addition', 'Acme needs another $215 million.', 'Acme needs $363 million.'],
    ['those in one place', 'Acme employs 120 people in Leeds.', 'Acme employs 900 people.'],
    ['the other way round', 'Harrow owes Finch £8,000.', 'Finch owes Harrow £3,500.'],
    ['another end of it', 'The Elm terminal handles 900 lorries.', 'The Elm West terminal handles 240 lorries.'],
    ['another size', 'Parcels up to 2 kg cost £4.', 'Parcels over 2 kg cost £7.'],
    ['the lowest price', 'Seats at Elm Hall cost from £12.', 'Seats at Elm Hall cost £18.'],
    ['those for whom it is', 'For members, the Elm sauna costs £6.', 'The Elm sauna costs £9.'],
    ['what was so then', 'Acme had 310 employees in 2019.', 'Acme has 355 employees.'],
    ['what belongs to it', "The Elm mill's owner employs 1,150 people.", 'The Elm mill employs 300 people.'],
    ['pages', 'Page 3 of 10', 'Page 4 of 12'],
    ['copyright', '© 2019 Acme Ltd. All rights reserved.', '© 2021 Acme Ltd. All rights reserved.'],
  ])('with %s', (_, a, b) => {
    expect(conflicts(a, b)).toEqual([]);
  });

  it('where the other document says the same elsewhere', () => {
    const both = 'Acme employs 1,900 people. After the merger Acme employs 2,310 people.';
    expect(conflicts('Acme employs 1,900 people.', both)).toEqual([]);
  });

  it('by one word where there is more to the documents', () => {
    expect(conflicts('The fee is €50.', 'Members meet on Fridays. The fee is €55.')).toEqual([]);
  });

  it('between namesakes', () => {
    const painter =
      'Kevin Lund (painter, born 1940) is a Danish painter. He was born in Aarhus and taught at Viborg. He painted 40 murals.';
    const rower =
      'Kevin Lund (rower, born 1972) is a Swedish rower. He was born in Malmö and rowed for Lund. He rowed 90 races.';
    expect(conflicts(painter, rower)).toEqual([]);
  });

  it('between other records', () => {
    expect(conflicts('sku,price\nA1,50', 'sku,price\nA2,70', ['csv', 'csv'])).toEqual([]);
    expect(conflicts('{"name":"Acme","staff":5}', '{"name":"Bolt","staff":7}', ['json', 'json'])).toEqual([]);
  });
});

describe('a conflict', () => {
  it('has a reason that ends, however long a word is', () => {
    const json = (head: string) => JSON.stringify({ name: 'Acme Robotics', Head: head.repeat(5000) });
    const [conflict] = conflicts(json('anna'), json('bertha'), ['json', 'json']);
    expect(conflict?.reason).toMatch(
      /^Acme Robotics: the head is (anna){20} in one and (bertha){13}be in the other\.$/,
    );
  });

  it('says why in plain words', () => {
    const [conflict] = conflicts('Acme has 1,900 employees.', 'Acme has 2,310 employees.');
    expect(conflict).toMatchObject({
      reason: 'Acme: the number of employees is 1,900 in one and 2,310 in the other.',
      swapped: 'Acme: the number of employees is 2,310 in one and 1,900 in the other.',
      subject: 'Acme',
      attribute: 'number of employees',
      severity: 'medium',
    });
    expect(conflict?.groupA).toBe(conflict?.groupB);
    expect(conflict?.valueA).not.toBe(conflict?.valueB);
  });

  it.each([
    [
      'More than 300 people saw the Fenwick fair.',
      'Only 250 people saw the Fenwick fair.',
      'The number of people is more than 300 in one and only 250 in the other.',
    ],
    [
      'Unemployment in March was 5.2%.',
      'Unemployment in March was 6.1%.',
      'Unemployment is 5.2% in one and 6.1% in the other.',
    ],
    ['The Rent is $1,200.', 'The Rent is $1,500.', 'The rent is $1,200 in one and $1,500 in the other.'],
    [
      'The notice period is 30 days.',
      'The notice period is 60 days.',
      'The notice period is 30 days in one and 60 days in the other.',
    ],
    [
      'Acme made a profit of $5 million.',
      'Acme made a profit of $9 million.',
      'Acme: the profit is $5 million in one and $9 million in the other.',
    ],
    [
      'Refunds are paid within 14 days.',
      'Refunds are paid within 30 days.',
      'For refunds, one says 14 days, the other 30 days.',
    ],
    [
      'The Mill Lane site cost $4 million.',
      'The Mill Lane site cost $7 million.',
      'Mill Lane: one says $4 million, the other $7 million.',
    ],
    [
      'Jane Doe was born in May 1961.',
      'Jane Doe was born in June 1961.',
      'Jane Doe: the date of birth is May 1961 in one and June 1961 in the other.',
    ],
    [
      'Anna Larsen is the CEO of Cobalt.',
      'Tom Becker is the CEO of Cobalt.',
      'The CEO of Cobalt is Anna Larsen in one and Tom Becker in the other.',
    ],
    [
      'The Long Night was written by Jane Doe.',
      'The Long Night was written by John Smith.',
      "Long Night: one says 'written by Jane Doe', the other 'written by John Smith'.",
    ],
    [
      'The council approved the Elm plan.',
      'The council rejected the Elm plan.',
      "One says 'approved', the other 'rejected'.",
    ],
    [
      'The valve on the Elm main is open.',
      'The valve on the Elm main is not open.',
      "Elm: one says 'open', the other denies it.",
    ],
    [
      'The valve on the Elm main is not open.',
      'The valve on the Elm main is open.',
      "Elm: one denies 'open', the other says it.",
    ],
  ])('of %j and %j has its reason', (a, b, reason) => {
    expect(conflicts(a, b)).toMatchObject([{ reason }]);
  });

  it('of a cell and a sentence gives first what the first document says', () => {
    const [cell, text] = ['{"name": "Acme Robotics", "employees": 1900}', 'Acme Robotics has 2,310 employees.'];
    expect(conflicts(cell, text, ['json', 'txt'])[0]?.reason).toMatch(/1900 in one and 2,310 in the other/);
    expect(conflicts(text, cell, ['txt', 'json'])[0]?.reason).toMatch(/2,310 in one and 1900 in the other/);
  });

  it.each([
    ['low', 'Acme has 1,900 employees.', 'Acme has 2,050 employees.'],
    ['medium', 'Acme has 1,900 employees.', 'Acme has 2,310 employees.'],
    ['critical', 'Acme has 1,900 employees.', 'Acme has 19,000 employees.'],
    ['critical', 'The Mill Lane plan was approved.', 'The Mill Lane plan was not approved.'],
  ])('is %s by how far the sides lie apart', (severity, a, b) => {
    expect(conflicts(a, b)).toMatchObject([{ severity }]);
  });

  it('is reported once, however often it is repeated', () => {
    const twice = 'Acme employs 1,900 people. In Rome it is known that Acme employs 1,900 people.';
    expect(conflicts(twice, 'Acme employs 2,310 people.')).toHaveLength(1);
  });

  it('is one of at most twenty', () => {
    const text = (factor: number) =>
      Array.from({ length: 40 }, (_, index) => `Plant${index} employs ${factor * (index + 100)} people.`).join(' ');
    expect(conflicts(text(1), text(3)).length).toBeLessThanOrEqual(MAX_CONFLICTS);
  });
});

describe('the work', () => {
  const filled = (text: string) => text.repeat(Math.ceil(100_000 / text.length)).slice(0, 100_000);
  const report = (factor: number) =>
    Array.from(
      { length: 1500 },
      (_, index) => `Acme sold ${factor * (index + 100)} boilers to the shops of region ${index % 40}.`,
    ).join(' ');

  it.each([
    ['one figure without end', filled('one hundred '), filled('one hundred ')],
    ['two figures without end', filled('Acme has 5 plants and 6 plants. '), filled('Acme has 7 plants and not 9. ')],
    ['two long reports on one firm', report(1), report(3)],
  ])('is bounded for %s', (_, one, other) => {
    const [a, b] = [claimSet(one), claimSet(other)];
    expect(pairsOf(sideOf(a), sideOf(b)).length).toBeLessThanOrEqual(MAX_PAIRS);
    const start = process.cpuUsage();
    reconcile(a, b);
    // Of CPU: far more than it takes, and far less than comparing all with all; however busy the machine is.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(20_000);
  });

  it('is left out for documents of other subjects, none of whose claims exclude each other', () => {
    const facts = [
      'employs 40 people',
      'does not employ 90 people',
      'is open',
      'was founded in 1990',
      'was founded in 2001',
    ];
    const subjects = [
      'Acme',
      'Acme Rail',
      'Bolt Works of Rome',
      'Rome',
      'The firm',
      'In Rome Acme',
      'It is so, and Acme',
    ];
    const sentence = fc.tuple(fc.constantFrom(...subjects), fc.constantFrom(...facts), fc.constantFrom('', ' in Rome'));
    const text = fc
      .array(sentence, { minLength: 1, maxLength: 3 })
      .map((sentences) => sentences.map((parts) => `${parts.join(' ')}.`).join(' '));
    let left = 0;
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [sideOf(claimSet(one)), sideOf(claimSet(other))];
        if (!a.sketch || !b.sketch || !areApart(a.sketch, b.sketch)) return;
        left++;
        for (const mine of a.claims)
          for (const theirs of b.claims) expect(compare(mine, theirs).verdict).not.toBe('incompatible');
      }),
      {
        numRuns: 500,
        // What nothing explains may be the other's subject.
        examples: [['It is so, and Acme was founded in 1990 in Rome.', 'Bolt Works was founded in 2001 in Rome.']],
      },
    );
    expect(left).toBeGreaterThan(10);
  });

  it('goes to the rarest words first', () => {
    const many = 'Acme sold 5 boilers. '.repeat(200);
    const found = conflicts(`${many}Acme employs 1,900 nurses.`, `${many}Acme employs 2,310 nurses.`);
    expect(found).toMatchObject([{ attribute: 'number of nurses' }]);
  });
});

describe('order', () => {
  const word = fc.constantFrom(
    'Acme',
    'Bolt',
    'has',
    'is',
    'was',
    'not',
    'no',
    '12',
    '40',
    '1,900',
    'people',
    'plants',
    'in',
    'Rome',
    'the',
    'CEO',
    'of',
    'open',
    'closed',
    'founded',
    '1990',
    '2001',
    'a',
    'Danish',
    'Swedish',
    'more',
    'than',
    'about',
    'approved',
  );
  const sentence = fc.array(word, { minLength: 3, maxLength: 9 }).map((words) => `${words.join(' ')}.`);
  const text = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(' '));
  const swapped = (found: ReturnType<typeof reconcile>) =>
    found.map(({ a, b, reason, swapped, groupA, groupB, valueA, valueB, ...rest }) => ({
      ...rest,
      a: b,
      b: a,
      reason: swapped,
      swapped: reason,
      groupA: groupB,
      groupB: groupA,
      valueA: valueB,
      valueB: valueA,
    }));

  it('of the documents changes nothing but the sides', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [claimSet(one), claimSet(other)];
        expect(swapped(reconcile(b, a))).toEqual(reconcile(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('of two claims changes nothing but the order of the reason', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const a of sideOf(claimSet(one)).claims)
          for (const b of sideOf(claimSet(other)).claims) expect(compare(a, b)).toEqual(turned(compare(b, a)));
      }),
      { numRuns: 500 },
    );
  });

  it('holds for claims that were stored', () => {
    const stored = (set: ClaimSet): ClaimSet => JSON.parse(JSON.stringify(set));
    const [a, b] = [claimSet('Acme has 1,900 employees.'), claimSet('Acme has 2,310 employees.')];
    expect(reconcile(stored(a), stored(b))).toEqual(reconcile(a, b));
  });

  it('is of no account for what agrees with itself', () => {
    fc.assert(
      fc.property(text, (one) => {
        const set = claimSet(one);
        expect([...reconcile(set, claimSet(one)), ...reconcile(set, set)]).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
