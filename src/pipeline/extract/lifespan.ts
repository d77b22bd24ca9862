/** Reads the dates in brackets after a name, as in 'Jane Doe (3 May 1921 – 8 June 1999)', as birth and death. */
import { stem } from '../lexicon/stem.ts';
import { type FoundQuantity, findQuantities } from '../values/find.ts';
import type { Quantity } from '../values/value.ts';
import type { Clause } from './clauses.ts';

export interface LifeDate {
  value: Quantity;
  attribute: string;
  label: string;
  shown: string;
}

const DASH = /\s*(?:--|[–—-])\s*/;
const YEAR_DAYS = 365;
/** Shorter stretches are terms of office and the like; nobody lives longer. */
const YEARS_LEAST = 15;
const MAX_YEARS = 115;
/** Other words in the brackets say what the dates are of. */
const MAX_WORDS = 1;

export function lifespanOf({ tokens, isAside }: Clause, figure: FoundQuantity, text: string): LifeDate[] {
  const { value, start, end, role } = figure;
  if (!isAside || role !== 'period' || value.dimension !== 'date' || value.low === null || value.high === null)
    return [];
  const years = (value.high - value.low) / YEAR_DAYS;
  if (years < YEARS_LEAST || years > MAX_YEARS) return [];
  if (tokens.filter(({ isContent, quantity }) => isContent && !quantity).length > MAX_WORDS) return [];
  const [birth = '', death = '', ...more] = text.slice(start, end).split(DASH);
  const [born, died] = [findQuantities(birth)[0], findQuantities(death)[0]];
  if (more.length > 0 || born?.value.dimension !== 'date' || died?.value.dimension !== 'date') return [];
  return [
    { value: born.value, attribute: stem('born'), label: 'date of birth', shown: birth },
    { value: died.value, attribute: stem('died'), label: 'date of death', shown: death },
  ];
}
