/** Names of stretches of the calendar. */

export const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');

export const MONTHS = new Set(MONTH_NAMES);

/** From 1, with the short forms. Only with a capital: 'may' and 'march' are verbs. */
export const MONTH_NUMBERS = new Map<string, number>([
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

/** Part of a stretch, in twelfths: 'early' is its first half, since not everybody means the same by it. */
export const STAGES = new Map<string, readonly [number, number]>([
  ...['early', 'beginning of', 'start of', 'first half of'].map((phrase) => [phrase, [0, 6]] as const),
  ...['mid', 'middle of'].map((phrase) => [phrase, [3, 9]] as const),
  ...['late', 'end of', 'second half of'].map((phrase) => [phrase, [6, 12]] as const),
]);
