/** Every figure, in the order of the table. */
import { acceptFigures } from './accept/figures.ts';
import type { Figure } from './figure.ts';
import { processFigures } from './process/figures.ts';

export const figures: Figure[] = [...processFigures, ...acceptFigures];
