/** Convergence, measured as the configuration has it by default. */
import { Convergence } from '../../src/domain/convergence.ts';

export const convergence = new Convergence({ agreement: 0.55, coverage: 0.25, stability: 0.15, corroboration: 0.05 });
