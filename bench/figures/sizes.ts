/** How much is measured for each figure. The quick form shows that it works; its figures say little. */

export const QUICK = process.env.BENCH_QUICK === 'true';

/** Odd, so that the median is one of them. */
export const ROUNDS = QUICK ? 1 : 5;
/** A slice of load by wrk, in seconds. */
export const SLICE_S = QUICK ? 2 : 5;
/**
 * Documents before each measurement, so that no code is new: V8 goes on compiling the rules for some thousands, in which a
 * document takes up to twice the time, and a service is started once.
 */
export const WARM_UP = QUICK ? 100 : 8000;
/** Not of any seed that is measured: what is read twice would be known already. */
export const WARM_UP_SEED = 99;

/** Documents of a round, by shape. The scopes do not shrink in the quick form: the shape is what is measured. */
export const FIFTY = QUICK ? 500 : 5000;
export const PAIRS = QUICK ? 400 : 4000;
export const ONE = QUICK ? 400 : 4000;
/** In thirty scopes, whose indexes take five times the room that they are given in megabytes. */
export const CROWDED = QUICK ? { documents: 600, room: 1 } : { documents: 15_000, room: 8 };

/** Scopes with one document each. */
export const SINGLES = QUICK ? 400 : 10_000;
export const JOBS_ROUNDS = QUICK ? 1 : 3;

/** Documents that wait while others are measured: more than are processed meanwhile. */
export const BACKLOG = QUICK ? 6000 : 40_000;
/** How long latencies are collected each time. */
export const LATENCY_S = QUICK ? 2 : 10;
export const LATENCY_ROUNDS = QUICK ? 1 : 3;

export const LARGE = QUICK ? { many: 2000, few: 200 } : { many: 100_000, few: 10_000 };
export const LARGE_STRETCH = QUICK ? 100 : 1000;

/** Documents in the scopes that are read, and how often each list is. */
export const READ = QUICK ? { many: 3000, few: 300 } : { many: 100_000, few: 1000 };
/** Documents of the scopes whose facts are read, and how long they are: the longest have as many claims as are ever taken from one. */
export const LONG = [
  { documents: QUICK ? 200 : 1000, sentences: 1 },
  { documents: QUICK ? 20 : 200, sentences: 10 },
  { documents: QUICK ? 4 : 100, sentences: 100 },
  { documents: QUICK ? 2 : 40, sentences: 500 },
];
export const READS = QUICK ? 20 : 100;

/** Documents of the scope that is exported. */
export const EXPORTED = QUICK ? 5000 : 100_000;

export const VERSIONS = { many: 100_000, few: 10 };
export const VERSIONS_SAMPLES = QUICK ? 10 : 100;

export const MEMORY = QUICK
  ? { documents: 5000, scopes: 50, first: 500 }
  : { documents: 1_000_000, scopes: 10_000, first: 1000 };

/** Of one stream. */
export const STREAM_LINES = QUICK ? 20_000 : 1_000_000;

export const SNAPSHOT_S = QUICK ? 5 : 600;
