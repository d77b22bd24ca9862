/** Sets of words as bits: these tell of most words that a set lacks them, for less than looking a word up. */

/** So many numbers are one set; several may stand in one list, one after the other. A sentence sets some 12 of their 128 bits. */
export const BITS_SIZE = 4;

/** `at`: where the bits of the set begin. */
export function addBit(bits: number[], at: number, word: string): void {
  let hash = 0;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x9e3779b1);
  hash ^= hash >>> 15;
  const place = at + (hash & 3);
  bits[place] = (bits[place] as number) | (1 << (hash >>> 27));
}

/** Where this says so, one word of the first set is not in the other; where it does not, there is nothing to go by. */
export function hasOther(bits: number[], at: number, others: number[]): boolean {
  return (
    ((bits[at] as number) & ~(others[0] as number)) !== 0 ||
    ((bits[at + 1] as number) & ~(others[1] as number)) !== 0 ||
    ((bits[at + 2] as number) & ~(others[2] as number)) !== 0 ||
    ((bits[at + 3] as number) & ~(others[3] as number)) !== 0
  );
}
