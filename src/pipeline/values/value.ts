/** What a claim says of its subject: a stretch of some scale, a set of names, or words. */

export type Dimension =
  | 'count'
  | 'ratio'
  | 'percent'
  | 'ordinal'
  | 'money'
  | 'length'
  | 'mass'
  | 'volume'
  | 'area'
  | 'temperature'
  | 'time'
  | 'data'
  | 'power'
  | 'speed'
  | 'clock'
  | 'date';

/** The unit of dates that come back every year; they lie in 2000. */
export const YEARLESS = 'yearless';

/**
 * A stretch from `low` to `high` in the base unit of its dimension; dates are days since 1970. Exact values have both ends
 * alike; an end that nothing bounds is null. 'June 2021' is the stretch of that month.
 */
export interface Quantity {
  dimension: Dimension;
  /**
   * What is counted or measured in, when that cannot be converted: 'eur' for money, '/time' for a rate, `YEARLESS` for
   * some dates; '' otherwise.
   */
  unit: string;
  low: number | null;
  high: number | null;
  /** Whether the ends themselves are left out: 'more than 300' has an open low end. */
  lowOpen: boolean;
  highOpen: boolean;
  /** The size of the last digit given: 2,300 may be rounded to 100, 'June 2021' to a month. */
  precision: number;
  approximate: boolean;
}

export function stretchOf(
  dimension: Dimension,
  unit: string,
  [low, high]: [low: number | null, high: number | null],
  precision: number,
): Quantity {
  return {
    dimension,
    unit,
    low,
    high,
    lowOpen: false,
    highOpen: false,
    precision,
    approximate: false,
  };
}

/** Compatible ones can both be true: one is a looser or a more precise form of the other. */
export type Comparison = 'equal' | 'compatible' | 'incompatible' | 'incomparable';
