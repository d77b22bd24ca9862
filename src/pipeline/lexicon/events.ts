/** What happens once to a thing, so that it has one date. */
import { stem } from './stem.ts';

export const EVENTS = new Set(
  `born died founded established formed created co-founded began started ended finished closed opened launched released
published premiered aired debuted built constructed completed demolished married divorced retired joined signed graduated
elected appointed resigned left acquired merged introduced invented discovered recorded wrote produced shot arrived killed murdered
assassinated crowned inaugurated incorporated dissolved disbanded abolished renamed rolled issued expired terminated ratified
sentenced executed buried baptised beatified canonised commissioned decommissioned sank crashed`
    .split(/\s+/)
    .map((word) => stem(word)),
);

/** What may be said of one event in other words; all others are events of their own. */
const ALIKE = [
  'founded established formed created co-founded started began launched incorporated introduced opened',
  'released published premiered aired debuted issued launched',
  'built constructed completed opened finished',
  'died killed murdered assassinated executed',
  'ended finished closed completed dissolved disbanded abolished terminated expired',
  'shot recorded produced',
].map((words) => new Set(words.split(' ').map((word) => stem(word))));

/** Of the stems of two verbs. */
export function areOtherEvents(one: string, other: string): boolean {
  if (one === other || !EVENTS.has(one) || !EVENTS.has(other)) return false;
  return !ALIKE.some((words) => words.has(one) && words.has(other));
}
