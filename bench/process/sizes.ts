/** How much is measured. BENCH_QUICK=true is for trying a change out: its figures say little, and no file is written. */

export const QUICK = process.env.BENCH_QUICK === 'true';

export const ROUNDS = QUICK ? 1 : 3;
/** What a rate is measured over at most. */
export const SLICE_S = QUICK ? 3 : 6;
export const OPEN_LOOP_S = QUICK ? 4 : 8;
/** For the no-op pipeline: plain texts of 2 KB in 100 scopes of 10 tenants. */
export const PLAIN = QUICK ? 30_000 : 100_000;
/** One for each of as many documents; fewer, since they take so much longer. */
export const JOBS = QUICK ? 10_000 : 40_000;
/** For the no-op pipeline too, but with a scope for each document: nothing to take together. */
export const SPARSE = QUICK ? 5000 : 20_000;
/** One tenant's, in 1,000 scopes: documents of several types and of 1 to 20 KB. */
export const DEEP = QUICK ? 30_000 : 100_000;
export const DEEP_SCOPES = QUICK ? 300 : 1000;
/** A light tenant's documents, one after the other. */
export const SAMPLES = QUICK ? 10 : 40;
export const READS = QUICK ? 100 : 400;
/** In one scope, and waiting in all. */
export const STORED = Number(process.env.BENCH_STORED ?? (QUICK ? 100_000 : 1_000_000));
/** Waiting in all, to compare with. */
export const FEW = 10_000;
