/** What happens once to a thing, so that it has one date. */
import { stem } from './stem.ts';

export const EVENTS = new Set(
  `born died founded established formed created co-founded began started ended finished closed opened launched released
published premiered aired debuted built constructed completed demolished married divorced retired joined signed graduated
elected appointed resigned acquired merged introduced invented discovered recorded wrote produced shot arrived killed murdered
assassinated crowned inaugurated incorporated dissolved disbanded abolished renamed rolled issued expired terminated ratified
sentenced executed buried baptised beatified canonised commissioned decommissioned sank crashed`
    .split(/\s+/)
    .map((word) => stem(word)),
);
