/** How much is measured. BENCH_QUICK=true is for trying a change out: its figures say little, and no file is written. */

export const QUICK = process.env.BENCH_QUICK === 'true';

export const ROUNDS = QUICK ? 1 : 5;
export const SLICE_MS = QUICK ? 1500 : 4000;
/** Documents of one scope: the rate is taken where so many are processed, and again at so many. */
export const FEW = 1000;
export const MANY = QUICK ? 10_000 : 100_000;
