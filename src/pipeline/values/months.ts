/** Names of stretches of the calendar. */

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');

/** From 1. Only with a capital: 'may' and 'march' are verbs. */
export const MONTHS = new Map<string, number>([
  ...MONTH_NAMES.map((name, index) => [name, index + 1] as const),
  ...MONTH_NAMES.map((name, index) => [name.slice(0, 3), index + 1] as const),
  ['sept', 9],
]);

/** First and last month; a winter may be the one at either end of the year. */
export const SEASONS = new Map<string, readonly [number, number]>([
  ['spring', [3, 6]],
  ['summer', [6, 9]],
  ['autumn', [9, 12]],
  ['fall', [9, 12]],
  ['winter', [-1, 15]],
]);

export const BEFORE_CHRIST = new Set(['bc', 'bce']);
export const AFTER_CHRIST = new Set(['ad', 'ce']);

/** Part of a stretch, in twelfths: 'early' is its first half, since not everybody means the same by it. */
export const STAGES = new Map<string, readonly [number, number]>([
  ['early', [0, 6]],
  ['beginning of', [0, 6]],
  ['start of', [0, 6]],
  ['first half of', [0, 6]],
  ['mid', [3, 9]],
  ['middle of', [3, 9]],
  ['late', [6, 12]],
  ['end of', [6, 12]],
  ['second half of', [6, 12]],
]);
