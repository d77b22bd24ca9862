/** How much is measured. BENCH_QUICK=true is for trying a change out: its figures say little, and no file is written. */

export const QUICK = process.env.BENCH_QUICK === 'true';

export const ROUNDS = QUICK ? 1 : 5;
export const SLICE_MS = QUICK ? 1500 : 4000;
/** Documents that a scope holds before it is measured. */
export const FEW = 1000;
export const MANY = QUICK ? 10_000 : 100_000;
/** What a rate is taken over. */
export const STRETCH = QUICK ? 100 : 250;
