/** Words around a number that make it a bound or an approximation, and what each makes of a stretch. */

export interface Modifier {
  /** Which way the value may lie from the number given; '' keeps it where it is. */
  side: '' | 'above' | 'below';
  /** Whether the number itself is left out. */
  strict: boolean;
  approximate: boolean;
  /** Close to the number: 'just over'. */
  near: boolean;
}

const kinds = {
  above: { side: 'above', strict: true, approximate: false, near: false },
  atLeast: { side: 'above', strict: false, approximate: false, near: false },
  below: { side: 'below', strict: true, approximate: false, near: false },
  atMost: { side: 'below', strict: false, approximate: false, near: false },
  about: { side: '', strict: false, approximate: true, near: false },
  exact: { side: '', strict: false, approximate: false, near: false },
  justAbove: { side: 'above', strict: true, approximate: true, near: true },
  justBelow: { side: 'below', strict: true, approximate: true, near: true },
} satisfies Record<string, Modifier>;

const phrases = (kind: keyof typeof kinds, list: string) =>
  list.split('|').map((phrase) => [phrase, kinds[kind]] as const);

/** Of up to four words, right before a number. */
export const PREFIXES = new Map<string, Modifier>([
  ...phrases(
    'above',
    'more than|over|above|greater than|higher than|larger than|bigger than|longer than|in excess of|upwards of|' +
      'upward of|exceeding|exceeds|exceed|exceeded|surpassing|surpassed|topped|north of|beyond|well over|' +
      'well above|>|far more than|much more than|many more than|older than|better than|way over',
  ),
  ...phrases(
    'atLeast',
    'at least|at or above|no fewer than|no less than|not less than|not lower than|not below|not smaller than|' +
      'not shorter than|a minimum of|minimum of|minimum|at the least|not fewer than|not under|≥|>=|from at least|' +
      'min|min.',
  ),
  ...phrases(
    'below',
    'less than|fewer than|under|below|lower than|smaller than|shorter than|younger than|<|far less than|' +
      'much less than|well under|well below|far fewer than',
  ),
  ...phrases(
    'atMost',
    'up to|at most|at or below|no more than|not more than|not greater than|not higher than|not larger than|' +
      'not longer than|not above|a maximum of|maximum of|maximum|no greater than|not exceeding|not exceed|' +
      'as many as|as much as|as high as|≤|<=|at the most|max|max.|not over|no larger than|no longer than|' +
      'limited to|capped at',
  ),
  ...phrases(
    'about',
    'about|around|roughly|approximately|approx|approx.|some|circa|c.|ca.|ca|~|≈|an estimated|estimated|' +
      'estimated at|close to|nearly|almost|approaching|in the region of|on the order of|in the neighborhood of|' +
      'near|nigh on|virtually|practically|more or less|something like',
  ),
  ...phrases(
    'exact',
    'exactly|precisely|only|just|a total of|total of|an average of|average of|averaging|a record|a further|' +
      'an additional|a combined|a whopping|as few as|merely',
  ),
  ...phrases(
    'justAbove',
    'just over|just above|slightly over|slightly more than|slightly above|a little over|a little more than|' +
      'little more than|just more than|a bit more than',
  ),
  ...phrases(
    'justBelow',
    'just under|just below|slightly under|slightly less than|slightly below|a little under|a little less than|' +
      'little less than|just short of|just less than|a bit less than',
  ),
]);
export const MAX_PREFIX_WORDS = 4;

/** After the number or after what it counts. */
export const SUFFIXES = new Map<string, Modifier>([
  ...phrases(
    'atLeast',
    'or more|or over|or above|or older|of age or older|of age and older|of age or over|of age and over|or higher|' +
      'or greater|or longer|or better|or later|and over|and above|and older|and up|and more|plus|or larger|' +
      'at least|or upwards|upwards',
  ),
  ...phrases(
    'atMost',
    'or fewer|or less|or under|or below|or younger|or lower|or shorter|and under|and below|and younger|at most|' +
      'and less|maximum|or smaller|tops',
  ),
  ...phrases('about', 'or so|or thereabouts|or thereabout|approximately|give or take|odd|more or less|on average'),
]);
export const MAX_SUFFIX_WORDS = 4;

export interface DateModifier {
  side: '' | 'before' | 'after' | 'until' | 'from';
  approximate: boolean;
}

/** Right before a date. Those that leave it where it is are no part of this list. */
export const DATE_PREFIXES = new Map<string, DateModifier>([
  ...['before', 'prior to', 'earlier than', 'pre'].map(
    (phrase) => [phrase, { side: 'before', approximate: false }] as const,
  ),
  ...['after', 'later than', 'post', 'following'].map(
    (phrase) => [phrase, { side: 'after', approximate: false }] as const,
  ),
  ...['on or after', 'no earlier than', 'not before', 'not earlier than'].map(
    (phrase) => [phrase, { side: 'from', approximate: false }] as const,
  ),
  ...['by', 'no later than', 'not later than', 'on or before', 'at the latest by'].map(
    (phrase) => [phrase, { side: 'until', approximate: false }] as const,
  ),
  ...'around|about|circa|c|ca|approximately|roughly|~|approx|sometime in|sometime around|in or around|probably|possibly|likely'
    .split('|')
    .map((phrase) => [phrase, { side: '', approximate: true }] as const),
]);
