/** Every figure, in the order of the table. */
import { acceptFigures } from './accept/figures.ts';
import { bulkFigures } from './bulk/figures.ts';
import type { Figure } from './figure.ts';
import { followFigures } from './follow/figures.ts';
import { processFigures } from './process/figures.ts';
import { readFigures } from './read/figures.ts';

export const figures: Figure[] = [
  ...processFigures,
  ...acceptFigures,
  ...readFigures,
  ...followFigures,
  ...bulkFigures,
];
