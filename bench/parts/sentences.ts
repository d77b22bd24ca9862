/** Documents of one sentence, about 160 characters, with varied names and figures; the same in every run. */
import { firm, MONTHS, randomFrom, TOWNS } from '../pipeline/prose.ts';
import type { Tenant } from './stores.ts';

type Random = ReturnType<typeof randomFrom>;

export interface Sentence {
  /** By number: documents come to the scopes in turn. */
  scope: number;
  name: string;
  text: string;
}

export interface SentencesOptions {
  seed: number;
  scopes: number;
  /** How many documents a scope is to hold in the end. */
  perScope: number;
}

const FIRST =
  'Anna Marek Clara Tom Ines Jan Lena Paul Sofia Emil Nora Karl Ida Hugo Vera Otto Maja Luis Elsa Finn'.split(' ');
const LAST =
  'Larsen Novak Jensen Becker Costa Fischer Martin Moreau Olsen Weber Silva Kovacs Rossi Lindqvist Dubois Maier Brandt'.split(
    ' ',
  );

/**
 * Each firm is spoken of by so many documents of a scope, however large it is: with one list of firms for all sizes, either
 * a large scope would have more to compare for each document, or a small one nothing.
 */
const OF_A_FIRM = 12;
/** In a scope of a few documents, not all are about the same firm. */
const FEWEST_FIRMS = 8;

const pick = (random: Random, list: string[]) => list[random(list.length)] as string;
const person = (random: Random) => `${pick(random, FIRST)} ${pick(random, LAST)}`;
const town = (random: Random) => pick(random, TOWNS);
const figure = (random: Random, most: number) => (1 + random(most)).toLocaleString('en');
const year = (random: Random) => 1990 + random(36);
const month = (random: Random) => `${pick(random, MONTHS)} ${year(random)}`;
const day = (random: Random) => `${1 + random(28)} ${month(random)}`;

const TEMPLATES: ((random: Random, name: string) => string)[] = [
  (random, name) =>
    `${name} reported revenue of ${figure(random, 900)} million euros for ${year(random)}, up ${1 + random(30)}% on the year before, and its plant in ${town(random)} now employs ${figure(random, 9000)} people on two shifts a day.`,
  (random, name) =>
    `The lease that ${name} signed with ${person(random)} on ${day(random)} sets the annual rent of the warehouse in ${town(random)} at ${figure(random, 90_000)} euros and runs for ${2 + random(18)} years.`,
  (random, name) =>
    `According to ${person(random)}, ${name} delivered ${figure(random, 5000)} tonnes of steel to ${town(random)} in ${month(random)}, which is ${1 + random(40)}% less than the two of them had agreed on in writing.`,
  (random, name) =>
    `${name}, founded in ${year(random)} by ${person(random)}, moved its headquarters to ${town(random)} in ${month(random)} and today has ${figure(random, 9000)} employees in ${2 + random(30)} countries of Europe and Asia.`,
  (random, name) =>
    `The inspection of ${name} in ${town(random)} on ${day(random)} found ${1 + random(50)} serious defects, and ${person(random)} approved a budget of ${figure(random, 90_000)} euros for the necessary repairs.`,
  (random, name) =>
    `${person(random)} has been the chief executive of ${name} since ${month(random)} and owns ${1 + random(60)}% of its shares, which are now traded on the exchange in ${town(random)} at ${figure(random, 400)} euros.`,
  (random, name) =>
    `Under the contract of ${day(random)}, ${name} pays ${figure(random, 9000)} euros for each of ${2 + random(40)} shipments to ${town(random)}, and ${person(random)} may cancel it within ${5 + random(80)} days of notice.`,
  (random, name) =>
    `The board of ${name} decided on ${day(random)} to close ${1 + random(20)} of its offices near ${town(random)}, although ${person(random)} had expected a profit of ${figure(random, 900)} million euros.`,
];

/** Without an end: as many are taken as are needed. */
export function* sentencesOf({ seed, scopes, perScope }: SentencesOptions): Generator<Sentence, never> {
  const random = randomFrom(seed);
  const firms = Math.max(FEWEST_FIRMS, Math.ceil(perScope / OF_A_FIRM));
  for (let n = 0; ; n++) {
    const scope = n % scopes;
    const name = firm(scope * firms + random(firms));
    yield {
      scope,
      name: `Note ${n}`,
      text: (TEMPLATES[random(TEMPLATES.length)] as (typeof TEMPLATES)[0])(random, name),
    };
  }
}

export const take = <Item>(items: Iterator<Item>, count: number): Item[] =>
  Array.from({ length: count }, () => items.next().value as Item);

export const scopeIdOf = (scope: number) => `scope-${scope}`;

/** Scopes belong to the tenants in turn. */
export const tenantOf = (tenants: Tenant[], scope: number) => tenants[scope % tenants.length] as Tenant;
