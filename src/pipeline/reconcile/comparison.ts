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
}

export const incomparable = (reason: string): Comparison => ({ verdict: 'incomparable', reason, swapped: reason });
export const compatible: Comparison = { verdict: 'compatible', reason: 'They agree.', swapped: 'They agree.' };
export const incompatible = (reason: Reason): Comparison => ({ verdict: 'incompatible', ...reason });

/** As seen from the other side. */
export const turned = ({ verdict, reason, swapped }: Comparison): Comparison => ({
  verdict,
  reason: swapped,
  swapped: reason,
});
