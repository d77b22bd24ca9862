/** Numbers in words: cardinals, magnitudes, ordinals and the names of parts. */

const list = (words: string) => words.split(' ');
const UNDER_TWENTY = list(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen',
);
const TENS = list('twenty thirty forty fifty sixty seventy eighty ninety');

export const CARDINALS = new Map<string, number>([
  ...UNDER_TWENTY.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);

/** In words they multiply what stands before; after digits, too. */
export const MAGNITUDES = new Map<string, number>([
  ['hundred', 100],
  ['dozen', 12],
  ['thousand', 1e3],
  ['lakh', 1e5],
  ['lakhs', 1e5],
  ['million', 1e6],
  ['mn', 1e6],
  ['mln', 1e6],
  ['bln', 1e9],
  ['trn', 1e12],
  ['crore', 1e7],
  ['crores', 1e7],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
  ['tn', 1e12],
]);

/** Letters glued to digits. What a small m means is for money and lengths to say. */
export const LETTER_MAGNITUDES = new Map<string, number>([
  ['k', 1e3],
  ['K', 1e3],
  ['M', 1e6],
  ['mn', 1e6],
  ['bn', 1e9],
  ['Bn', 1e9],
  ['BN', 1e9],
  ['tn', 1e12],
]);

/** After an amount of money, also with a blank between. */
export const MONEY_MAGNITUDES = new Map<string, number>([
  ['m', 1e6],
  ['M', 1e6],
  ['mm', 1e6],
  ['MM', 1e6],
  ['b', 1e9],
  ['B', 1e9],
  ['t', 1e12],
  ['T', 1e12],
]);

/** At least so many, and nobody says how many. */
export const VAGUE = new Map<string, number>([
  ['dozens', 24],
  ['hundreds', 100],
  ['thousands', 1e3],
  ['millions', 1e6],
  ['billions', 1e9],
]);

const ORDINAL_UNITS = list(
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
    'fifteenth sixteenth seventeenth eighteenth nineteenth',
);
export const ORDINALS = new Map<string, number>([
  ...ORDINAL_UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [`${word.slice(0, -1)}ieth`, (index + 2) * 10] as const),
  ['hundredth', 100],
  ['thousandth', 1000],
]);

/** What 'two' of 'two thirds' counts. */
export const PARTS = new Map<string, number>([
  ['half', 2],
  ['halves', 2],
  ['quarter', 4],
  ['quarters', 4],
  ...[...ORDINALS]
    .filter(([, value]) => value > 2 && value <= 100)
    .flatMap(([word, value]) => [[word, value] as const, [`${word}s`, value] as const]),
]);
