/** How much is measured. BENCH_QUICK=true is for trying a change out: its figures say little, and no file is written. */

export const QUICK = process.env.BENCH_QUICK === 'true';

export const ROUNDS = QUICK ? 1 : 3;
/** Written a second, and for how long, while they are counted and timed. */
export const EVENTS_PER_S = 200;
export const DELIVERY_S = QUICK ? 4 : 8;
/** Twenty for each scope. */
export const STREAMS = 1000;
export const ACCEPTING_STREAMS = 100;
export const ACCEPTING_S = QUICK ? 3 : 5;
/** More of them, since it hangs on the whole machine. */
export const ACCEPTING_ROUNDS = QUICK ? 1 : 5;
export const IDLE_STREAMS = 2000;
