/** The outcome of holding one claim against another. */

/** One line in plain words, for either order of the two. */
export interface Reason {
  /** What the first says stands first. */
  reason: string;
  /** The same with the second one first. */
  swapped: string;
}

export interface Comparison extends Reason {
  verdict: 'compatible' | 'incompatible' | 'incomparable';
  /** Which rule found that they exclude each other. */
  rule: string;
}

export const incomparable = (reason: string): Comparison => ({
  verdict: 'incomparable',
  reason,
  swapped: reason,
  rule: '',
});
export const compatible: Comparison = {
  verdict: 'compatible',
  reason: 'They agree.',
  swapped: 'They agree.',
  rule: '',
};
export const incompatible = (rule: string, reason: Reason): Comparison => ({
  verdict: 'incompatible',
  ...reason,
  rule,
});

/** As seen from the other side. */
export const turned = ({ verdict, reason, swapped, rule }: Comparison): Comparison => ({
  verdict,
  reason: swapped,
  swapped: reason,
  rule,
});
