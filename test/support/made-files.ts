/** A folder's worth of made-up files of every type, the same each time, of which some contradict others. */

const SAYINGS: [string, (value: number) => string][] = [
  ['employees', (value) => `has ${(value * 37).toLocaleString('en')} employees`],
  ['founded', (value) => `was founded in ${1900 + (value % 120)}`],
  ['offices', (value) => `has ${value} offices`],
  ['tower', (value) => `has a tower that is ${value * 3} m high`],
  ['ships', (value) => `operates ${value} ships`],
  ['revenue', (value) => `had a revenue of €${value} million in 2024`],
];
const FIRST =
  'Acme Borealis Cobalt Delphi Ember Fjord Granite Harbour Iris Juniper Kestrel Lumen Meridian Nimbus Orchid'.split(
    ' ',
  );
const SECOND =
  'Robotics Logistics Marine Foods Optics Energy Textiles Mining Paper Glass Timber Steel Foundry Press'.split(' ');
const CITIES = 'Aarhus Bergen Cork Dresden Essen Faro Ghent Huelva Izmir Jena Kiel Lyon Malmo Nantes Oslo Porto'.split(
  ' ',
);

/** A third of all documents repeat what another says of the same firm, and a tenth of them give another value. */
const REPEATS = 3;
const DISAGREES = 10;

export function madeFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let n = 0; n < count; n++) {
    const about = n % REPEATS === 2 ? n - 1 : n;
    const [, say] = SAYINGS[about % SAYINGS.length] as (typeof SAYINGS)[number];
    const disagrees = about !== n && Math.floor(n / REPEATS) % DISAGREES === 0;
    const firm = `${FIRST[about % FIRST.length]} ${SECOND[about % SECOND.length]} ${CITIES[about % CITIES.length]} ${about}`;
    const sentence = `${firm} ${say(5 + (about % 400) + (disagrees ? 11 : 0))}.`;
    const [type, text] = written(n, firm, sentence);
    files[`part-${String(n % 25).padStart(2, '0')}/${Math.floor(n / 1000)}/file-${n}.${type}`] = text;
  }
  return files;
}

function written(n: number, firm: string, sentence: string): [string, string] {
  const forms: [string, string][] = [
    ['txt', `${sentence}\n`],
    ['md', `# Note ${n}\n\n${sentence}\n`],
    ['html', `<html><body><p>${sentence}</p></body></html>`],
    ['json', JSON.stringify({ note: sentence, number: n })],
    ['csv', `name,note\n${firm},"${sentence}"\n`],
  ];
  // Most are text, as most folders are.
  return forms[n % 10 < 6 ? 0 : (n % 10) - 5] as [string, string];
}
