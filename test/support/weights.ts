/** Of the dimensions of convergence, as the configuration has them by default. */
export const WEIGHTS = { agreement: 0.55, coverage: 0.25, stability: 0.15, corroboration: 0.05 };
