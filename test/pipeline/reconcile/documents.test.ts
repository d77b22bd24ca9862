/** Documents that are made alike and are about different things: what they have in common is their form. */
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../src/pipeline/extract/keys.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { claimSet } from '../extract/read-claims.ts';

function reasons(a: string, b: string, type: string): string[] {
  const [one, other] = [claimSet(a, type), claimSet(b, type)];
  const keys = new Set(keysOf(one));
  return keysOf(other).some((key) => keys.has(key)) ? reconcile(one, other).map(({ reason }) => reason) : [];
}

const page = (title: string, relay: string) =>
  `---\ntitle: ${title}\nboard: esp32\n---\n\n## GPIO Pinout\n\n| Property | Value |\n|---|---|\n| GPIO5 | ${relay} |\n| GPIO6 | LED |\n`;
const weighed = (title: string, weight: number, more = '') =>
  `---\nlayout: docs\nweight: ${weight}\ntitle: ${title}\n${more}---\n\nIt is a tree.\n`;
const SEO = 'seo:\n  title: The best trees\n';
const wiring = (model: string, pin: string) =>
  `# Heron ${model} Wiring Guide\n\n## Power\n\n| Pin | Signal | Volt |\n|---|---|---|\n| 4 (black) | ${pin} | 3.3 V |\n| 5 (black) | GND | 0 V |\n`;
const credits = (name: string) =>
  `# Installation\n\nRun the installer.\n\n# Details\n\n### Additional Details\n\n- Dependencies: ${name}\n\n# Credits\n\nThese definitions were written by ${name} Holm.\n`;
const source = (state: string, id: string) =>
  JSON.stringify({
    coverage: { country: 'de', state },
    layers: { addresses: [{ name: 'city', conform: { format: 'geojson', pid: id }, protocol: id }] },
  });
const faiths = (first: string, last: string) =>
  JSON.stringify({
    People: { Religions: { text: `Methodist ${first}, Adventist 3%, Anglican and Baptist 2%, other 1% (2011 est.)` } },
    Energy: {
      a: 1,
      b: 2,
      c: 3,
      d: 4,
      Note: { text: `Methodist ${last}, Adventist 4%, Anglican and Baptist 1% (2011 est.)` },
    },
  });
const manual = (name: string, version: string, see: string) =>
  `${name}(1)\n\nNAME\n       ${name} - does a thing\n\nAPI REFERENCE\n       This command uses the ledger/${version} API.\n\nSEE ALSO\n       ${see}\n`;
const about = (title: string, rest: string) =>
  `# ${title}\n\nRunning it is easy. It has a page of its own. People like it. Some do not. There is more below. ${rest}`;

describe('alike', () => {
  it.each([
    ['a page with a title before all else', 'md', page('Dingtian R16', 'Relay'), page('Emporia Plug', 'Meter')],
    ['a title behind other fields', 'md', weighed('Elm', 10), weighed('Ash', 20)],
    ['a title of something within', 'md', weighed('Elm', 10, SEO), weighed('Ash', 20, SEO)],
    ['a letter after a number', 'md', wiring('6C', 'VOLTAGE'), wiring('6X', 'SDA')],
    ['sections and no title', 'md', credits('Ada'), credits('Berta')],
    ['keys that say what sort it is', 'json', source('nw', 'UPC'), source('st', 'PARID')],
    ['figures in a row', 'json', faiths('72.8%', '12%'), faiths('70.2%', '19%')],
    ['headings in capitals', 'txt', manual('larch', 'v1', 'ash(7)'), manual('maple', 'v1beta', 'elm(1)')],
    [
      'the text of a link and a sentence that denies',
      'md',
      about('Elm', '\n\n- Latin abbreviations\n'),
      about('Ash', 'Please do not use Latin abbreviations.'),
    ],
    [
      'a word that only begins a sentence',
      'md',
      about('Elm', 'Last release was on 28 August 2016.'),
      about('Ash', 'Last release was on 2 July 2017.'),
    ],
    [
      'what is to be done',
      'md',
      about('Elm', 'Connect all 6 pins as shown.'),
      about('Ash', 'Connect all 4 pins as shown.'),
    ],
    [
      'what may or may not be',
      'md',
      about('Oak', 'Members of Fenwick Club may or may not vote in June.'),
      about('Oak', 'Members of Fenwick Club vote in June.'),
    ],
  ])('by %s: nothing', (_, type, a, b) => {
    expect(reasons(a, b, type)).toEqual([]);
  });

  it.each([
    ['the title before all else', 'md', page('Dingtian R16', 'Relay'), page('Dingtian R16', 'Meter')],
    ['the letter, too', 'md', wiring('6C', 'VOLTAGE'), wiring('6C', 'SDA')],
    [
      'a name within',
      'json',
      '{"data": [{"name": "Elm Row", "rooms": 12}]}',
      '{"data": [{"name": "Elm Row", "rooms": 14}]}',
    ],
    [
      'a name in a script without capitals',
      'json',
      '{"data": [{"name": "北京", "rooms": 12}]}',
      '{"data": [{"name": "北京", "rooms": 14}]}',
    ],
    [
      'a section that is named after what the text speaks of',
      'md',
      '# Safety review\n\nWe saw Fenwick Mill.\n\n## Fenwick Mill\n\nIt has 30 pumps.\n',
      '# Annual survey\n\nFenwick Mill was visited.\n\n## Fenwick Mill\n\nIt has 41 pumps.\n',
    ],
  ])('by %s: one', (_, type, a, b) => {
    expect(reasons(a, b, type)).toHaveLength(1);
  });
});

/** Two firms that speak of themselves, each with a text long enough to be about many things. */
const spoken = (who: string, said: string) =>
  `Operator:\nGood morning. We are glad to speak for ${who}.\n\nOperator:\n${said}\n\nOperator:\nThere is much more to say. Some of it is new. The rest is old.\n`;

describe('spoken of oneself', () => {
  it.each([
    ['a measure that is an amount', 'EPS was $0.64 for the quarter.', 'EPS was $0.32 for the quarter.'],
    ['a measure that somebody has', 'Our SLA is long. SLA breaches were 12.', 'Our SLA is long. SLA breaches were 15.'],
    [
      'a measure that rose',
      'A rise in EPS of $1 came. EPS days were 12.',
      'A rise in EPS of $1 came. EPS days were 15.',
    ],
    ['a measure that is higher', 'EPS was 12% higher. EPS days were 12.', 'EPS was 12% higher. EPS days were 15.'],
    [
      'a measure by which something is divided',
      'EBITDA was $4. Debt by EBITDA is low. EBITDA days were 12.',
      'EBITDA was $4. Debt by EBITDA is low. EBITDA days were 15.',
    ],
    ['who speaks', 'They have 12 doors in all.', 'They have 15 doors in all.'],
    [
      'what went on',
      '[Operator Instructions] The hall has 12 doors.',
      '[Operator Instructions] The hall has 15 doors.',
    ],
    ['what went on, in one word', '[Laughter] The hall has 12 doors.', '[Laughter] The hall has 15 doors.'],
    ['what went on, in round brackets', '(Music) the hall has 12 doors.', '(Music) the hall has 15 doors.'],
    ['an adjective before a measure', 'Adjusted EBITDA of $4 is adjusted.', 'Adjusted EBITDA of $5 is adjusted.'],
  ])('%s is no name', (_, a, b) => {
    expect(reasons(spoken('Kestrel', a), spoken('Fenwick', b), 'txt')).toEqual([]);
  });

  it.each([
    [
      'a country with a rate',
      'VAT in the UK is 20%. The UK has 12 ports.',
      'VAT in the UK is 20%. The UK has 15 ports.',
    ],
    [
      'a firm with a price',
      'A share of IBM was $140. IBM uses 12 halls.',
      'A share of IBM was $140. IBM uses 15 halls.',
    ],
    [
      'a firm that is owned',
      'HSBC is 12% owned by them. HSBC uses 12 halls.',
      'HSBC is 12% owned by them. HSBC uses 15 halls.',
    ],
    [
      'a firm that owns something',
      "IBM was $140 on Friday. The halls are those of IBM's staff. IBM uses 12 halls.",
      "IBM was $140 on Friday. The halls are those of IBM's staff. IBM uses 15 halls.",
    ],
    ['a firm in capitals', 'IBM has 12 plants in Lund.', 'IBM has 15 plants in Lund.'],
    [
      'a word that mostly has its capital',
      'Shell has 12 plants in Lund. We met Shell, and Shell drew a shell.',
      'Shell has 15 plants in Lund. We met Shell, and Shell drew a shell.',
    ],
    ['a number with letters', 'The total of invoice INV-2024-10 is €10.', 'The total of invoice INV-2024-10 is €12.'],
    [
      'what one word in brackets is of',
      '[Lund] Timeout of the gateway is 12 seconds.',
      '[Lund] Timeout of the gateway is 15 seconds.',
    ],
    ['what stands in brackets within', '[Kestrel] has 12 plants in Lund.', '[Kestrel] has 15 plants in Lund.'],
  ])('%s is one', (_, a, b) => {
    expect(reasons(spoken('Kestrel', a), spoken('Fenwick', b), 'txt')).toHaveLength(1);
  });
});

it.each([
  ['a heading', 'md', '# Kestrel Pool\n\n## WHEN\n\n- Price: EUR 5\n- Lanes: 4\n', 'Morning', 'Evening'],
  [
    'a heading that could be a greeting',
    'md',
    '# Kestrel Pool\n\n## WHEN\n\n- Price: EUR 5\n- Lanes: 4\n',
    'Welcome',
    'Good Day',
  ],
])('%s tells what is below it, and is not left out as a greeting', (_, type, sheet, a, b) => {
  const other = sheet.replace('EUR 5', 'EUR 7');
  expect(reasons(sheet.replace('WHEN', a), other.replace('WHEN', b), type)).toEqual([]);
  expect(reasons(sheet.replace('WHEN', a), other.replace('WHEN', a), type)).toHaveLength(1);
});

it.each([
  ['Good morning, everyone.', 1],
  ['Thank you very much.', 1],
  ['Morning.', 2],
  ['All day.', 2],
])('With %s before it, a sentence makes a text of %i', (greeting, sentences) => {
  expect(claimSet(`${greeting} The Kestrel pool opens at seven.`, 'txt').profile.sentences).toBe(sentences);
});

it.each([
  ['Timeout of the gateway is 30 seconds.', 'Timeout of the gateway is 60 seconds.'],
  ['timeout of the gateway is 30 seconds.', 'timeout of the gateway is 60 seconds.'],
  ['has 12 plants in Lund.', 'has 15 plants in Lund.'],
])('One word in brackets may tell what a sentence is of: %s', (a, b) => {
  expect(reasons(`[Kestrel] ${a}`, `[Heron] ${b}`, 'txt')).toEqual([]);
  expect(reasons(`(Kestrel) ${a}`, `(Heron) ${b}`, 'txt')).toEqual([]);
  expect(reasons(`[Kestrel] ${a}`, `[Kestrel] ${b}`, 'txt')).toHaveLength(1);
  expect(reasons(`[Kestrel] ${a}`, `(Kestrel) ${b}`, 'txt')).toHaveLength(1);
});

it('A number or a letter in brackets tells nothing', () => {
  const text = (mark: string, seconds: number) => `${mark}he timeout of Kestrel Gate is ${seconds} seconds.`;
  expect(reasons(text('[6] T', 30), text('[7] T', 60), 'txt')).toHaveLength(1);
  expect(reasons(text('[T]', 30), text('T', 60), 'txt')).toHaveLength(1);
});
