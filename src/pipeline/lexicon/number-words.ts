/** Numbers in words: cardinals, magnitudes, ordinals and the names of parts. */

const list = (words: string) => words.split(' ');
const table = (values: Record<string, number>) =>
  new Map(Object.entries(values).flatMap(([words, value]) => list(words).map((word) => [word, value] as const)));
const UNDER_TWENTY = list(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen',
);
export const ONE_TO_TEN = UNDER_TWENTY.slice(1, 11);
const TENS = list('twenty thirty forty fifty sixty seventy eighty ninety');

export const CARDINALS = new Map<string, number>([
  ...UNDER_TWENTY.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);

/** In words they multiply what stands before; after digits, too. */
export const MAGNITUDES = table({
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  'lakh lakhs': 1e5,
  'million mn mln': 1e6,
  'crore crores': 1e7,
  'billion bn bln': 1e9,
  'trillion tn trn': 1e12,
});

/** Letters glued to digits. What a small m means is for money and lengths to say. */
export const LETTER_MAGNITUDES = table({ 'k K': 1e3, 'M mn': 1e6, 'bn Bn BN': 1e9, tn: 1e12 });

/** After an amount of money, also with a blank between. */
export const MONEY_MAGNITUDES = table({ 'm M mm MM': 1e6, 'b B': 1e9, 't T': 1e12 });

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

/** Of ordinals in digits: '21st'. */
export const ORDINAL_ENDINGS = new Set(['st', 'nd', 'rd', 'th']);

/** What 'two' of 'two thirds' counts. */
export const PARTS = new Map<string, number>([
  ...table({ 'half halves': 2, 'quarter quarters': 4 }),
  ...[...ORDINALS]
    .filter(([, value]) => value > 2 && value <= 100)
    .flatMap(([word, value]) => [[word, value] as const, [`${word}s`, value] as const]),
]);
