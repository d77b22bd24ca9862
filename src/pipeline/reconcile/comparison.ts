/** The outcome of holding one claim against another. */

export interface Comparison {
  verdict: 'compatible' | 'incompatible' | 'incomparable';
  /** One line in plain words. */
  reason: string;
}

export const incomparable = (reason: string): Comparison => ({ verdict: 'incomparable', reason });
export const compatible: Comparison = { verdict: 'compatible', reason: 'They agree.' };
export const incompatible = (reason: string): Comparison => ({ verdict: 'incompatible', reason });
