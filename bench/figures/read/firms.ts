/** What is said of firms, the same of each: so scopes of any size, and documents of any length, are of one shape. */
import { firm, TOWNS } from '../../pipeline/prose.ts';

/** Four documents disagree on one thing, in two pairs, three and two agree on others, and one says something alone. */
const SAYINGS: ((name: string, nth: number) => string)[] = [
  ...[1000, 1000, 3000, 3000].map(
    (least) => (name: string, nth: number) => `${name} has ${(least + (nth % 900)).toLocaleString('en')} employees.`,
  ),
  ...[1, 2, 3].map(() => (name: string, nth: number) => `${name} was founded in ${1900 + (nth % 100)}.`),
  ...[1, 2].map(() => (name: string, nth: number) => `The headquarters of ${name} are in ${townOf(nth)}.`),
  (name, nth) => `${name} has a fleet of ${2 + (nth % 50)} ships in ${townOf(nth)}.`,
];

const townOf = (nth: number) => TOWNS[nth % TOWNS.length] as string;

/** How many documents speak of each firm. */
export const OF_A_FIRM = SAYINGS.length;

/** What the nth of so many documents says; those on one firm are far from each other. */
export function sayingOf(nth: number, documents: number): string {
  const firms = Math.ceil(documents / OF_A_FIRM);
  return (SAYINGS[Math.floor(nth / firms)] as (typeof SAYINGS)[0])(firm(nth % firms), nth % firms);
}

/** Of so many sentences, on a firm each: two documents after each other speak of the same firms, and disagree on every second. */
export function longText(nth: number, sentences: number): string {
  const first = Math.floor(nth / 2) * sentences;
  return Array.from({ length: sentences }, (_, at) =>
    (SAYINGS[at % 2 === 0 ? 4 : 2 * (nth % 2)] as (typeof SAYINGS)[0])(firm(first + at), first + at),
  ).join(' ');
}
