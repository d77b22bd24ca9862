/** Prose that says things: reports on firms, their figures and their dates, the same in every run. */
import { fractionsFrom } from '../parts/random.ts';

const SYLLABLES = 'ba be bo da de do fa fe fo ka ke ko la le lo ma me mo na ne no ra re ro sa se so ta te to'.split(
  ' ',
);
const SECOND =
  'Robotics Foods Shipping Energy Textiles Optics Mining Logistics Pharma Software Timber Rail Dairy Steel Paper'.split(
    ' ',
  );
export const TOWNS =
  'Aarhus Bergen Cork Dresden Espoo Faro Ghent Haarlem Innsbruck Jena Kaunas Lublin Malmo Nantes Oulu'.split(' ');
const PEOPLE = 'Anna Larsen,Marek Novak,Clara Jensen,Tom Becker,Ines Costa,Jan de Vries,Lena Fischer,Paul Martin'.split(
  ',',
);
export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Whole numbers below what is asked for, the same in every run. */
export function randomFrom(seed: number): (most: number) => number {
  const fraction = fractionsFrom(seed);
  return (most) => Math.floor(fraction() * most);
}

type Random = ReturnType<typeof randomFrom>;
const pick = (random: Random, list: string[]) => list[random(list.length)] as string;
const figure = (random: Random, most: number) => (1 + random(most)).toLocaleString('en');

/** The nth of 27,000 firms, each with a name of its own. */
export function firm(n: number): string {
  const syllable = (place: number) => SYLLABLES[Math.floor(n / 30 ** place) % 30] as string;
  const name = `v${syllable(2)}${syllable(0)}${syllable(1)}n`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${SECOND[n % SECOND.length]}`;
}

const TEMPLATES: ((random: Random, name: string) => string)[] = [
  (random, name) => `${name} has ${figure(random, 9000)} employees in ${1 + random(30)} countries.`,
  (random) =>
    `The firm was founded in ${1900 + random(120)} by ${pick(random, PEOPLE)} and moved to ${pick(random, TOWNS)} a decade later.`,
  (random, name) =>
    `In ${2015 + random(10)}, revenue of ${name} rose by ${1 + random(20)}% to €${1 + random(900)} million, more than analysts had expected.`,
  (random) =>
    `Its headquarters are in ${pick(random, TOWNS)}, where about ${figure(random, 2000)} people work on the new line.`,
  (random, name) =>
    `${pick(random, PEOPLE)} is the chief executive of ${name}, although the board has not confirmed the contract.`,
  (random) =>
    `The plant in ${pick(random, TOWNS)} was closed on ${1 + random(28)} ${pick(random, MONTHS)} ${2000 + random(25)} after the inspection failed.`,
  (random) =>
    `According to the report, the supplier delivers between ${1 + random(50)} and ${60 + random(50)} tonnes a week, unless the weather is bad.`,
  (random) =>
    `None of the ${2 + random(20)} warehouses was damaged, and the insurance does not cover the loss of ${1 + random(90)} km of track.`,
  (random, name) =>
    `If the merger goes ahead, ${name} would own at least ${1 + random(99)}% of the shares by ${pick(random, MONTHS)}.`,
  () =>
    `Customers have praised the service for its quick answers, and the garden behind the office is open to visitors in summer.`,
];

/** About one firm, at least so long. */
export function report(random: Random, n: number, characters: number): string {
  const name = firm(n);
  let text = `${name} is a company based in ${pick(random, TOWNS)}.`;
  for (let sentences = 1; text.length < characters; sentences++)
    text += `${sentences % 6 === 0 ? '\n\n' : ' '}${TEMPLATES[random(TEMPLATES.length)]?.(random, name)}`;
  return text;
}
