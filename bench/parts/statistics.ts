/** Medians, quantiles and ratios of what was measured. Pure. */

const sorted = (values: number[]) => [...values].sort((a, b) => a - b);

export const median = (values: number[]) => sorted(values)[values.length >> 1] as number;

/** The smallest value that at least this share of all does not exceed. */
export const quantile = (values: number[], share: number) =>
  sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

/** Of what was measured side by side, round by round: a machine that slows down then slows both. */
export const medianRatio = (ours: number[], others: number[]) =>
  median(ours.map((value, round) => value / (others[round] as number)));
