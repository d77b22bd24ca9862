import { Chance } from '../../storm/chance.ts';

/** Numbers from 0 up to 1 that are the same in every run: they come again after four billion. */
export function fractionsFrom(seed: number): () => number {
  const chance = new Chance(seed);
  return () => chance.next();
}
